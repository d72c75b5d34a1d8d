"""SmoothAdv: adversarial training of the smoothed classifier."""

from dataclasses import dataclass

from torch import Generator, Tensor, nn

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


def warmed(epoch: float, epochs: int) -> float:
    """Share of the full strength after whole epochs: ``min(1, (epoch + 1) / epochs)``.

    Example:
        >>> [warmed(epoch, 4) for epoch in (0, 0.9, 1, 5)]
        [0.25, 0.25, 0.5, 1.0]
    """
    return min(1.0, (int(epoch) + 1) / epochs)


@dataclass(frozen=True)
class SmoothAdvTraining:
    """Cross-entropy of ``x' + noise`` for all copies, where x' attacks the smoothed classifier.

    The attack climbs ``-log mean_i softmax(f(x' + noise_i))[y]`` in T steps of length
    ``2 epsilon / T`` inside the l2 ball; its radius grows over the first epochs.

    Reference:
        Salman et al. 2019, sections 2.3 and 3 (arXiv:1906.04584); the authors' code:
        Hadisalman/smoothing-adversarial cff781d.

    Departs from the paper:
        The original code splits a batch into as many parts as there are copies and makes a step
        for each; a recipe with that part as its batch does the same. An image whose gradient is 0
        stays; there it moves at random.

    Args:
        sigma: Deviation of the noise, for pixels from 0 to 1.
        epsilon: Radius of the l2 ball, for pixels from 0 to 1.
        steps: Number of steps, T.
        copies: Noisy copies of each image, m.
        warm_up: Epochs until the radius is whole.
    """

    sigma: float
    epsilon: float
    steps: int
    copies: int
    warm_up: int

    def __post_init__(self) -> None:
        check_all_positive(self, "sigma", "epsilon", "steps", "warm_up")
        check_copies(self.copies)

    def __call__(
        self, network: nn.Module, x: Tensor, y: Tensor, random: Generator, epoch: float
    ) -> Outcome:
        check_images(x)
        noises = gaussian(x, self.sigma, random, self.copies)
        radius = self.epsilon * warmed(epoch, self.warm_up)
        step = 2 * radius / self.steps
        changed = smoothed_ascent(network, x, y, noises, step, self.steps, radius)
        scores = scores_of_copies(network, changed, noises)
        return Outcome(mean_cross_entropy(scores, y), logarithm(mean_probabilities(scores)))
