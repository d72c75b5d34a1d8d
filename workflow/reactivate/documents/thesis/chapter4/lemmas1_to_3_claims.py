"""Thesis, section 4.2: how activation regions fill the input space (Lemmas 1 to 3)."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from math import inf

import torch
from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.small_networks import (
    codes,
    column,
    dense,
    hidden,
    normal,
    random_dense,
)
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.breakpoints import ABSTAIN
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.regions import same_region

LINE = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]))  # one neuron, z = x
PRINTED_JOIN: Callable[[Iterable[bool]], bool] = all  # the intersections of Eq. 4.13
# z2 = relu(x): on its breakpoint wherever x is negative
UNBIASED = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]), ([[1.0]], [0.0]))
# two neurons (x, y) and one above them, 10 (tanh x + tanh y + 0.39) + 1
BENT = dense(
    ([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]),
    ([[10.0, 10.0]], [4.9]),
    ([[1.0]], [0.0]),
    activation=nn.Tanh,
)
BENT_BREAKPOINTS = (-1.0, 1.0)
BENT_ENDS = ((-0.99, 0.5), (0.5, -0.99))
# neurons x, -x and 4 |x|: a ring around 0 where the breakpoint is not the kink
RING = dense(([[1.0], [-1.0]], [0.0, 0.0]), ([[4.0, 4.0]], [0.0]), ([[1.0]], [0.0]))
NETWORKS = 20


def memberships(
    values: Sequence[float], breakpoints: Sequence[float]
) -> tuple[list[bool], list[bool]]:
    """Regions and hyperplanes that a point is in, by Eq. 4.7 and 4.11.

    Args:
        values: Pre-activations of one point.
        breakpoints: In increasing order.

    Returns:
        One flag per pattern, and one per neuron and breakpoint.
    """
    edges = [-inf, *breakpoints, inf]
    inside = [[low < value < high for value in values] for low, high in pairwise(edges)]
    every = product(range(len(edges) - 1), repeat=len(values))
    regions = [all(inside[k][j] for j, k in enumerate(pattern)) for pattern in every]
    return regions, [value == point for value in values for point in breakpoints]


def lemma1_as_printed() -> Judgement:
    """Eq. 4.13: the intersection of all regions and that of all hyperplanes make up the space."""
    points = (-1.0, 0.0, 1.0)
    values = hidden(LINE, column(*points))
    parts = [memberships(value, (0.0,)) for value in values.tolist()]
    covered = [x for x, p in zip(points, parts, strict=True) if any(map(PRINTED_JOIN, p))]
    return judge(
        len(covered) == len(points),
        f"one neuron z = x, breakpoint 0: of the points -1, 0, 1 the printed set holds only "
        f"{', '.join(f'{x:g}' for x in covered)}; unions are meant, as the proof says in words",
    )


def lemma1_in_words() -> Judgement:
    """Lemma 1 as its proof says it: a point is in one region, or on a hyperplane."""
    stream = generator("thesis", "lemma 1")
    draws = 500
    values = torch.randn(draws, 3, generator=stream, dtype=torch.float64)
    tied = values.round(decimals=0)  # many of these are breakpoints
    parts = [memberships(value, (-1.0, 1.0)) for value in torch.cat([values, tied]).tolist()]
    wrong = sum(sum(r) != 1 - any(h) for r, h in parts)
    on = sum(any(h) for _, h in parts)
    return judge(
        wrong == 0,
        f"all {2 * draws} draws of 3 neurons with 3 patterns: {2 * draws - on} in exactly one of "
        f"the 27 regions, {on} on a hyperplane and in none",
    )


def lemma2() -> Judgement:
    """Lemma 2: without atoms in the data no point is on a bent hyperplane, almost surely."""
    stream = generator("thesis", "lemma 2")
    x = normal((10_000, 1), stream)
    share = (codes(UNBIASED, x) == ABSTAIN).any(dim=1).double().mean().item()
    return judge(
        share == 0,
        f"z(2) = relu(x) without bias, x standard normal: z(2) is exactly 0 for {share:.3f} of "
        "10000 draws, as it is wherever the neuron before it is off; biases of 0 are enough",
    )


def lemma2_generic() -> Judgement:
    """Lemma 2 for parameters that are drawn from a density, biases included."""
    stream = generator("thesis", "lemma 2, generic")
    tied = 0
    for _ in range(NETWORKS):
        network = random_dense((4, 16, 16, 16, 2), stream)
        x = normal((500, 4), stream)
        tied += int((codes(network, x) == ABSTAIN).sum())
    return judge(tied == 0, f"{tied} ties of {NETWORKS} random networks x 500 points x 48 neurons")


def leaving(
    network: nn.Sequential, breakpoints: Sequence[float], starts: Tensor, ends: Tensor
) -> tuple[int, int]:
    """Pairs with the same pattern, and how many of them have another one in between.

    Looks at the midpoint and six more points of every segment.
    """
    first = codes(network, starts, breakpoints)
    same = same_region(first, codes(network, ends, breakpoints))
    left = torch.zeros_like(same)
    for share in torch.linspace(0, 1, 9)[1:-1].tolist():
        between = codes(network, torch.lerp(starts, ends, share), breakpoints)
        left |= same & ~same_region(between, first)
    return int(same.sum()), int(left.sum())


def lemma3() -> Judgement:
    """Lemma 3: with a monotonic activation every region is convex."""
    ends = torch.tensor(BENT_ENDS, dtype=torch.float64)
    points = torch.stack([ends[0], ends.mean(dim=0)])
    same, other = (tuple(p) for p in codes(BENT, points, BENT_BREAKPOINTS).tolist())
    ring, hole = (tuple(p) for p in codes(RING, column(0.5, 0.0), (1.0,)).tolist())
    pairs, left = leaving(BENT, BENT_BREAKPOINTS, ends[:1], ends[1:])
    return judge(
        pairs == 1 and left == 0,
        f"tanh, breakpoints -1, 1, z(2) = 10 (tanh x + tanh y + 0.39) + 1: {BENT_ENDS[0]} and "
        f"{BENT_ENDS[1]} have the pattern {same}, their midpoint {other}; ReLU with the "
        f"breakpoint 1, neurons x, -x, 4|x|: -0.5 and 0.5 have {ring}, 0 has {hole}",
    )


def lemma3_relu() -> Judgement:
    """Section 4.2.4: linear regions of piecewise-linear networks are convex (ReLU, kink at 0)."""
    stream = generator("thesis", "lemma 3")
    pairs = wrong = 0
    for _ in range(NETWORKS):
        network = random_dense((2, 8, 8, 1), stream)
        points = torch.rand(60, 2, generator=stream, dtype=torch.float64) * 2 - 1
        first, second = torch.combinations(torch.arange(60)).unbind(dim=1)
        same, left = leaving(network, (0.0,), points[first], points[second])
        pairs, wrong = pairs + same, wrong + left
    return judge(
        wrong == 0,
        f"{pairs} pairs with the same pattern in {NETWORKS} random ReLU networks: {wrong} leave "
        "it in between (7 points each)",
    )


def line_visits_once() -> Judgement:
    """Section 4.2.5: a straight line crosses each region once, if regions are convex (ReLU)."""
    stream = generator("thesis", "line")
    regions = again = 0
    for _ in range(NETWORKS):
        network = random_dense((4, 16, 16, 1), stream)
        ends = normal((2, 4), stream)
        places = [0.0, *SegmentWalk(network).crossings(*ends).t.tolist(), 1.0]
        middles = torch.tensor([(a + b) / 2 for a, b in pairwise(places)], dtype=torch.float64)
        patterns = codes(network, torch.lerp(ends[0], ends[1], middles.unsqueeze(1)))
        regions += len(patterns)
        again += len(patterns) - len(torch.unique(patterns, dim=0))
    return judge(
        again == 0,
        f"{NETWORKS} segments in random ReLU networks of 2 x 16 neurons pass {regions} regions, "
        f"{again} of them again",
    )
