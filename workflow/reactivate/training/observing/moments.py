"""Moments of a run: the steps at which it is looked at, as often as the printed run is."""

from reactivate.experiment.observations import Observation
from reactivate.training.schedules import Clock


def moments(observation: Observation, clock: Clock) -> list[int]:
    """Numbers of finished steps at which a record is made, the last one after all.

    Args:
        observation: Says how often, in steps of the printed run.
        clock: Length of this run and of the printed one.

    Example:
        >>> seen = Observation(every=400, images=2, pairs=1, samples=1, neurons=1)
        >>> moments(seen, Clock(steps=100, printed_steps=1000, printed_epoch=10))
        [0, 40, 80, 100]
    """
    printed = set(range(0, clock.printed_steps, observation.every))
    if observation.early is not None:
        until = min(observation.early.until, clock.printed_steps)
        printed |= set(range(0, until, observation.early.every))
    shrunk = clock.steps / clock.printed_steps
    return sorted({min(round(step * shrunk), clock.steps - 1) for step in printed} | {clock.steps})
