"""Certification of one image under a smoothed classifier."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import torch
from torch import Tensor

from reactivate.foundation.device import sent
from reactivate.smoothing.bases import Base
from reactivate.smoothing.bounds import certified_radius, lower_bound
from reactivate.smoothing.sampling import (
    ABSTAIN,
    BATCH,
    Sampling,
    check_image,
    count_votes,
    show_counts,
    sum_votes,
)


@dataclass(frozen=True)
class Certificate:
    """The certificate of one image: a row of a table.

    Attributes:
        idx: Number of the image.
        label: Class of the image.
        predict: Class of the smoothed classifier; -1 where it abstains.
        radius: No input within this distance (l2, in pixels from 0 to 1) has another class.
        correct: Whether the predicted class is the label.
        counts: Votes of the samples, ``class:votes``; empty where they were not drawn.
        seconds: Wall time.
    """

    idx: int
    label: int
    predict: int
    radius: float
    correct: bool
    counts: str
    seconds: float


def certify_image(
    base: Base,
    x: Tensor,
    label: int,
    idx: int,
    sampling: Sampling,
    key: Sequence[object] = (),
    batch: int = BATCH,
    skip_wrong: bool = False,
) -> Certificate:
    """Chooses a class by n0 samples, and bounds its probability by n others.

    With probability at least 1 - alpha over the samples the smoothed classifier returns the
    predicted class for every input within the radius, provided that the base classifier is one
    function of the noisy input, deterministic or random; two variants of
    :class:`reactivate.smoothing.bases.Repressed` are not.

    Reference:
        ``Certify`` of Cohen et al. 2019, section 3.2 (arXiv:1902.02918).

    Args:
        base: The classifier that is smoothed.
        x: Image from 0 to 1, ``(C, H, W)``; one that is not where the network is, is sent there.
        label: Class of the image.
        idx: Number of the image; its noise depends on it and on the key only.
        sampling: Noise, numbers of samples, and alpha.
        key: Name of what the noise is for.
        batch: Most samples per forward pass; changes no row but for rounding in the network.
            Votes stay on the device until all n are drawn; with ``skip_wrong`` those of the n0
            are looked at before.
        skip_wrong: Leave out the n samples where the n0 chose another class than the label. Such
            an image counts for nothing in certified accuracy and average radius either way.

    Raises:
        ValueError: The image is not from 0 to 1.

    Example:
        >>> import torch
        >>> from reactivate.smoothing.bases import Plain
        >>> base, sampling = Plain(torch.nn.Flatten()), Sampling(sigma=0.5, n=1000)
        >>> row = certify_image(base, torch.tensor([0.0, 1.0]), 1, idx=0, sampling=sampling)
        >>> row.predict, row.radius, row.counts
        (1, 0.642033, '0:71 1:929')
    """
    start = perf_counter()
    check_image(x, idx)
    x = sent(x, next((weight.device for weight in base.network.parameters()), x.device))
    chosen, counts = _sample(base, x, label, sampling, [*key, idx], batch, skip_wrong)
    predict, radius = chosen, 0.0
    if counts:
        bound = lower_bound(counts[chosen], sampling.n, sampling.alpha)
        if bound < 0.5:
            predict = ABSTAIN
        else:
            radius = certified_radius(sampling.sigma, bound)
    shown, seconds = show_counts(counts), perf_counter() - start
    return Certificate(idx, label, predict, radius, predict == label, shown, seconds)


def choose_class(
    base: Base, x: Tensor, sampling: Sampling, key: Sequence[object], batch: int = BATCH
) -> int:
    """The class most of n0 samples chose; the first of equals."""
    return _most(count_votes(base, x, sampling.sigma, sampling.n0, [*key, "choose"], batch))


def _most(counts: list[int]) -> int:
    """The class with most votes; the first of equals."""
    return counts.index(max(counts))


def _sample(
    base: Base,
    x: Tensor,
    label: int,
    sampling: Sampling,
    key: Sequence[object],
    batch: int,
    skip_wrong: bool,
) -> tuple[int, list[int]]:
    """The class that n0 samples chose, and the votes of n others; none where they are skipped."""
    if skip_wrong:
        chosen = choose_class(base, x, sampling, key, batch)
        if chosen != label:
            return chosen, []
        return chosen, count_votes(base, x, sampling.sigma, sampling.n, [*key, "bound"], batch)
    both = [
        sum_votes(base, x, sampling.sigma, draws, [*key, purpose], batch)
        for purpose, draws in (("choose", sampling.n0), ("bound", sampling.n))
    ]
    choosing, bounding = torch.stack(both).tolist()  # one copy to the host
    return _most(choosing), bounding
