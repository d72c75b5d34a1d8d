"""Votes of a smoothed classifier on a line: exact probabilities, nothing is sampled."""

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import inf

from scipy.special import ndtr
from torch import Tensor, nn

from reactivate.documents.thesis.small_networks import column, linear_maps
from reactivate.smoothing.bases import Base

Distribution = Callable[[float], float]  # probability that the noise is below a number


def gaussian(step: float) -> float:
    """Distribution of standard normal noise."""
    return float(ndtr(step))


def in_ball(step: float) -> float:
    """Distribution of noise that is uniform between -1 and 1, the unit ball of a line."""
    return min(max((step + 1) / 2, 0.0), 1.0)


def vote_shares(base: Base, x: float, below: Distribution = gaussian) -> list[float]:
    """Probability of every class for noisy copies of a number, exact to rounding.

    Between the kinks of a network with one hidden layer scores are linear, so the class changes
    at kinks and where two of those lines meet, and nowhere else.

    Args:
        base: A classifier of numbers with one hidden layer, not random.
        x: The number.
        below: Distribution of the noise.

    Example:
        >>> from reactivate.documents.thesis.small_networks import dense
        >>> from reactivate.smoothing.bases import Plain
        >>> sign = dense(([[1.0], [-1.0]], [0.0, 0.0]), ([[1.0, -1.0], [0.0, 0.0]], [0.0, 0.0]))
        >>> [round(share, 4) for share in vote_shares(Plain(sign), 1.0)]
        [0.8413, 0.1587]
    """
    network = base.network
    assert isinstance(network, nn.Sequential)
    layer, _ = linear_maps(network)
    classify = base.around(column(x)[0])

    def scores(*points: float) -> Tensor:
        return classify(column(*points), lambda: column(*(0.0 for _ in points)))

    kinks = sorted((-layer.bias / layer.weight[:, 0]).tolist())
    cuts = {*kinks, *_meetings(kinks, scores)}
    pieces = list(pairwise([-inf, *sorted(cuts), inf]))
    winners = scores(*(sum(_inside(*piece)) / 2 for piece in pieces))
    shares = [0.0] * winners.shape[1]
    for (low, high), winner in zip(pieces, winners.argmax(dim=1).tolist(), strict=True):
        shares[winner] += below(high - x) - below(low - x)
    return shares


def _meetings(kinks: list[float], scores: Callable[..., Tensor]) -> Iterator[float]:
    """Points where the scores of two classes are equal between two neighbouring kinks."""
    for low, high in pairwise([-inf, *kinks, inf]):
        left, right = _inside(low, high)
        for a, b in combinations(scores(left, right).T.tolist(), 2):
            gap, later = a[0] - b[0], a[1] - b[1]
            if gap != later:
                meet = left - gap * (right - left) / (later - gap)
                if low < meet < high:
                    yield meet


def _inside(low: float, high: float) -> tuple[float, float]:
    """Two numbers between two others, of which one may be infinite."""
    if low == -inf:
        return high - 2, high - 1
    if high == inf:
        return low + 1, low + 2
    return low + (high - low) / 3, low + 2 * (high - low) / 3
