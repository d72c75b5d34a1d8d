"""Labels and colours of parameterizations in the figures of GmP."""

from reactivate.documents.shared.looks import Look

LOOKS = {
    "sp": Look("SP", "#444444"),
    "wn": Look("WN", "#d9822b"),
    "wn_mbn": Look("WN+MBN", "#8a63b8"),
    "bn": Look("BN", "#1f6fb4"),
    "gmp": Look("GmP", "#c8443c"),
    "gmp_imn": Look("GmP+IMN", "#2a9d62", 2.0),  # "the green curve"
}
