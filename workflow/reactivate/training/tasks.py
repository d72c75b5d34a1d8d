"""A task is what a network is trained for: the loss of a step, its measures, its predictions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from torch import Tensor, nn

from reactivate.experiment.cell import Cell
from reactivate.training.inputs import Batch, Inputs

if TYPE_CHECKING:
    from reactivate.training.snapshots import State
    from reactivate.training.trainer import Trainer


class Learnt(NamedTuple):
    """The loss of some images, and what they add to the sums of an epoch.

    Attributes:
        loss: Sum of the losses of the images; its gradient is followed.
        sums: Double precision, ``(task.sums,)``.
    """

    loss: Tensor
    sums: Tensor


@dataclass(frozen=True)
class Measured:
    """The measures of a trained network, and the files that hold its predictions.

    Attributes:
        metrics: Numbers by the name that exhibits use.
        files: Content of each file, by its name.
    """

    metrics: dict[str, Any]
    files: dict[str, bytes]


class Task(Protocol):
    """Makes the losses of a training, and measures its network."""

    @property
    def works_alone(self) -> bool:
        """Whether it can be used in the training of one process only."""

    @property
    def sums(self) -> int:
        """How many numbers are summed over the training images of an epoch."""

    @property
    def summed(self) -> tuple[str, ...]:
        """Names of what :meth:`means` makes of the sums, as columns of the history."""

    @property
    def tested(self) -> tuple[str, ...]:
        """Names of what :meth:`test` measures, as columns of the history."""

    @property
    def watched(self) -> str:
        """That of the tested numbers, in percent, which tells how good a network is."""

    def check_fit(self, network: nn.Module, inputs: Inputs, cell: Cell, classes: int) -> None:
        """Stops before a training whose network does not fit what it reads.

        Raises:
            ValueError: It does not.
        """

    def divisor(self, trainer: "Trainer", batch: Batch) -> float | Tensor:
        """The number that the summed loss of a whole batch, of all processes, is divided by."""

    def learn(self, trainer: "Trainer", x: Any, y: Any) -> Learnt:
        """Passes images through the network of a training, which is in training mode.

        Args:
            trainer: The training; it tells network, recipe and the number of the step.
            x: Images as the inputs of the training yield them.
            y: What belongs to them: labels, boxes or masks.
        """

    def means(self, sums: Sequence[float]) -> list[float]:
        """What the sums over all training images of an epoch say, by :attr:`summed`."""

    def test(self, trainer: "Trainer") -> list[float]:
        """Measures of the network on the test images after an epoch, by :attr:`tested`."""

    def measure(self, trainer: "Trainer", state: "State") -> Measured:
        """All measures of a trained network, and its predictions for each test image."""
