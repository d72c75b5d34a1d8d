"""Effects of the thesis' statements (section 6.5.1) on Figure 6.7."""

import pandas as pd

from reactivate.documents.thesis.chapter6.single import difference
from reactivate.judging.replicates import Effect

SMALL, LARGE = 0.1, 0.2  # eta


def small_factors_help(numbers: pd.DataFrame) -> dict[str, Effect]:
    """With eta in (0, 0.1) for float paths, clean accuracy and robustness rise over eta = 0."""
    return {
        f"{name} at eta {eta:g}": difference(accuracy, by_eta[0.0])
        for name, by_eta in _float_paths(numbers).items()
        for eta, accuracy in by_eta.items()
        if 0 < eta < SMALL
    }


def large_factors_impair(numbers: pd.DataFrame) -> dict[str, Effect]:
    """With eta above 0.2 for float paths, accuracies are lower than at eta = 0."""
    return {
        f"{name} at eta {eta:g}": difference(by_eta[0.0], accuracy)
        for name, by_eta in _float_paths(numbers).items()
        for eta, accuracy in by_eta.items()
        if eta > LARGE
    }


def _float_paths(numbers: pd.DataFrame) -> dict[str, dict[float, float]]:
    """Accuracies by eta, of clean images and under each attack."""
    found: dict[str, dict[float, float]] = {}
    for attack, own in numbers[numbers["paths"] == "float"].groupby("attack"):
        # clean images are the same under every attack
        for name, column in (("clean", "clean"), (str(attack), "adversarial")):
            found[name] = dict(zip(own["eta"].tolist(), own[column].tolist(), strict=True))
    return found
