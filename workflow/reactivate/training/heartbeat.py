"""Tell how a training goes: a bar for whoever watches, a file for ``reactivate status``."""

import json
import math
import os
import socket
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reactivate.foundation.files import write_json
from reactivate.foundation.progress import Progress
from reactivate.training.callbacks import Callback

if TYPE_CHECKING:
    from reactivate.training.trainer import Trainer

HEARTBEAT = "heartbeat.json"
SECONDS_BETWEEN_BEATS = 5.0


@dataclass(frozen=True)
class Beat:
    """The progress of a run, as its process told it last."""

    host: str
    pid: int
    epoch: int
    epochs: int
    test: float  # percent, of the measure that its task watches; NaN if none was tested
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


class Heartbeat(Callback):
    """Writes how far a run is, at most every few seconds, and removes the file at its end.

    Args:
        path: The file; only the first process of a run writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = -SECONDS_BETWEEN_BEATS

    def on_epoch(self, trainer: "Trainer") -> None:
        """Writes the file if the last beat is long ago."""
        now = time.monotonic()
        if trainer.share.rank or now - self._last < SECONDS_BETWEEN_BEATS:
            return
        self._last = now
        state, newest = trainer.state, trainer.state.history[-1]
        left = state.seconds / state.epoch * (trainer.epochs - state.epoch)
        beat = Beat(
            socket.gethostname(),
            os.getpid(),
            state.epoch,
            trainer.epochs,
            newest.get(trainer.task.watched, math.nan),
            newest["train_loss"],
            round(state.seconds, 1),
            round(left, 1),
            time.time(),
        )
        write_json(self.path, asdict(beat))

    def on_end(self, trainer: "Trainer") -> None:
        """Removes the file: nothing runs any more."""
        if not trainer.share.rank:
            self.path.unlink(missing_ok=True)


class ProgressBar(Callback):
    """Shows epochs and loss of a training on stderr.

    Args:
        title: What stands before the bar.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._open = ExitStack()

    def on_start(self, trainer: "Trainer") -> None:
        """Opens the bar."""
        self.progress = self._open.enter_context(Progress(self.title, trainer.epochs))

    def on_epoch(self, trainer: "Trainer") -> None:
        """Moves the bar on; after a snapshot it starts with all epochs that were finished."""
        loss = trainer.state.history[-1]["train_loss"]
        self.progress.advance(trainer.state.epoch - self.progress.done, loss)

    def on_end(self, trainer: "Trainer") -> None:
        """Closes the bar."""
        self._open.close()
