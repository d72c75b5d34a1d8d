"""Words for the reasons of judgements."""

from collections.abc import Mapping


def said(values: Mapping[str, float], digits: str = ".3g") -> str:
    """Numbers with their names, as the reason of a judgement lists them.

    Example:
        >>> said({"std": 0.5, "pgd_08": 0.25}, ".0%")
        'std 50%, pgd_08 25%'
    """
    return ", ".join(f"{name} {value:{digits}}" for name, value in values.items())
