"""The class of one image under a smoothed classifier, without a radius."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from scipy.special import bdtrc
from torch import Tensor

from reactivate.smoothing.bases import Base
from reactivate.smoothing.bounds import check_alpha
from reactivate.smoothing.sampling import (
    ABSTAIN,
    BATCH,
    Sampling,
    check_image,
    count_votes,
    show_counts,
)


@dataclass(frozen=True)
class Prediction:
    """The predicted class of one image: a row of a table.

    Attributes:
        idx: Number of the image.
        predict: Class of the smoothed classifier; -1 where it abstains.
        counts: Votes, ``class:votes``.
        seconds: Wall time.
    """

    idx: int
    predict: int
    counts: str
    seconds: float


def top_class(counts: Sequence[int], alpha: float) -> int:
    """The class with most votes; -1 if the second could be as likely.

    A class that is returned is the most likely one with probability at least 1 - alpha: a
    two-sided binomial test of the votes of the first two.

    Reference:
        ``Predict`` of Cohen et al. 2019, section 3.1 (arXiv:1902.02918); Jiang 2024, Algorithm 3,
        lines 13 to 16 (PhD thesis, Lancaster).

    Example:
        >>> top_class([3, 80, 17], alpha=0.001), top_class([0, 55, 45], alpha=0.001)
        (1, -1)
    """
    check_alpha(alpha)
    first, second = sorted(range(len(counts)), key=lambda label: -counts[label])[:2]
    # as many votes or more for one of two classes that are equally likely
    one_sided = bdtrc(counts[first] - 1, counts[first] + counts[second], 0.5)
    return first if 2 * one_sided <= alpha else ABSTAIN


def predict_image(
    base: Base,
    x: Tensor,
    idx: int,
    sampling: Sampling,
    key: Sequence[object] = (),
    batch: int = BATCH,
) -> Prediction:
    """The class that n samples agree on; see :func:`top_class`.

    Args:
        base: The classifier that is smoothed.
        x: Image from 0 to 1, ``(C, H, W)``.
        idx: Number of the image; its noise depends on it and on the key only.
        sampling: Noise, number of samples n, and alpha; n0 is not used.
        key: Name of what the noise is for.
        batch: Most samples per forward pass.

    Raises:
        ValueError: The image is not from 0 to 1.
    """
    start = perf_counter()
    check_image(x, idx)
    counts = count_votes(base, x, sampling.sigma, sampling.n, [*key, idx, "predict"], batch)
    predict = top_class(counts, sampling.alpha)
    return Prediction(idx, predict, show_counts(counts), perf_counter() - start)
