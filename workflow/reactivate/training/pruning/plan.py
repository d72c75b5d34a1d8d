"""The prunings of a run, from what its recipe says of the printed one."""

from reactivate.experiment.recipes import Pruning
from reactivate.pruning.schedule import Plan
from reactivate.training.schedules import Clock

SAMPLED = 4  # the author's program looks at a quarter of the batches


def make_plan(pruning: Pruning, clock: Clock) -> Plan:
    """The plan of a run: printed epochs are stretched to its length, as schedules are.

    ``document``: at the end of every epoch that is a multiple of ``every`` and comes before the
    last ``fine_tune`` (49, 19, 9 and 6 prunings for 2, 5, 10 and 15 of 120).
    ``authors_code``: at the end of the first epoch and of every ``every``-th after it. Without
    ``every``: once, when fine-tuning begins.

    Reference:
        Jiang 2024, section 5.4.4.3 (PhD thesis, Lancaster).

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
