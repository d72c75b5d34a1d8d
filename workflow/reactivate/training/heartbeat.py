"""A small file that tells how a running training goes, for ``reactivate status``."""

import json
import os
import socket
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from reactivate.foundation.files import write_json
from reactivate.training.snapshots import State

HEARTBEAT = "heartbeat.json"
SECONDS_BETWEEN_BEATS = 5.0


@dataclass(frozen=True)
class Beat:
    """The newest news of a run."""

    host: str
    pid: int
    epoch: int
    epochs: int
    top1: float
    train_loss: float
    seconds: float  # of training, all starts together
    seconds_left: float
    updated: float  # of the Unix clock

    @classmethod
    def read(cls, path: Path) -> "Beat | None":
        """The beat in a file; None if it vanished meanwhile or is not one."""
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None


class Heartbeat:
    """Writes the news of one run at most every few seconds, and removes them at its end.

    Args:
        path: Of the file.
        epochs: Of the whole run.
    """

    def __init__(self, path: Path, epochs: int) -> None:
        self.path = path
        self.epochs = epochs
        self._last = -SECONDS_BETWEEN_BEATS

    def __call__(self, state: State) -> None:
        """Takes the state after an epoch."""
        now = time.monotonic()
        if now - self._last < SECONDS_BETWEEN_BEATS:
            return
        self._last = now
        newest = state.history[-1]
        left = state.seconds / state.epoch * (self.epochs - state.epoch)
        beat = Beat(
            socket.gethostname(),
            os.getpid(),
            state.epoch,
            self.epochs,
            newest["test_top1"],
            newest["train_loss"],
            round(state.seconds, 1),
            round(left, 1),
            time.time(),
        )
        write_json(self.path, asdict(beat))

    def stop(self) -> None:
        """The run has ended."""
        self.path.unlink(missing_ok=True)
