"""Callbacks look on, report or change the network at fixed moments of a training."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch import Tensor

if TYPE_CHECKING:
    from reactivate.training.trainer import Trainer


@dataclass(frozen=True)
class Left:
    """Files that a callback added to the folder of a run, and what the record says of it.

    Attributes:
        files: Names of the files it wrote.
        entries: Keys and values for the record.
    """

    files: tuple[str, ...] = ()
    entries: dict[str, Any] = field(default_factory=dict)


class Callback:
    """Base of all callbacks; its methods are called while a network trains and do nothing.

    A training calls, in this order: :meth:`on_start`; :meth:`load_state_dict`, if it goes on from
    a snapshot; for every step :meth:`on_gradients` and :meth:`on_step`; after every epoch
    :meth:`on_epoch`, and :meth:`state_dict` for a snapshot; :meth:`on_end`. Several callbacks are
    called in the order in which the training got them. :meth:`leave` is called once it is over.
    """

    works_alone = False  # whether it can take part in the training of one process only

    def on_start(self, trainer: "Trainer") -> None:
        """Is called with the untrained network, before a snapshot is loaded into it."""

    def on_gradients(self, trainer: "Trainer") -> None:
        """Is called when the gradients of a step are there, and the step is not yet made."""

    def on_step(self, trainer: "Trainer") -> None:
        """Is called after every step of the optimizer."""

    def on_epoch(self, trainer: "Trainer") -> None:
        """Is called after every epoch, when its row of the history is there."""

    def on_end(self, trainer: "Trainer") -> None:
        """Is called once, when nothing is left to train; the last snapshot was saved before."""

    def state_dict(self) -> dict[str, Tensor]:
        """The tensors that a snapshot must keep for this callback."""
        return {}

    def load_state_dict(self, tensors: dict[str, Tensor]) -> None:
        """Takes back what :meth:`state_dict` gave to the snapshot."""

    def leave(self, trainer: "Trainer", out: Path) -> Left:
        """Writes files of this callback on a finished training into the folder of the run."""
        return Left()
