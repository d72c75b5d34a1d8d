"""Thesis, sections 4.3.4 and 5.1.3: how far predictions are apart (Theorems 2 and 4)."""

from math import isnan, nan

import torch
from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.examples import QUADRANTS
from reactivate.documents.thesis.planar_regions import circle, rectangle, regions
from reactivate.documents.thesis.segments import pieces, segment_constants
from reactivate.documents.thesis.small_networks import codes, column, dense, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.crossings import count_transitions
from reactivate.patterns.regions import same_region

NETWORKS = 40
ROUNDING = 1e-9
RAMP = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]))  # relu(x)
RAMP_CENTRE, RAMP_RADIUS = 1.0, 2.0
# a = x and b = 0.8 x + 0.6 y, f = 2 relu(b) - relu(a)
SLANTED = dense(([[1.0, 0.0], [0.8, 0.6]], [0.0, 0.0]), ([[-1.0, 2.0]], [0.0]))
SLANTED_ENDS = ((-1.0, -1.0), (2.0, -1.0))
CORNER = (1.0, 1.0)  # x of Theorem 4, in QUADRANTS
ALIKE, DIFFERENT = ((1.0, 1.0), (2.0, 1.0)), ((-1.0, -1.0), (-1.0, 0.5))  # two sets of inputs


def farthest(network: nn.Sequential, centre: Tensor, around: Tensor) -> tuple[float, float]:
    """Largest prediction difference to points inside and outside the centre's region.

    Args:
        network: Any network.
        centre: One point, ``(1, n)``.
        around: Points at one distance from it, ``(N, n)``.

    Returns:
        Both suprema over the given points; NaN where there is no point.
    """
    inside = same_region(codes(network, centre), codes(network, around))
    apart = (network(around) - network(centre)).norm(dim=1)
    largest = [part.max().item() if len(part) else nan for part in (apart[inside], apart[~inside])]
    return largest[0], largest[1]


def theorem2() -> Judgement:
    """Theorem 2: predictions differ at most as much inside a region as outside, at a distance."""
    ends = column(RAMP_CENTRE - RAMP_RADIUS, RAMP_CENTRE + RAMP_RADIUS)
    inside, outside = farthest(RAMP, column(RAMP_CENTRE), ends)
    stream = generator("thesis", "theorem 2")
    compared = wrong = 0
    for _ in range(NETWORKS):
        network = random_dense((2, 8, 8, 2), stream)
        centre = normal((1, 2), stream)
        for radius in (0.1, 0.3, 1.0):
            near, far = farthest(network, centre, centre + radius * circle(360))
            compared += not isnan(near) and not isnan(far)
            wrong += near > far
    return judge(
        inside <= outside,
        f"relu(x) at x = {RAMP_CENTRE:g}, distance {RAMP_RADIUS:g}: {inside:g} inside the region, "
        f"{outside:g} outside, and so for all weights nearby; in random networks of 2 x 8 neurons "
        f"it fails for {wrong} of {compared} pairs of point and radius",
    )


def steeper_neighbour() -> Judgement:
    """Proof of Theorem 2: with probability 1 a region has a steeper neighbour."""
    stream = generator("thesis", "steeper neighbour")
    total = without = 0
    for _ in range(NETWORKS // 4):
        network = random_dense((1, 8, 1), stream, bias=1.0)
        starts, ends, _ = zip(*pieces(network, -100.0, 100.0), strict=True)
        slopes = ratios(network, column(*starts), column(*ends)).tolist()
        around = zip([0.0, *slopes[:-1]], slopes, [*slopes[1:], 0.0], strict=True)
        total += len(slopes)
        without += sum(slope >= max(left, right) for left, slope, right in around)
    return judge(
        without == 0,
        f"{without} of {total} regions of {NETWORKS // 4} random networks with one input have no "
        "steeper neighbour; the steepest region of a network never has one",
    )


def segment_bound() -> Judgement:
    """Eq. 4.42: constants of the regions along a segment bound the prediction difference."""
    stream = generator("thesis", "segment")
    used = 0.0
    for _ in range(NETWORKS // 2):
        network = random_dense((4, 16, 16, 3), stream)
        ends = normal((2, 4), stream)
        reached = ratios(network, ends[:1], ends[1:]) / segment_constants(
            network, ends[:1], ends[1:]
        )
        used = max(used, reached.item())
    return judge(
        used <= 1 + ROUNDING,
        f"{NETWORKS // 2} segments in random ReLU networks of 2 x 16 neurons use at most "
        f"{used:.3f} of the bound",
    )


def union_constant() -> Judgement:
    """Eq. 5.12: the constant of an incomplete region is the largest of those a segment crosses."""
    ends = torch.tensor(SLANTED_ENDS, dtype=torch.float64)
    places = torch.linspace(0, 1, 101, dtype=torch.float64).unsqueeze(1)
    crossed = {tuple(p) for p in codes(SLANTED, torch.lerp(ends[0], ends[1], places)).tolist()}
    steep = {r.pattern: r.steepness for r in regions(SLANTED, rectangle(-4.0, 4.0))}
    own = {pattern: value for pattern, value in steep.items() if pattern in crossed}
    other = max(steep, key=lambda pattern: steep[pattern])
    return judge(
        abs(max(own.values()) - steep[other]) < ROUNDING,
        "2 relu(0.8 x + 0.6 y) - relu(x): both neurons float on the segment from "
        f"{SLANTED_ENDS[0]} to {SLANTED_ENDS[1]}, so the incomplete region is the plane; the "
        f"regions crossed have constants up to {max(own.values()):.3f}, the region {other}, not "
        f"crossed, has {steep[other]:.3f}",
    )


def ratios(network: nn.Sequential, centre: Tensor, points: Tensor) -> Tensor:
    """Distance of predictions by distance of inputs, ``R(x, y)`` of section 5.1.3, ``(N)``."""
    moved, step = network(points) - network(centre), points - centre
    quotients: Tensor = moved.norm(dim=1) / step.norm(dim=1)
    return quotients


def theorem4() -> Judgement:
    """Theorem 4: where a segment crosses more regions, predictions can be farther apart."""
    x = torch.tensor([CORNER], dtype=torch.float64)
    near, far = x + 0.5 * circle(360), -x + 0.5 * circle(360)  # in x's own region, and opposite
    few, many = (
        count_transitions(QUADRANTS, x, end).regions.item() for end in (near[:1], far[:1])
    )
    close, wide = (ratios(QUADRANTS, x, points).max().item() for points in (near, far))
    return judge(
        few <= many and close <= wide + ROUNDING,
        f"relu(x) - relu(y) at {CORNER}: {few} transitions to points of its own region, where "
        f"predictions differ by up to {close:.3f} per unit of distance; {many} to points with "
        f"x, y < 0, which pass the same region, and where they differ by {wide:.3f}",
    )


def theorem4_datasets() -> Judgement:
    """Theorem 4 for data sets: fewer transitions on average, closer predictions on average."""
    measured = []
    for points in (ALIKE, DIFFERENT):
        a, b = torch.tensor(points, dtype=torch.float64).unsqueeze(1)
        measured.append(
            (count_transitions(QUADRANTS, a, b).regions.item(), ratios(QUADRANTS, a, b))
        )
    (few, close), (many, wide) = measured
    return judge(
        few <= many and bool(close <= wide),
        f"relu(x) - relu(y): the pair {ALIKE} has {few} transitions and R = {close.item():.3f}, "
        f"the pair {DIFFERENT} {many} and R = {wide.item():.3f}",
    )
