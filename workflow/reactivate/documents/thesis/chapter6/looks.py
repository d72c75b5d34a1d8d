"""Labels and colours of the defences, in the order of the thesis."""

from collections.abc import Iterable

from reactivate.documents.shared.looks import Look

DEFENCES = {
    "std": Look("STD", "#444444"),
    "noise_050": Look("Noise-050", "#9cc9ee"),
    "noise_100": Look("Noise-100", "#3f8fd0"),
    "noise_125": Look("Noise-125", "#7fb2e5"),
    "noise_250": Look("Noise-250", "#1f4e9c"),
    "fgsm_04": Look("FGSM-04", "#8cc97a"),
    "fgsm_08": Look("FGSM-08", "#2a7d3f"),
    "pgd_04": Look("PGD-04", "#f0955a"),
    "pgd_08": Look("PGD-08", "#b5321f"),
}
FIXED, FLOAT = "#1f6fb4", "#c8443c"  # paths and neurons
LETTERS = "abcdefgh"  # of panels


def looks(names: Iterable[object]) -> dict[str, Look]:
    """Looks of the defences that occur, in the order of :data:`DEFENCES`.

    Example:
        >>> [look.label for look in looks(["pgd_08", "std", "pgd_08"]).values()]
        ['STD', 'PGD-08']
    """
    met = list(dict.fromkeys(map(str, names)))
    known = [name for name in DEFENCES if name in met]
    others = {name: Look(name, "#777777") for name in met if name not in DEFENCES}
    return {**{name: DEFENCES[name] for name in known}, **others}
