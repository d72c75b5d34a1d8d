"""Thesis, section 4.3.4: distances of predictions inside and outside a region (Theorem 2)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.chapter4.spheres import (
    BEYOND,
    Sphere,
    has_steeper_neighbour,
    on_circle,
    sphere,
)
from reactivate.documents.thesis.segments import ratios, segment_constants
from reactivate.documents.thesis.small_networks import codes, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

SIZES = ((2, 64, 64, 64, 10), (2, 256, 256, 256, 10), (10, 128, 128, 128, 10))
NETWORKS, POINTS = 4, 10  # of each size; inputs of each network
RADII = (0.005, 0.01, 0.02)  # fixed before networks and inputs are drawn; of the first size
INPUTS = 50  # at each of these radii
SEGMENTS = 20
ROUNDING = 1e-9


def region_count(network: nn.Sequential, side: int = 200) -> int:
    """Regions of a network with two inputs that a grid over [-3, 3]^2 meets."""
    axis = torch.linspace(-3, 3, side, dtype=torch.float64)
    return len(torch.unique(codes(network, torch.cartesian_prod(axis, axis)), dim=0))


@dataclass
class Count:
    """Spheres of one kind: all, those against Theorem 2, and of these with a steeper neighbour."""

    compared: int = 0
    wrong: int = 0
    steeper: int = 0

    def add(
        self, found: Sphere | None, network: nn.Sequential, x: Tensor, stream: torch.Generator
    ) -> None:
        """Counts the sphere around an input, if there is one."""
        wrong = found is not None and found.wrong
        self.compared += found is not None
        self.wrong += wrong
        self.steeper += wrong and has_steeper_neighbour(network, x, stream)


def nearest_spheres(stream: torch.Generator) -> tuple[Count, list[int]]:
    """Spheres that just reach beyond the nearest hyperplane; regions of networks with 2 inputs."""
    count, counted = Count(), []
    for sizes in SIZES:
        for number in range(NETWORKS):
            network = random_dense(sizes, stream)
            if sizes[0] == 2 and number == 0:
                counted.append(region_count(network))
            for x in normal((POINTS, sizes[0]), stream):
                count.add(sphere(network, x), network, x, stream)
    return count, counted


def fixed_circles(radius: float, stream: torch.Generator) -> Count:
    """Circles of a radius that was fixed before network and inputs were drawn."""
    count, network = Count(), random_dense(SIZES[0], stream)
    for x in normal((INPUTS, 2), stream):
        count.add(on_circle(network, x, radius), network, x, stream)
    return count


def theorem2() -> Judgement:
    """Theorem 2: at a distance, predictions differ at most as much inside a region as outside.

    The networks have many regions, as the text asks for, and whether a region next to that of the
    input is steeper, which the text takes for granted, is looked at. A sphere on which the
    steepest direction stays inside contradicts it, and so do all weights nearby.
    """
    stream = generator("thesis", "theorem 2")
    nearest, counted = nearest_spheres(stream)
    circles = {radius: fixed_circles(radius, stream) for radius in RADII}
    shown = ", ".join(f"{sizes[0]} inputs and 3 x {sizes[1]} neurons" for sizes in SIZES)
    fixed = ", ".join(f"{c.wrong} of {c.compared}" for c in circles.values())
    steeper = sum(count.steeper for count in circles.values())
    counts = [nearest, *circles.values()]
    return sampled(
        sum(count.wrong for count in counts) == 0,
        f"random ReLU networks of {shown} (over {' and '.join(f'{n:,}' for n in counted)} regions "
        f"around the data with 2 inputs): for a radius {BEYOND:.1%} above the distance of the "
        f"nearest hyperplane the difference in the steepest direction, inside, surely exceeds all "
        f"outside for {nearest.wrong} of {nearest.compared} inputs, of which {nearest.steeper} "
        f"have a steeper adjacent region; for radii fixed beforehand at "
        f"{', '.join(map(str, RADII))}, in networks of the first size, for {fixed} inputs whose "
        f"region ends on the circle, {steeper} of which have one; and so for all weights nearby",
        cases=sum(count.compared for count in counts),
    )


def segment_bound() -> Judgement:
    """Eq. 4.42: constants of the regions along a segment bound the prediction difference."""
    stream = generator("thesis", "segment")
    used = 0.0
    for _ in range(SEGMENTS):
        network = random_dense((4, 16, 16, 3), stream)
        ends = normal((2, 4), stream)
        constants = segment_constants(network, ends[:1], ends[1:])
        used = max(used, (ratios(network, ends[:1], ends[1:]) / constants).item())
    return sampled(
        used <= 1 + ROUNDING,
        f"{SEGMENTS} segments in random ReLU networks of 2 x 16 neurons use at most {used:.3f} of "
        "the bound; a network that jumps at breakpoints was not drawn",
        cases=SEGMENTS,
    )
