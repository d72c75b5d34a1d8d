"""SmoothMix: mixes of an image and one that the smoothed classifier is wrong about."""

from dataclasses import dataclass
from math import inf

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from reactivate.attacks.ascent import check_all_positive, check_images
from reactivate.defences.copies import (
    check_copies,
    logarithm,
    mean_cross_entropy,
    mean_probabilities,
    scores_of_copies,
    smoothed_ascent,
)
from reactivate.defences.defence import Outcome
from reactivate.defences.noise import gaussian
from reactivate.defences.smoothadv import warmed
from reactivate.layers.portions import draw


@dataclass(frozen=True)
class SmoothMixTraining:
    """Cross-entropy of noisy copies, and a divergence that calibrates them between two images.

    ``x'`` climbs the loss of the smoothed classifier in T steps of length alpha, in no ball.
    ``x_mix = (1 - l) x + l x'`` with ``l ~ U(0, 1/2)`` shall have the probabilities
    ``(1 - l) p(x) + l / classes``: ``eta * warm_up * 1[p(x) is right] * KL(wanted, p(x_mix))``
    is added, averaged over the copies. Gradients also reach ``p(x)``, as in the original code.

    Reference:
        Jeong et al. 2021, Algorithm 1 (arXiv:2111.09277); the authors' code: jh-jeong/smoothmix
        cb1fd33.

    Departs from the paper:
        Steps and batches are as in :class:`reactivate.defences.smoothadv.SmoothAdvTraining`. The
        one-step adversary in place of x is left out.

    Args:
        sigma: Deviation of the noise, for pixels from 0 to 1.
        step: Length of a step, alpha.
        steps: Number of steps, T.
        copies: Noisy copies of each image, m.
        eta: Weight of the divergence.
        warm_up: Epochs until that weight is whole.
    """

    sigma: float
    step: float
    steps: int
    copies: int
    eta: float
    warm_up: int

    def __post_init__(self) -> None:
        check_all_positive(self, "sigma", "step", "steps", "eta", "warm_up")
        check_copies(self.copies)

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        check_images(x)
        noises = gaussian(x, self.sigma, random, self.copies)
        shares = draw("rand", (len(y),), random).to(x) / 2
        attacked = smoothed_ascent(network, x, y, noises, self.step, self.steps, inf)
        scores = scores_of_copies(network, x, noises)
        mean = mean_probabilities(scores)
        wanted = _mixed(mean, torch.full_like(mean, 1 / mean.shape[1]), shares)
        mixed = scores_of_copies(network, _mixed(x, attacked, shares), noises).log_softmax(2)
        divergence = (
            functional.kl_div(mixed, wanted.expand_as(mixed), reduction="none").sum(2).mean(0)
        )
        right = (mean.argmax(1) == y).to(divergence)
        weight = self.eta * warmed(epoch, self.warm_up)
        loss = mean_cross_entropy(scores, y) + weight * (right * divergence).sum()
        return Outcome(loss, logarithm(mean))


def _mixed(first: Tensor, second: Tensor, shares: Tensor) -> Tensor:
    """Rows mixed from two: a share of each from the second, the rest from the first."""
    return torch.lerp(first, second, shares.reshape(-1, *[1] * (first.dim() - 1)))
