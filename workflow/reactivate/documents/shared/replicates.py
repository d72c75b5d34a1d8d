"""Replicates behind figures: one number for each seed of a network, or of several together.

None stands for a seed of which a network has not learned: it leaves the mean, and is counted.
"""

from collections.abc import Callable, Sequence
from statistics import fmean

import pandas as pd

from reactivate.experiment.run_exhibit import SEED
from reactivate.judging.effects import spearman
from reactivate.judging.replicates import Effect, Runs

Measure = Callable[[pd.DataFrame], float]


def of_seeds(numbers: pd.DataFrame, measure: Measure) -> Effect:
    """One number for each seed; a figure that is drawn from one network has one."""
    return Effect(tuple(runs(numbers, measure).values()))


def runs(numbers: pd.DataFrame, measure: Measure) -> dict[int, float | None]:
    """Seed -> its number; without seeds there is one network of each kind.

    Args:
        numbers: Values of a figure, with columns ``seed`` and, where networks may not have
            learned, ``learned``.
        measure: Takes the values of one seed.

    Example:
        >>> frame = pd.DataFrame({"seed": [0, 0, 1], "x": [1.0, 3.0, 5.0]})
        >>> runs(frame, lambda part: float(part["x"].mean()))
        {0: 2.0, 1: 5.0}
        >>> runs(frame.drop(columns="seed"), lambda part: float(part["x"].max()))
        {0: 5.0}
        >>> runs(frame.assign(learned=[True, False, True]), lambda part: float(len(part)))
        {0: None, 1: 1.0}
    """
    if "seed" not in numbers:
        numbers = numbers.assign(seed=SEED)
    return {
        int(str(seed)): measure(part) if "learned" not in part or part["learned"].all() else None
        for seed, part in numbers.groupby("seed")
    }


def by_network(
    numbers: pd.DataFrame, measure: Measure, axis: str = "column"
) -> dict[str, dict[int, float | None]]:
    """A number of every network: by what stands in a column, such as its activation, and by seed.

    Example:
        >>> frame = pd.DataFrame({"column": ["relu", "relu", "tanh"], "seed": [0, 1, 0], "x": 1.0})
        >>> by_network(frame, lambda own: float(own["x"].mean()))
        {'relu': {0: 1.0, 1: 1.0}, 'tanh': {0: 1.0}}
    """
    return {str(name): runs(own, measure) for name, own in numbers.groupby(axis, sort=False)}


def combined(arms: Sequence[Runs], by: Callable[[list[float]], float] = fmean) -> Runs:
    """One number of several arms for each seed that all have, their mean by default.

    It is None where an arm has None.

    Example:
        >>> combined([{0: 1.0, 1: 2.0, 2: 5.0}, {0: 3.0, 1: None}])
        {0: 2.0, 1: None}
    """
    found: dict[int, float | None] = {}
    for seed in sorted(set.intersection(*map(set, arms))):
        known = [x for arm in arms if (x := arm[seed]) is not None]
        found[seed] = by(known) if len(known) == len(arms) else None
    return found


def rank_effect(numbers: pd.DataFrame, x: str, y: str, sign: float = 1.0) -> Effect:
    """Spearman's rho of two columns for each seed, positive as stated."""
    found = runs(numbers, lambda part: sign * spearman(part[x].tolist(), part[y].tolist()))
    k = len(numbers) // len(found)
    return Effect(tuple(found.values()), grain=12 / (k**3 - k))


def first_of_each(numbers: pd.DataFrame) -> pd.DataFrame:
    """The rows of the first seed: a picture shows one network of each kind, as the document does.

    Without seeds there is one.
    """
    if "seed" not in numbers:
        return numbers
    first: pd.DataFrame = numbers[numbers["seed"] == numbers["seed"].min()]
    return first
