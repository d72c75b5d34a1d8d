"""Sampling of a smoothed classifier, and the votes of its samples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from reactivate.patterns.preactivations import evaluating
from reactivate.smoothing.bases import Base
from reactivate.smoothing.bounds import check_alpha, check_sigma
from reactivate.smoothing.noise import normal_batches

ABSTAIN = -1  # in the place of a class
BATCH = 100  # samples per forward pass on a CPU
LARGE_BATCH = 1000  # elsewhere, where that many fit


@dataclass(frozen=True)
class Sampling:
    """Settings by which a smoothed classifier is sampled.

    Reference:
        Cohen et al. 2019, section 3.2 (arXiv:1902.02918), who take n = 100 000; Jiang 2024,
        section 6.5.2 (PhD thesis, Lancaster), takes n = 10 000.

    Attributes:
        sigma: Standard deviation of the noise, for pixels from 0 to 1.
        n0: Samples that choose the class.
        n: Samples that bound its probability.
        alpha: Probability of a wrong answer, one for each image.

    Example:
        >>> Sampling(sigma=0.25, n0=200, n=100)
        Traceback (most recent call last):
        ValueError: n0 is 200 with n 100; accepted: 1 to n samples that choose the class. Change
        n0 or n of the certification
    """

    sigma: float
    n0: int = 100
    n: int = 10_000
    alpha: float = 0.001

    def __post_init__(self) -> None:
        check_sigma(self.sigma)
        check_alpha(self.alpha)
        if not 1 <= self.n0 <= self.n:
            raise ValueError(
                f"n0 is {self.n0} with n {self.n}; accepted: 1 to n samples that choose the "
                "class. Change n0 or n of the certification"
            )


def votes(
    base: Base, x: Tensor, sigma: float, draws: int, key: Sequence[object], batch: int = BATCH
) -> Iterator[Tensor]:
    """Votes of noisy copies of one input, batch by batch: how many chose each class.

    Noise is added to the input as it is and nothing is clamped: the certificate speaks of
    Gaussian noise. The network standardises afterwards, if at all.

    Args:
        base: The classifier that is smoothed; evaluated while this runs.
        x: One input, without a batch dimension.
        sigma: Standard deviation of the noise.
        draws: Number of noisy copies.
        key: Name of what the noise is for; the same key gives the same noise.
        batch: Most copies per forward pass.

    Returns:
        Counts of every class, ``(classes)``, on the device of x.
    """
    fresh = (
        noise.mul_(sigma) for noise in normal_batches(x, draws, [*key, "fresh"], batch)
    )  # drawn only where the base asks for it
    with evaluating(base.network):
        classify = base.around(x)
        for noise in normal_batches(x, draws, [*key, "noise"], batch):
            scores = classify(noise.mul_(sigma).add_(x), partial(next, fresh))
            # not bincount: it reads its largest number, for which a GPU has to be waited for
            classes = torch.arange(scores.shape[1], device=scores.device)
            yield (scores.argmax(dim=1, keepdim=True) == classes).sum(dim=0)


def sum_votes(
    base: Base, x: Tensor, sigma: float, draws: int, key: Sequence[object], batch: int = BATCH
) -> Tensor:
    """Votes of all noisy copies of one input, ``(classes)``, where x is; see :func:`votes`."""
    return torch.stack(list(votes(base, x, sigma, draws, key, batch))).sum(dim=0)


def count_votes(
    base: Base, x: Tensor, sigma: float, draws: int, key: Sequence[object], batch: int = BATCH
) -> list[int]:
    """Number of noisy copies of one input that chose each class; see :func:`votes`."""
    return [int(count) for count in sum_votes(base, x, sigma, draws, key, batch).tolist()]


def fitting_batch(base: Base, x: Tensor, most: int = LARGE_BATCH) -> int:
    """Largest number of noisy copies that memory has room for: ``most``, or that halved often.

    One batch is classified to find out. It is not searched below :data:`BATCH`.

    Args:
        base: The classifier that is smoothed.
        x: One input, on the device in question.
        most: Number that is tried first.

    Raises:
        torch.OutOfMemoryError: Not even :data:`BATCH` copies fit.
    """
    while True:
        copies = x.expand(most, *x.shape)
        try:
            with evaluating(base.network):
                base.around(x)(copies.clone(), copies.clone)
        except torch.OutOfMemoryError:
            if most <= BATCH:
                raise
            most = max(BATCH, most // 2)
        else:
            return most


def show_counts(counts: Sequence[int]) -> str:
    """Text of the classes that got votes, and how many.

    Example:
        >>> show_counts([0, 0, 912, 88])
        '2:912 3:88'
    """
    return " ".join(f"{label}:{count}" for label, count in enumerate(counts) if count)


def read_counts(text: str) -> Mapping[int, int]:
    """Votes of each class, from the text that :func:`show_counts` writes.

    Example:
        >>> read_counts("2:912 3:88")
        {2: 912, 3: 88}
    """
    pairs = (pair.split(":") for pair in text.split())
    return {int(label): int(count) for label, count in pairs}


def check_image(x: Tensor, idx: int) -> None:
    """Raises unless an image has values from 0 to 1, as one that was not standardised has.

    Example:
        >>> check_image(torch.tensor([-1.5, 0.5]), idx=3)
        Traceback (most recent call last):
        ValueError: image 3 has values from -1.5 to 0.5; accepted: 0 to 1, as sigma and radii are
        in units of pixels. Standardise inside the network, after the noise
    """
    low, high = torch.stack(x.aminmax()).tolist()
    if not (low >= 0 and high <= 1):
        raise ValueError(
            f"image {idx} has values from {low:g} to {high:g}; accepted: 0 to 1, as sigma and "
            "radii are in units of pixels. Standardise inside the network, after the noise"
        )
