"""Numbers of networks with different defences by seed, and effects between such networks.

A replicate is a seed of every network that a statement compares. They share nothing but its
number, so that intervals are Welch's. None stands for a network that has not learned.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product

import pandas as pd

from reactivate.documents.shared.replicates import by_network
from reactivate.judging.effects import log_difference
from reactivate.judging.replicates import Effect, Runs

Numbers = Mapping[str, Runs]  # of every defence


def by_seed(
    frame: pd.DataFrame, number: Callable[[pd.DataFrame], float]
) -> dict[str, dict[int, float | None]]:
    """A number of every network: of each defence, by seed.

    Args:
        frame: Rows of all networks, with columns ``defence``, ``seed`` (without it there is one
            network of each) and, where some of them have not learned, ``learned``.
        number: Of the rows of one network.

    Example:
        >>> rows = {"defence": ["std", "std", "pgd_08"], "seed": [0, 1, 0], "share": [5, 7, 1]}
        >>> by_seed(pd.DataFrame(rows), lambda own: float(own["share"].mean()))
        {'std': {0: 5.0, 1: 7.0}, 'pgd_08': {0: 1.0}}
    """
    return by_network(frame, number, "defence")


def alone(runs: Runs, change: Callable[[float], float] = float, grain: float = 0.0) -> Effect:
    """Effect that is a number of one network, by seed."""
    numbers = (runs[seed] for seed in sorted(runs))
    return Effect(tuple(None if x is None else change(x) for x in numbers), grain=grain)


def ratio(stated: Runs, other: Runs, *, factor: float = 1.0, paired: bool = False) -> Effect:
    """Effect of "this network has more than ``factor`` times the other", by logs."""
    times = {seed: None if x is None else factor * x for seed, x in other.items()}
    return log_difference(stated, times, paired=paired, lower_is_better=False)


def every_pair(
    numbers: Numbers, stated: Iterable[str], others: Iterable[str], what: str = ""
) -> dict[str, Effect]:
    """Cases of "each of these has more than each of those", by the ratio of their numbers.

    Example:
        >>> list(every_pair({"std": {0: 2.0}, "pgd_08": {0: 1.0}}, ["std"], ["pgd_08"]))
        ['std over pgd_08']
    """
    pairs = product(stated, others)
    return {f"{what}{a} over {b}": ratio(numbers[a], numbers[b]) for a, b in pairs}


def across(numbers: Numbers) -> dict[int, list[float] | None]:
    """By seed the numbers of all defences, in their order; None where one has not learned.

    Example:
        >>> across({"std": {0: 2.0, 1: 3.0}, "pgd_08": {0: 1.0, 1: None}})
        {0: [2.0, 1.0], 1: None}
    """
    seeds = sorted(set.intersection(*map(set, numbers.values())))
    found: dict[int, list[float] | None] = {}
    for seed in seeds:
        own = [x for runs in numbers.values() if (x := runs[seed]) is not None]
        found[seed] = own if len(own) == len(numbers) else None
    return found
