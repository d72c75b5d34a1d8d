"""Effects between networks that were trained once each: every arm has one replicate."""

from collections.abc import Iterable, Mapping
from itertools import product

from reactivate.judging import effects
from reactivate.judging.replicates import Effect

SEED = 0  # the recipes of chapter 6 train one network, as the thesis does


def once(number: float, grain: float = 0.0) -> Effect:
    """Effect that is one number of the only replicate."""
    return Effect((number,), grain=grain)


def difference(
    stated: float | None, other: float | None, *, paired: bool = False, grain: float = 0.0
) -> Effect:
    """Effect of "this network has more than the other"; None: a network has not learned."""
    return effects.difference({SEED: stated}, {SEED: other}, paired=paired, grain=grain)


def ratio(stated: float, other: float, *, factor: float = 1.0, paired: bool = False) -> Effect:
    """Effect of "this network has more than ``factor`` times the other", by logs."""
    return effects.log_difference(
        {SEED: stated}, {SEED: factor * other}, paired=paired, lower_is_better=False
    )


def every_pair(
    numbers: Mapping[str, float], stated: Iterable[str], others: Iterable[str], what: str = ""
) -> dict[str, Effect]:
    """Cases of "each of these has more than each of those", by the ratio of their numbers.

    Example:
        >>> list(every_pair({"std": 2.0, "pgd_08": 1.0}, ["std"], ["pgd_08"]))
        ['std over pgd_08']
    """
    pairs = product(stated, others)
    return {f"{what}{a} over {b}": ratio(numbers[a], numbers[b]) for a, b in pairs}
