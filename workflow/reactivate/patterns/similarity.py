"""Pattern similarity of pairs of points and of sets, whose patterns are packed into bits."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from reactivate.patterns.breakpoints import ABSTAIN
from reactivate.patterns.packed import count_common, count_different, pack


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
    """Number of agreeing neurons of every pair, ``(N, M)`` int64, by operations on packed bits.

    Two patterns without abstentions are a bit each: those that differ are counted. Otherwise each
    pattern has a bit that tells who has it, and common ones are counted.

    Args:
        a: Codes ``(N, neurons)``.
        b: Codes ``(M, neurons)``; None for ``a`` itself.
    """
    given = [codes for codes in (a, b) if codes is not None]
    lowest, highest = _range(given)
    sets = [codes.cpu().numpy() for codes in given]
    if lowest >= 0 and highest <= 1:
        counts = a.shape[1] - count_different(*(pack(codes) for codes in sets))
    else:
        patterns = range(highest + 1)
        indicated = [np.hstack([pack(codes == code) for code in patterns]) for codes in sets]
        counts = count_common(*indicated)
    return torch.from_numpy(counts).to(a.device)


def _range(sets: Sequence[Tensor]) -> tuple[int, int]:
    """The lowest and the highest code of some sets, and 0."""
    bounds = [codes.aminmax() for codes in sets if codes.numel()]
    return min([0, *(int(b.min) for b in bounds)]), max([0, *(int(b.max) for b in bounds)])


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
