"""Decisions on one network: when its rate falls, which weights are kept, when it stops."""

import math
from dataclasses import dataclass
from typing import NamedTuple


class Decision(NamedTuple):
    """The consequence of an epoch's score for a network."""

    improved: bool
    lower_lr: bool
    stop: bool


@dataclass
class Monitor:
    """Plateau schedule and early stopping on a score where lower is better.

    The rules of Keras's ``ReduceLROnPlateau`` and ``EarlyStopping``, which the GmP authors use:
    the first asks for an improvement by ``min_delta``, the second for any improvement.

    Example:
        >>> monitor = Monitor(plateau_patience=1, min_delta=0.0, stop_patience=2)
        >>> monitor.update(3.0)
        Decision(improved=True, lower_lr=False, stop=False)
        >>> monitor.update(3.0)
        Decision(improved=False, lower_lr=True, stop=False)
        >>> monitor.update(3.5)
        Decision(improved=False, lower_lr=True, stop=True)
    """

    plateau_patience: int
    min_delta: float
    stop_patience: int
    best: float = math.inf
    best_epoch: int = 0
    epoch: int = 0
    diverged_at: int | None = None
    _plateau_best: float = math.inf
    _plateau_wait: int = 0

    def update(self, score: float) -> Decision:
        """Takes the score after an epoch."""
        self.epoch += 1
        if not math.isfinite(score):
            self.diverged_at = self.epoch
            return Decision(improved=False, lower_lr=False, stop=True)
        lower_lr = self._plateau(score)
        improved = score < self.best
        if improved:
            self.best, self.best_epoch = score, self.epoch
        return Decision(improved, lower_lr, self.epoch - self.best_epoch >= self.stop_patience)

    def _plateau(self, score: float) -> bool:
        if score < self._plateau_best - self.min_delta:
            self._plateau_best, self._plateau_wait = score, 0
            return False
        self._plateau_wait += 1
        if self._plateau_wait < self.plateau_patience:
            return False
        self._plateau_wait = 0
        return True
