"""Names of readings of the toy model, whose points, optimizer and steps are not printed."""

from reactivate.judging.asked import crossed


def toy_reading(training: str, *others: str) -> str:
    """Name of the reading in which the toy model has a training, and other choices a value.

    Args:
        training: In words, as the figures name it.
        others: Values of other choices.

    Example:
        >>> toy_reading("21 points, sgd, 1 a step", "w from 2")
        '21 points / sgd, 1 a step / w from 2'
    """
    points, _, steps = training.partition(", ")
    return crossed(points, steps, *others)
