"""Replicates behind the figures of chapter 5: one number for each seed."""

from collections.abc import Callable

import pandas as pd

from reactivate.judging.effects import spearman
from reactivate.judging.replicates import Effect


def of_seeds(numbers: pd.DataFrame, measure: Callable[[pd.DataFrame], float]) -> Effect:
    """One number for each seed; a figure that is drawn from one network has one."""
    return Effect(tuple(runs(numbers, measure).values()))


def runs(numbers: pd.DataFrame, measure: Callable[[pd.DataFrame], float]) -> dict[int, float]:
    """Seed -> its number.

    Example:
        >>> frame = pd.DataFrame({"seed": [0, 0, 1], "x": [1.0, 3.0, 5.0]})
        >>> runs(frame, lambda part: float(part["x"].mean()))
        {0: 2.0, 1: 5.0}
        >>> runs(frame.drop(columns="seed"), lambda part: float(part["x"].max()))
        {0: 5.0}
    """
    if "seed" not in numbers:
        return {0: measure(numbers)}
    return {int(str(seed)): measure(part) for seed, part in numbers.groupby("seed")}


def rank_effect(numbers: pd.DataFrame, x: str, y: str, sign: float = 1.0) -> Effect:
    """Spearman's rho of two columns for each seed, positive as stated."""
    found = runs(numbers, lambda part: sign * spearman(part[x].tolist(), part[y].tolist()))
    k = len(numbers) // len(found)
    return Effect(tuple(found.values()), grain=12 / (k**3 - k))
