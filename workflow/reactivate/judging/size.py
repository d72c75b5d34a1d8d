"""Size apart from direction: a measured effect against the size that a document states."""

from reactivate.judging.judgement import Size
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import DIFFERS, REPRODUCED, UNDECIDED

NARROW, WIDE = 0.985, 0.995  # levels: of an agreement, of an accusation


def stated_size(*sizes: float) -> float:
    """The size that a document states for an effect; of a range ("2 to 5 %") its lower end.

    Example:
        >>> stated_size(2.0, 5.0)
        2.0
    """
    if not sizes or min(sizes) <= 0:
        raise ValueError(
            f"the stated size of an effect is {sizes}; accepted: positive numbers in the units "
            "of the effect, which is positive as stated. Correct the claim's size"
        )
    return min(sizes)


def is_too_small(effect: Effect, stated: float) -> bool:
    """Whether the effect is surely below half of the stated size: its 99.5 % upper end is."""
    return effect.interval(WIDE).high < stated / 2


def judge_size(effect: Effect, stated: float) -> Size:
    """Whether an effect has the stated size, which is a field beside the direction's verdict.

    It differs if the 99.5 % interval ends below half of the stated size, and is reproduced if
    the 98.5 % interval lies from half to twice of it. Only runs at the printed scale may be
    judged so.
    """
    stated_size(stated)
    if is_too_small(effect, stated):
        return Size(stated, DIFFERS)
    agrees = effect.interval(NARROW).lies_within(stated / 2, 2 * stated)
    return Size(stated, REPRODUCED if agrees else UNDECIDED)
