"""Labels, colours and lines of the defences, in the order of the thesis."""

from collections.abc import Iterable

from reactivate.documents.shared.looks import (
    BLACK,
    BLUE,
    GREEN,
    INDIGO,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    Look,
    look_of,
)

DEFENCES = {
    "std": Look("STD", BLACK, dashes="-", marker="o"),
    "noise_050": Look("Noise-050", SKY, dashes=":", marker="s"),
    "noise_100": Look("Noise-100", PURPLE, dashes="-.", marker="^"),
    "noise_125": Look("Noise-125", SKY, dashes="--", marker="s"),
    "noise_250": Look("Noise-250", BLUE, dashes="-", marker="^"),
    "fgsm_04": Look("FGSM-04", INDIGO, dashes="--", marker="D"),
    "fgsm_08": Look("FGSM-08", GREEN, dashes="-", marker="v"),
    "pgd_04": Look("PGD-04", ORANGE, dashes="--", marker="<"),
    "pgd_08": Look("PGD-08", RED, dashes="-", marker=">"),
}
FIXED, FLOAT = BLUE, RED  # paths and neurons
LETTERS = "abcdefgh"  # of panels


def looks(names: Iterable[object]) -> dict[str, Look]:
    """Looks of the defences that occur, in the order of :data:`DEFENCES`.

    Example:
        >>> [look.label for look in looks(["pgd_08", "std", "pgd_08"]).values()]
        ['STD', 'PGD-08']
    """
    met = list(dict.fromkeys(map(str, names)))
    known = [name for name in DEFENCES if name in met]
    others = {name: look_of(name, DEFENCES) for name in met if name not in DEFENCES}
    return {**{name: DEFENCES[name] for name in known}, **others}
