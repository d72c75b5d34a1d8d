"""Thesis, section 5.1.3: distances of predictions and transitions (Theorem 4, Eq. 5.12)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.examples import QUADRANTS
from reactivate.documents.thesis.generic import mixture, nearby
from reactivate.documents.thesis.planar_regions import circle, rectangle, regions
from reactivate.documents.thesis.segments import ratios
from reactivate.documents.thesis.small_networks import codes, dense, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.lipschitz import local_lipschitz

ROUNDING = 1e-9
# a = x and b = 0.8 x + 0.6 y, f = 2 relu(b) - relu(a)
SLANTED = dense(([[1.0, 0.0], [0.8, 0.6]], [0.0, 0.0]), ([[-1.0, 2.0]], [0.0]))
SLANTED_ENDS = ((-1.0, -1.0), (2.0, -1.0))
SIZES = (4, 12, 12, 3)
SEGMENTS = 40
# X_1 and X_2 of Theorem 4: centres of normal clouds, in the input space of QUADRANTS
ALIKE, DIFFERENT = ((3.0, 3.0), (4.0, 3.0)), ((-3.0, -3.0), (-3.0, 1.0))
DEVIATION = 0.1
PAIRS = 1000
NETWORKS = 5
PLANE = rectangle(-1e4, 1e4)
# Points around an input, at which the supremum over the input space is looked for
AROUND = torch.cat([length * circle(360) for length in torch.logspace(-2, 4, 25).tolist()])
CENTRES = 100


def union_constant() -> str:
    """Eq. 5.12 for the whole incomplete region, and for the regions that a segment crosses."""
    ends = torch.tensor(SLANTED_ENDS, dtype=torch.float64)
    places = torch.linspace(0, 1, 101, dtype=torch.float64).unsqueeze(1)
    crossed = {tuple(p) for p in codes(SLANTED, torch.lerp(ends[0], ends[1], places)).tolist()}
    steep = {r.pattern: r.steepness for r in regions(SLANTED, rectangle(-4.0, 4.0))}
    own = max(value for pattern, value in steep.items() if pattern in crossed)
    other = max(steep, key=lambda pattern: steep[pattern])
    return (
        "2 relu(0.8 x + 0.6 y) - relu(x): both neurons float on the segment from "
        f"{SLANTED_ENDS[0]} to {SLANTED_ENDS[1]}, so the incomplete region is the plane; the "
        f"regions crossed have constants up to {own:.3f}, the steepest region of the plane, "
        f"{other}, has {steep[other]:.3f}"
    )


def passed(network: nn.Sequential, x: Tensor, y: Tensor) -> tuple[int, float]:
    """Transitions of a segment, and the largest Lipschitz constant of the regions it crosses."""
    inner = SegmentWalk(network).crossings(x, y).t
    places = torch.cat([inner.new_zeros(1), inner, inner.new_ones(1)])
    middles = torch.lerp(x, y, ((places[1:] + places[:-1]) / 2).unsqueeze(1))
    return len(inner), local_lipschitz(network, middles).max().item()


def theorem4() -> Judgement:
    """Theorem 4, with S(l_1) in S(l_2) and suprema over the regions crossed, as section 5.1.3.

    A segment crosses the regions of its first part, and perhaps others.
    """
    stream = generator("thesis", "theorem 4")
    agree = 0
    for _ in range(SEGMENTS):
        network = random_dense(SIZES, stream)
        x, y = normal((2, SIZES[0]), stream)
        share = torch.rand((), generator=stream, dtype=torch.float64)
        (few, low), (many, high) = (
            passed(network, x, torch.lerp(x, y, share)),
            passed(network, x, y),
        )
        agree += (few <= many) == (low <= high + ROUNDING)
    return sampled(
        agree == SEGMENTS,
        "with S(l_1) in S(l_2) (line 2194) and suprema over the regions that are crossed, as "
        "rho_0 in Eq. 5.12, both inequalities follow from the inclusion, so they are equivalent: "
        f"in {agree} of {SEGMENTS} segments and their first parts in random ReLU networks",
        cases=SEGMENTS,
    )


class OfData(NamedTuple):
    """Means over pairs of data: transitions, and the supremum of R over four ranges of points."""

    transitions: float
    pair: float  # the other point of the pair alone
    crossed: float  # the regions that the segment crosses
    incomplete: float  # the region of Eq. 5.10, in which only the fixed neurons are held
    everywhere: float  # the input space


def of_data(
    network: nn.Sequential, centres: tuple[tuple[float, float], ...], stream: torch.Generator
) -> OfData:
    """What Theorem 4 compares, of pairs from normal clouds, for one hidden layer.

    Every neuron with another pattern is crossed once. The supremum over regions is the largest
    of their Lipschitz constants; that over the input space is looked for on circles.
    """
    a, b = (mixture(centres, DEVIATION, PAIRS, stream) for _ in range(2))
    ours, theirs = codes(network, a), codes(network, b)
    floating = ours != theirs
    steps = torch.linspace(0, 1, 11, dtype=torch.float64)
    line = torch.cat([torch.lerp(a, b, step) for step in steps])
    steep = local_lipschitz(network, line, chunk=20_000).reshape(len(steps), -1)
    parts = regions(network, PLANE)
    patterns = torch.tensor([part.pattern for part in parts])
    constants = torch.tensor([part.steepness for part in parts], dtype=torch.float64)
    within = (floating.unsqueeze(1) | (ours.unsqueeze(1) == patterns)).all(dim=2)
    return OfData(
        floating.sum(dim=1).double().mean().item(),
        ratios(network, a, b).mean().item(),
        steep.amax(dim=0).mean().item(),
        torch.where(within, constants, 0).amax(dim=1).mean().item(),
        sum(ratios(network, x, x + AROUND).max().item() for x in a[:CENTRES]) / CENTRES,
    )


def theorem4_datasets() -> Judgement:
    """Theorem 4 for data sets: fewer transitions on average, closer predictions on average.

    What the supremum ranges over is not legible: it is against the statement in each of four.
    """
    stream = generator("thesis", "theorem 4, data sets")
    networks = nearby(QUADRANTS, NETWORKS, stream)
    found = [[of_data(net, data, stream) for data in (ALIKE, DIFFERENT)] for net in networks]
    broken = sum(
        a.transitions <= b.transitions and all(p > q for p, q in zip(a[1:], b[1:], strict=True))
        for a, b in found
    )
    one, other = found[0]
    return sampled(
        broken == 0,
        f"relu(x) - relu(y), pairs from normal clouds of deviation {DEVIATION:g} around {ALIKE} "
        f"and around {DIFFERENT}: {one.transitions:.2f} < {other.transitions:.2f} transitions on "
        f"average, but the supremum of R is {one.pair:.2f} > {other.pair:.2f} over the pair "
        f"alone, {one.crossed:.2f} > {other.crossed:.2f} over the regions crossed, "
        f"{one.incomplete:.2f} > {other.incomplete:.2f} over the incomplete region of Equation "
        "5.10 and "
        f"{one.everywhere:.2f} > {other.everywhere:.2f} over the whole input space; so it is for "
        f"{broken} of {NETWORKS} networks with weights near these",
        cases=NETWORKS,
    )
