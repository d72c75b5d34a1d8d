"""Scores, losses and attacks of several noisy copies of each image together."""

from torch import Tensor, nn
from torch.nn import functional

from reactivate.attacks.ascent import Norm, ascend
from reactivate.patterns.preactivations import evaluating

SMALLEST = 1e-20  # probability whose logarithm is taken, as in the original codes


def scores_of_copies(network: nn.Module, x: Tensor, noises: Tensor) -> Tensor:
    """Scores of ``x + noise``, ``(copies, N, classes)``, in one pass.

    Args:
        network: A classifier.
        x: Images, ``(N, *)``.
        noises: Noise of each copy, ``(copies, N, *)``.
    """
    scores: Tensor = network((x + noises).flatten(0, 1))
    return scores.reshape(*noises.shape[:2], scores.shape[-1])


def mean_probabilities(scores: Tensor) -> Tensor:
    """Probabilities averaged over the copies, ``(N, classes)``: those of a smoothed classifier.

    Example:
        >>> import torch
        >>> mean_probabilities(torch.tensor([[[0.0, 0.0]], [[0.0, 200.0]]]))
        tensor([[0.2500, 0.7500]])
    """
    return scores.softmax(2).mean(0)


def logarithm(probabilities: Tensor) -> Tensor:
    """Logarithm of probabilities, finite also for 0."""
    return probabilities.clamp(min=SMALLEST).log()


def mean_cross_entropy(scores: Tensor, y: Tensor) -> Tensor:
    """Cross-entropy averaged over the copies and summed over the images."""
    copies = len(scores)
    labels = y.repeat(copies)
    return functional.cross_entropy(scores.flatten(0, 1), labels, reduction="sum") / copies


def smoothed_ascent(
    network: nn.Module,
    x: Tensor,
    y: Tensor,
    noises: Tensor,
    step: float,
    steps: int,
    epsilon: float,
    norm: Norm = "l2",
) -> Tensor:
    """Images that climb ``-log`` of the mean probability of their label over fixed noises.

    The network is in evaluation mode meanwhile, and pixels are clamped before the projection onto
    the ball, as in the original codes.

    Reference:
        Salman et al. 2019, Eq. 5 and 6 (arXiv:1906.04584); the authors' code:
        Hadisalman/smoothing-adversarial cff781d.
    """

    def loss(images: Tensor) -> Tensor:
        probabilities = mean_probabilities(scores_of_copies(network, images, noises))
        return functional.nll_loss(logarithm(probabilities), y, reduction="sum")

    with evaluating(network):
        return ascend(loss, x, step, steps, norm, epsilon, clamp_first=True)


def check_copies(copies: int, least: int = 1) -> None:
    """Raises unless there are enough copies."""
    if copies < least:
        raise ValueError(
            f"copies is {copies}; accepted: {least} or more. Change it in the call, or in "
            "config/papers"
        )
