"""A defence turns a batch into a loss, and the scores that are counted."""

from typing import NamedTuple, Protocol

from torch import Generator, Tensor, nn
from torch.nn import functional


class Outcome(NamedTuple):
    """Loss and scores of one batch.

    Attributes:
        loss: Loss summed over the images; the mean over several noisy copies of an image.
        scores: Scores of the images as the network was trained on them, ``(N, classes)``: for the
            training accuracy.
    """

    loss: Tensor
    scores: Tensor


class Defence(Protocol):
    """A loss that is called for every batch of a training.

    Args:
        network: A classifier of images from 0 to 1, in training mode; only its parameters'
            gradients and the statistics of what it is trained on may be left in it.
        x: Images from 0 to 1, ``(N, C, H, W)``.
        y: Labels, ``(N)``.
        random: Random stream of everything drawn for this batch.
        epoch: Epoch of the printed run, counted from 0; a warm-up follows it.
    """

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome: ...


def classified(network: nn.Module, x: Tensor, y: Tensor) -> Outcome:
    """The cross-entropy of images, and their scores.

    Example:
        >>> import torch
        >>> outcome = classified(nn.Linear(2, 4), torch.zeros(3, 2), torch.tensor([0, 1, 3]))
        >>> tuple(outcome.loss.shape), tuple(outcome.scores.shape)
        ((), (3, 4))
    """
    scores: Tensor = network(x)
    return Outcome(functional.cross_entropy(scores, y, reduction="sum"), scores)
