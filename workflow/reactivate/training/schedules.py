"""Learning rate and weight decay of every step, as the recipe prints them or stretched to fit."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from reactivate.experiment.rates import Constant, Decay, Milestones, OnPlateau, Pieces
from reactivate.experiment.recipes import Training
from reactivate.training.snapshots import State


@dataclass(frozen=True)
class Clock:
    """Translates steps of this run into those of the printed run.

    A smaller scale trains for fewer steps; warm-up, milestones and decay keep their share of the
    run. At the printed length nothing is stretched.

    Args:
        steps: Number of steps of this run.
        printed_steps: Number of steps of the printed run.
        printed_epoch: Steps per epoch of the printed run.

    Example:
        >>> Clock(steps=10, printed_steps=1000, printed_epoch=100).epoch(5)
        5.0
    """

    steps: int
    printed_steps: int
    printed_epoch: int

    def iteration(self, step: int) -> float:
        """The iteration of the printed run that a step stands for, from 0."""
        return step if self.steps == self.printed_steps else step * self.printed_steps / self.steps

    def epoch(self, step: int) -> float:
        """The epoch of the printed run that a step stands for, from 0."""
        return self.iteration(step) / self.printed_epoch

    def set_at(self, step: int, every: Literal["step", "epoch"]) -> float:
        """The epoch of the printed run that the rate of a step was set for."""
        epoch = self.epoch(step)
        return epoch if every == "step" else math.floor(epoch)

    @property
    def epochs(self) -> float:
        """Length of the printed run, in epochs."""
        return self.printed_steps / self.printed_epoch


@dataclass(frozen=True)
class Rates:
    """Learning rate and weight decay that the optimizer is told before a step."""

    lr: float
    weight_decay: float


def rates(recipe: Training, lr: float, clock: Clock, step: int) -> Rates:
    """Rates of a step, counted from 0; a plateau schedule multiplies them by its own factor.

    Example:
        >>> from reactivate.experiment.recipes import Training
        >>> recipe = Training(
        ...     stage="train", optimizer={"name": "adam", "weight_decay": 0.0}, seeds=1,
        ...     lr={"default": 0.1}, schedule={"kind": "milestones", "at": [5], "factor": 0.5},
        ...     batch_size=1, epochs=10, normalise="mean")
        >>> [rates(recipe, 0.1, Clock(10, 10, 1), step).lr for step in (4, 5)]
        [0.1, 0.05]
    """
    scheduled = _scheduled(recipe, lr, clock, step)
    if recipe.warm_up is None:
        return scheduled
    warm = recipe.warm_up
    length: float = warm.iterations or warm.epochs * clock.printed_epoch  # type: ignore[operator]  # one of the two is set
    if warm.per_epoch is not None:
        length *= clock.printed_epoch / warm.per_epoch
    share = clock.iteration(step) / length
    if warm.every == "epoch":
        share = clock.set_at(step, "epoch") / warm.epochs  # type: ignore[operator]  # is set then
    if share >= 1:
        return scheduled
    return replace(scheduled, lr=warm.lr + (lr - warm.lr) * share if warm.rises else warm.lr)


def _scheduled(recipe: Training, lr: float, clock: Clock, step: int) -> Rates:
    """Rates of a step, as if there were no warm-up."""
    epoch, decay = clock.epoch(step), recipe.optimizer.weight_decay
    match recipe.schedule:
        case Milestones() as schedule:
            passed = sum(epoch >= at for at in schedule.at)
            return Rates(lr * schedule.factor**passed, decay)
        case Decay() as schedule:
            set_at = clock.set_at(step, schedule.every)
            share = min(1.0, set_at / (schedule.epochs or clock.epochs))
            if schedule.kind == "cosine":
                share = (1 - math.cos(math.pi * share)) / 2
            return Rates(lr + (schedule.final - lr) * share, decay)
        case Pieces() as schedule:
            end = 0
            for piece in schedule.pieces:
                end += piece.epochs
                if epoch < end:
                    break
            return Rates(piece.lr, piece.weight_decay)
        case Constant() | OnPlateau():
            return Rates(lr, decay)


def heed_plateau(schedule: OnPlateau, state: State, row: dict[str, float]) -> None:
    """Lowers the rate or stops when the watched accuracy does not rise any more.

    Args:
        schedule: How long to wait, and what follows then.
        state: The state after an epoch; its factor and whether the training stops are changed.
        row: The history of that epoch, which has the watched accuracy.
    """
    accuracy = row[f"test_{schedule.watch}"]
    if accuracy > state.best:
        state.best, state.best_epoch, state.waited = accuracy, state.epoch, 0
        return
    state.waited += 1
    if state.waited >= schedule.patience:
        state.factor *= schedule.factor
        state.waited = 0
    state.stopped = state.epoch - state.best_epoch >= schedule.stop_patience
