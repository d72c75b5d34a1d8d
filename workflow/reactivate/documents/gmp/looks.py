"""Labels and colours of parameterizations in the figures of GmP."""

from reactivate.documents.shared.looks import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, Look

LOOKS = {
    "sp": Look("SP", BLACK, dashes="-", marker="o"),
    "wn": Look("WN", ORANGE, dashes="--", marker="s"),
    "wn_mbn": Look("WN+MBN", PURPLE, dashes="-.", marker="^"),
    "bn": Look("BN", BLUE, dashes=":", marker="D"),
    "gmp": Look("GmP", RED, dashes="-", marker="v"),
    "gmp_imn": Look("GmP+IMN", GREEN, 2.0, marker="P"),  # "the green curve"
}
