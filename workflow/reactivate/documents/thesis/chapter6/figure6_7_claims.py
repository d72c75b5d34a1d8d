"""Statements of the thesis (section 6.5.1) on Figure 6.7, judged from its networks."""

from collections.abc import Iterator

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

SMALL, LARGE = 0.1, 0.2  # eta
MEASURED = ("clean", "adversarial")


def small_factors_help(numbers: pd.DataFrame) -> Judgement:
    """With eta up to 0.1 for float paths, clean accuracy and robustness rise over eta = 0."""
    gains = {
        f"{name} at eta {eta:g}": accuracy - by_eta[0.0]
        for name, by_eta in _float_paths(numbers)
        for eta, accuracy in by_eta.items()
        if 0 < eta <= SMALL
    }
    return ordered(all(gain > 0 for gain in gains.values()), _shown(gains))


def large_factors_impair(numbers: pd.DataFrame) -> Judgement:
    """With eta above 0.2 for float paths, the performance is lower than at the best eta."""
    falls = {
        f"{name} at eta {eta:g}": accuracy - max(by_eta.values())
        for name, by_eta in _float_paths(numbers)
        for eta, accuracy in by_eta.items()
        if eta > LARGE
    }
    return ordered(all(fall < 0 for fall in falls.values()), _shown(falls))


def _float_paths(numbers: pd.DataFrame) -> Iterator[tuple[str, dict[float, float]]]:
    """Accuracies by eta, of clean images and of each attack."""
    part = numbers[numbers["paths"] == "float"]
    for attack, own in part.groupby("attack"):
        for measured in MEASURED:
            by_eta = dict(zip(own["eta"].tolist(), own[measured].tolist(), strict=True))
            yield f"{attack} {measured}", by_eta


def _shown(values: dict[str, float]) -> str:
    return "; ".join(f"{name} {value:+.1f}" for name, value in values.items()) + " points"
