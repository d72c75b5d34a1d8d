"""Consistency regularisation: noisy copies of an image shall be classified alike."""

from dataclasses import dataclass

from torch import Generator, Tensor, nn
from torch.nn import functional

from reactivate.attacks.ascent import check_all_positive, check_images
from reactivate.defences.copies import (
    check_copies,
    logarithm,
    mean_cross_entropy,
    mean_probabilities,
    scores_of_copies,
)
from reactivate.defences.defence import Outcome
from reactivate.defences.noise import gaussian


@dataclass(frozen=True)
class ConsistencyTraining:
    """The loss ``cross-entropy + lambda * mean_i KL(p, p_i) + eta * entropy(p)``.

    ``p_i`` are the probabilities of a noisy copy, p is their mean.

    Reference:
        Jeong & Shin 2020, Eq. 10 (arXiv:2006.04062); the authors' code:
        jh-jeong/smoothing-consistency a11954a.

    Args:
        sigma: Deviation of the noise, for pixels from 0 to 1.
        weight: Weight of the divergence, lambda.
        entropy: Weight of the entropy, eta.
        copies: Noisy copies of each image, m; at least 2.
    """

    sigma: float
    weight: float
    entropy: float = 0.5
    copies: int = 2

    def __post_init__(self) -> None:
        check_all_positive(self, "sigma", "weight", "entropy")
        check_copies(self.copies, least=2)

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        check_images(x)
        scores = scores_of_copies(network, x, gaussian(x, self.sigma, random, self.copies))
        mean = mean_probabilities(scores)
        each = scores.log_softmax(2)
        divergence = functional.kl_div(each, mean.expand_as(each), reduction="sum") / self.copies
        entropy = -(mean * logarithm(mean)).sum()
        loss = mean_cross_entropy(scores, y) + self.weight * divergence + self.entropy * entropy
        return Outcome(loss, logarithm(mean))
