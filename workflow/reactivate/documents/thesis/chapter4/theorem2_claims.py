"""Thesis, section 4.3.4: distances of predictions inside and outside a region (Theorem 2)."""

from math import isnan, nan

from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.segments import pieces, ratios, segment_constants
from reactivate.documents.thesis.small_networks import codes, column, dense, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.regions import same_region

NETWORKS = 40
ROUNDING = 1e-9
RAMP = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]))  # relu(x)
RAMP_CENTRE, RAMP_RADIUS = 1.0, 2.0


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
