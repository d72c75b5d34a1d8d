"""When parameters are removed, and how many."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction

from reactivate.experiment.recipes import Pruning
from reactivate.training.schedules import Clock

SAMPLED = 4  # the author's program looks at a quarter of the batches


def removed(size: int, sparsity: float, done: int = 1, total: int = 1) -> int:
    """Parameters of a layer that are gone after some of the prunings.

    The same number goes each time, up to rounding down, so after the last one exactly
    ``floor(size * sparsity)`` are gone, whatever the number of prunings, and at least one stays.

    Args:
        size: Parameters of the layer.
        sparsity: Share to remove in the end, read as the decimal that is written.
        done: Prunings so far.
        total: Prunings of the whole training.

    Raises:
        ValueError: The sparsity leaves nothing, or makes no sense.

    Example:
        >>> [removed(100, 0.29, done, 3) for done in range(4)]
        [0, 9, 19, 29]
    """
    if not 0 <= sparsity < 1:
        raise ValueError(
            f"sparsity is {sparsity!r}; accepted: 0 up to but not including 1, the share of "
            "parameters to remove. Change the call, or `pruning` of the recipe"
        )
    return size * Fraction(str(sparsity)) * done // total


@dataclass(frozen=True)
class Plan:
    """The prunings of a training.

    Attributes:
        moments: Numbers of finished steps after which parameters are removed, ascending.
        window: Steps before each of them whose batches are counted: one printed epoch.
        thinned: Of these, every so many steps one is counted, the last one always.
    """

    moments: tuple[int, ...]
    window: int
    thinned: int = 1

    def counts(self, step: int) -> bool:
        """Whether the batch after ``step`` finished steps is one that entropy is taken from."""
        later = bisect_right(self.moments, step)
        if later == len(self.moments):
            return False
        ahead = self.moments[later] - step - 1
        return ahead < self.window and ahead % self.thinned == 0


def make_plan(pruning: Pruning, clock: Clock) -> Plan:
    """When to prune; printed epochs are stretched to the length of the run, as schedules are.

    ``document``: at the end of every epoch that is a multiple of ``every`` and comes before the
    last ``fine_tune`` (49, 19, 9 and 6 prunings for 2, 5, 10 and 15 of 120: ERRATA T-45).
    ``authors_code``: at the end of the first epoch and of every ``every``-th after it. Without
    ``every``: once, when fine-tuning begins.

    Reference:
        Jiang 2024, section 5.4.4.3 (PhD thesis, Lancaster); METHODS.md section 6.

    Args:
        pruning: Says how often, in printed epochs.
        clock: Length of this run and of the printed one.

    Example:
        >>> pruning = Pruning(blend="weight", sparsity=0.8, every=10, fine_tune=20)
        >>> make_plan(pruning, Clock(steps=240, printed_steps=46920, printed_epoch=391)).moments
        (20, 40, 60, 80, 100, 120, 140, 160, 180)
    """
    epochs = round(clock.epochs)
    last = epochs - pruning.fine_tune
    if pruning.every is None:
        printed = [last]
    elif pruning.protocol == "document":
        printed = list(range(pruning.every, last, pruning.every))
    else:
        printed = [epoch + 1 for epoch in range(0, last, pruning.every)]
    moments = {max(1, round(epoch * clock.steps / epochs)) for epoch in printed}
    window = max(1, round(clock.steps / epochs))
    thinned = SAMPLED if pruning.protocol == "authors_code" else 1
    return Plan(tuple(sorted(moments)), window, thinned)
