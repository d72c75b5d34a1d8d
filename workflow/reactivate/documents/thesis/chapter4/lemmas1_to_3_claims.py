"""Thesis, section 4.2: how activation regions fill the input space (Lemmas 1 to 3)."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.small_networks import codes, dense, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.breakpoints import ABSTAIN
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.regions import same_region

# two neurons (x, y) and one above them, 10 (tanh x + tanh y + 0.39) + 1
BENT = dense(
    ([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]),
    ([[10.0, 10.0]], [4.9]),
    ([[1.0]], [0.0]),
    activation=nn.Tanh,
)
BENT_BREAKPOINTS = (-1.0, 1.0)
BENT_ENDS = ((-0.99, 0.5), (0.5, -0.99))
NETWORKS = 20


def lemma2() -> Judgement:
    """Lemma 2: an input is almost surely on no bent hyperplane.

    Section 4.1 excludes a null set of parameters; networks are drawn from a density, biases
    included. Then for every x a bias hits the value that ties with probability 0.
    """
    stream = generator("thesis", "lemma 2, generic")
    tied = values = 0
    for _ in range(NETWORKS):
        patterns = codes(random_dense((4, 16, 16, 16, 2), stream), normal((500, 4), stream))
        tied += int((patterns == ABSTAIN).sum())
        values += patterns.numel()
    return sampled(
        tied == 0,
        f"{tied} ties in {values:,} values of {NETWORKS} random ReLU networks whose parameters "
        "have a density, outside a null set as section 4.1 assumes",
        cases=values,
    )


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
    pairs, left = leaving(BENT, BENT_BREAKPOINTS, ends[:1], ends[1:])
    return sampled(
        pairs == 1 and left == 0,
        f"tanh, breakpoints -1, 1, z(2) = 10 (tanh x + tanh y + 0.39) + 1: {BENT_ENDS[0]} and "
        f"{BENT_ENDS[1]} have the pattern {same}, their midpoint {other}; all inequalities are "
        "strict, so that all weights nearby do the same",
        cases=1,
    )


def linear_regions() -> str:
    """Section 4.2.4: what is known of piecewise-linear networks, in random ones (kink at 0)."""
    stream = generator("thesis", "lemma 3")
    pairs = wrong = 0
    for _ in range(NETWORKS):
        network = random_dense((2, 8, 8, 1), stream)
        points = torch.rand(60, 2, generator=stream, dtype=torch.float64) * 2 - 1
        first, second = torch.combinations(torch.arange(60)).unbind(dim=1)
        same, left = leaving(network, (0.0,), points[first], points[second])
        pairs, wrong = pairs + same, wrong + left
    return (
        f"of {pairs} pairs with the same pattern in {NETWORKS} random ReLU networks {wrong} leave "
        "it in between (7 points each)"
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
    return sampled(
        again == 0,
        f"{NETWORKS} segments in random ReLU networks of 2 x 16 neurons pass {regions} regions, "
        f"{again} of them again",
        cases=NETWORKS,
    )
