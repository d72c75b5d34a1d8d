"""Strategies make the loss of a training step from a batch."""

from typing import TYPE_CHECKING, NamedTuple, Protocol

from torch import Tensor
from torch.nn import functional

if TYPE_CHECKING:
    from reactivate.training.trainer import Trainer


class Step(NamedTuple):
    """The loss and the scores that a strategy makes of one batch.

    Attributes:
        loss: Sum of the losses of the images; its gradient is followed.
        scores: Scores of the images, ``(N, classes)``, for the training accuracy.
    """

    loss: Tensor
    scores: Tensor


class Strategy(Protocol):
    """Makes the loss of every step of a training.

    Attributes:
        works_alone: Whether it can be used in the training of one process only.
    """

    works_alone: bool

    def __call__(self, trainer: "Trainer", x: Tensor, y: Tensor) -> Step:
        """Passes a batch through the network of a training, which is in training mode.

        Args:
            trainer: The training; it tells network, recipe and the number of the step.
            x: Images as the inputs of the training yield them.
            y: Labels, ``(N)``.
        """


class CrossEntropy:
    """Cross-entropy of the images as they are, smoothed as the recipe says."""

    works_alone = False

    def __call__(self, trainer: "Trainer", x: Tensor, y: Tensor) -> Step:
        scores = trainer.forward(trainer.learner, x)
        smoothing = trainer.recipe.label_smoothing
        loss = functional.cross_entropy(scores, y, reduction="sum", label_smoothing=smoothing)
        return Step(loss, scores)
