"""Readings of Figures 5.4 to 5.6: neither breakpoints nor batch normalisation are printed."""

from collections.abc import Callable, Iterable

import pandas as pd

from reactivate.judging.asked import crossed
from reactivate.judging.exact import not_comparable, not_run
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Found

SATURATED = ("sigmoid", "tanh")
# those of Sigmoid and Tanh; ReLU and GELU have the one breakpoint 0 (section 5.2.1.2)
BREAKPOINTS = ("-0.5, 0.5", "-1, 1", "-2, 2")
ENDINGS = {"with batch normalisation": "", "without batch normalisation": "_without_bn"}
Find = Callable[[pd.DataFrame], Found]


def of_networks(
    numbers: pd.DataFrame, row: str, names: Iterable[str], find: Find
) -> dict[str, Found]:
    """What is found with and without batch normalisation, where breakpoints do not matter.

    Args:
        numbers: Values of the figure.
        row: The network with batch normalisation.
        names: Activations that are asked about.
        find: Takes the values of these activations, of one network.
    """
    readings = {}
    for normalised, ending in ENDINGS.items():
        part = numbers[(numbers["row"] == row + ending) & numbers["column"].isin(list(names))]
        readings[normalised] = _missing(part, names) or find(_once(part))
    return readings


def of_patterns(
    numbers: pd.DataFrame, row: str, names: Iterable[str], find: Find
) -> dict[str, Found]:
    """What is found with each set of breakpoints, with and without batch normalisation.

    The arguments are those of :func:`of_networks`.
    """

    def of_points(points: str) -> dict[str, Found]:
        chosen = ~numbers["column"].isin(SATURATED) | (numbers["breakpoints"] == points)
        return of_networks(numbers[chosen], row, names, find)

    return {
        crossed(f"breakpoints {points}", normalised): found
        for points in BREAKPOINTS
        for normalised, found in of_points(points).items()
    }


def _missing(part: pd.DataFrame, names: Iterable[str]) -> Judgement | None:
    """Why nothing can be found in a part of the figure; None if something can."""
    absent = [name for name in names if name not in set(part["column"])]
    if absent:
        return not_run("compute", f"not run here: {', '.join(absent)}")
    if "learned" not in part:
        return None
    learned = part.groupby("column", sort=False)["learned"].any()  # in any seed
    failed = [str(name) for name in learned.index[~learned]]
    if failed:
        return not_comparable("untrained", f"networks have not learned: {', '.join(failed)}")
    return None


def _once(part: pd.DataFrame) -> pd.DataFrame:
    """Each record once: by the first breakpoints of its network, if there are several."""
    place = [name for name in ("column", "seed", "step") if name in part]
    return part.drop_duplicates(place)
