"""Effects between networks that were trained once each: every arm has one replicate."""

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
