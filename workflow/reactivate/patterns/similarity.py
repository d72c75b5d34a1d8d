"""Pattern similarity of pairs of points and of sets, as matrix products over encoded patterns."""

from collections.abc import Sequence

import torch
from torch import Tensor

from reactivate.patterns.breakpoints import ABSTAIN

NEURONS, ROWS = 4096, 128  # per matrix product: the encoded block stays in cache
EXACT = 2**23  # neurons whose products float32 adds up without rounding


def pair_similarity(a: Tensor, b: Tensor) -> Tensor:
    """Share of neurons that have the same pattern for both points.

    A neuron that abstains has no pattern and agrees with nothing, not even with itself: the
    similarity of a point to itself is the share of its neurons that do not abstain.

    Reference:
        Jiang 2024, Definition 5, Eq. 5.3 (PhD thesis, Lancaster).

    Args:
        a: Codes ``(*, neurons)``: one point, or the first points of n pairs.
        b: Codes that broadcast with ``a``.

    Returns:
        float64 ``(*)``.

    Example:
        >>> a = torch.tensor([0, 1, 1, -1], dtype=torch.int8)
        >>> pair_similarity(a, torch.tensor([0, 0, 1, -1], dtype=torch.int8))
        tensor(0.5000, dtype=torch.float64)
    """
    return agreements(a, b).double() / _counted(a.shape[-1])


def agreements(a: Tensor, b: Tensor) -> Tensor:
    """Number of neurons that have the same pattern for both points, int64 ``(*)``."""
    return ((a == b) & (a != ABSTAIN)).sum(dim=-1)


def all_pairs(a: Tensor, b: Tensor | None = None) -> Tensor:
    """Similarity of every point of one set to every point of the other.

    Equals :func:`pair_similarity` bit for bit.

    Args:
        a: Codes ``(N, neurons)``.
        b: Codes ``(M, neurons)``; None for ``a`` itself.

    Returns:
        float64 ``(N, M)``.

    Example:
        >>> all_pairs(torch.tensor([[0, 1], [1, 1]], dtype=torch.int8))
        tensor([[1.0000, 0.5000],
                [0.5000, 1.0000]], dtype=torch.float64)
    """
    return count_agreements(a, b).double() / _counted(a.shape[-1])


def count_agreements(a: Tensor, b: Tensor | None = None) -> Tensor:
    """Number of agreeing neurons of every pair, ``(N, M)`` int64, by matrix products.

    Two patterns without abstentions are encoded as -1 and 1, whose products add up to agreements
    minus disagreements; otherwise each pattern has its own product of indicators. All sums are
    integers below 2^24, which float32 holds exactly in any order.

    Args:
        a: Codes ``(N, neurons)``.
        b: Codes ``(M, neurons)``; None for ``a`` itself, whose lower half is copied.
    """
    total = torch.zeros(len(a), len(a if b is None else b), dtype=torch.int64, device=a.device)
    for start in range(0, a.shape[1], EXACT):
        part = slice(start, start + EXACT)
        total += _exact_counts(a[:, part], None if b is None else b[:, part])
    if b is None:
        total = total.triu() + total.triu(1).mT
    return total


def _exact_counts(a: Tensor, b: Tensor | None) -> Tensor:
    """Agreements of few enough neurons; of a set with itself only the upper half is right."""
    shape = len(a), len(a if b is None else b)
    signed, indicated = (torch.zeros(shape, device=a.device) for _ in range(2))
    neurons = 0
    for start in range(0, a.shape[1], NEURONS):
        left = a[:, start : start + NEURONS]
        right = None if b is None else b[:, start : start + NEURONS]
        low, high = _range(left, right)
        if low >= 0 and high <= 1:
            _add_product(signed, _signs(left), None if right is None else _signs(right))
            neurons += left.shape[1]
            continue
        numbers = left.float(), None if right is None else right.float()
        for code in range(high + 1):
            one = torch.eq(numbers[0], code, out=torch.empty_like(numbers[0]))
            other = None if numbers[1] is None else (numbers[1] == code).float()
            _add_product(indicated, one, other)
    return (indicated + (signed + neurons) / 2).long()


def _signs(codes: Tensor) -> Tensor:
    """Codes 0 and 1 as -1 and 1."""
    return codes.float().mul_(2).sub_(1)


def _range(a: Tensor, b: Tensor | None) -> tuple[int, int]:
    """The lowest and the highest code of one or two sets."""
    bounds = [part.aminmax() for part in (a, b) if part is not None and part.numel()]
    lows, highs = [int(bound.min) for bound in bounds], [int(bound.max) for bound in bounds]
    return min(lows, default=0), max(highs, default=0)


def _add_product(total: Tensor, a: Tensor, b: Tensor | None) -> None:
    """Adds ``a @ b.T`` to a total, or the upper half of ``a @ a.T``."""
    if b is not None:
        total.addmm_(a, b.mT)
        return
    for start in range(0, len(a), ROWS):
        rows = a[start : start + ROWS]
        total[start : start + ROWS, start:].addmm_(rows, a[start:].mT)


def set_similarities(codes: Tensor) -> Tensor:
    """Similarities of all pairs of different points of a set, ``(N (N - 1) / 2)``.

    Two draws from a set of one point are that point twice: its set has this one pair.

    Args:
        codes: ``(N, neurons)``.
    """
    matrix = all_pairs(codes)
    if len(matrix) == 1:
        return matrix.flatten()
    return matrix[torch.ones_like(matrix, dtype=torch.bool).triu(1)]


def expectation(codes: Tensor) -> float:
    """Expected similarity of two points of a set: the mean of :func:`set_similarities`.

    ``c`` of N points that share a neuron's pattern are ``c (c - 1) / 2`` agreeing pairs, so the
    pairs themselves are not needed.

    Reference:
        Jiang 2024, Eq. 5.4 and 5.23 (PhD thesis, Lancaster).

    Args:
        codes: ``(N, neurons)``.

    Example:
        >>> expectation(torch.tensor([[0, 1], [1, 1]], dtype=torch.int8))
        0.5
    """
    numbers = codes.float()
    patterns = 1 + max(0, int(codes.max())) if codes.numel() else 1
    counts = torch.stack([(numbers == code).sum(dim=0) for code in range(patterns)])
    return expectation_from_counts(counts, len(codes))


def expectation_from_counts(counts: Tensor, points: int) -> float:
    """:func:`expectation` of a set whose patterns were counted and not kept.

    Args:
        counts: Points with each pattern, ``(patterns, *neurons)``; see
            :class:`reactivate.patterns.entropy.PatternCounts`.
        points: Points of the set, abstentions included.
    """
    neurons = _counted(counts[0].numel())
    if points < 1:
        raise ValueError(
            f"the set has {points} points and no pairs; accepted: at least one point. "
            "Pass the patterns of some points"
        )
    if points == 1:
        return int(counts.sum()) / neurons
    agreeing = int((counts * (counts - 1)).sum())
    return agreeing / (points * (points - 1) * neurons)


def distribution(similarities: Tensor, thresholds: Tensor | Sequence[float]) -> Tensor:
    """Share of pairs whose similarity is larger than each threshold, lambda.

    Reference:
        Jiang 2024, Eq. 5.5 (PhD thesis, Lancaster).

    Args:
        similarities: Similarities of pairs, any shape; the shares of no pairs are NaN.
        thresholds: ``(L)``; a float32 threshold of 0.7 is a little below 7/10.

    Returns:
        float64 ``(L)``.

    Example:
        >>> distribution(torch.tensor([0.25, 0.5]), [0.0, 0.25, 0.5])
        tensor([1.0000, 0.5000, 0.0000], dtype=torch.float64)
    """
    ordered = similarities.flatten().double().sort().values
    limits = torch.as_tensor(thresholds, dtype=torch.float64, device=ordered.device)
    larger = len(ordered) - torch.searchsorted(ordered, limits, right=True)
    return larger.double() / len(ordered)


def _counted(neurons: int) -> int:
    """The number of neurons, if it is not 0."""
    if neurons == 0:
        raise ValueError(
            "the patterns have 0 neurons and no similarity; accepted: at least one neuron. "
            "Pass codes of shape (points, neurons)"
        )
    return neurons
