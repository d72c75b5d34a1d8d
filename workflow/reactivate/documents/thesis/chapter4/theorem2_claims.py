"""Thesis, section 4.3.4: distances of predictions inside and outside a region (Theorem 2)."""

from dataclasses import dataclass
from math import prod, sqrt

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.segments import ratios, segment_constants
from reactivate.documents.thesis.small_networks import (
    codes,
    linear_maps,
    normal,
    random_dense,
)
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

SIZES = ((2, 64, 64, 64, 10), (2, 256, 256, 256, 10), (10, 128, 128, 128, 10))
NETWORKS, POINTS = 4, 10  # of each size; inputs of each network
BEYOND = 1e-3  # by which the radius exceeds the distance of the nearest hyperplane, relative
SEGMENTS = 20
ROUNDING = 1e-9


@dataclass(frozen=True)
class Sphere:
    """Prediction differences on a sphere that reaches a little beyond one hyperplane.

    Args:
        inside: Largest one in the region of the centre, where the network is affine: that of the
            steepest direction.
        outside: Upper bound of those outside.
    """

    inside: float
    outside: float


def affine_maps(network: nn.Sequential, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Values and gradients of all hidden neurons at an input, and the network's Jacobian there.

    Args:
        network: ReLU layers.
        x: One input, ``(n)``.

    Returns:
        ``(neurons)``, ``(neurons, n)`` and ``(outputs, n)``.
    """
    *below, last = linear_maps(network)
    slope = torch.eye(len(x), dtype=x.dtype)
    values, slopes = [], []
    for layer in below:
        value, slope = layer(x), layer.weight @ slope
        values.append(value)
        slopes.append(slope)
        x, slope = value.relu(), slope * (value > 0).unsqueeze(1)
    return torch.cat(values), torch.cat(slopes), last.weight @ slope


def sphere(network: nn.Sequential, centre: Tensor) -> Sphere | None:
    """The sphere around a point that just reaches beyond the nearest hyperplane of its region.

    The region is where the affine maps of the centre's pattern keep their signs. Of a sphere of
    radius r around it, with one hyperplane at a distance d < r and all others beyond r, a cap
    of half-angle a = arccos(d / r) around the hyperplane's normal n lies outside. With the
    region's Jacobian A and a Lipschitz constant L of the network, a point of the cap is reached
    over at most r |A u| inside, where |A u| <= |A n| + 2 |A| sin(a / 2), and r - d outside.

    Args:
        network: ReLU layers.
        centre: One input, ``(n)``.

    Returns:
        None if a second hyperplane is nearer than r. Of the two ends of the steepest direction,
        one at least lies in no cap.
    """
    values, slopes, jacobian = affine_maps(network, centre)
    steepness = slopes.norm(dim=1)
    distances = torch.where(steepness > 0, values.abs() / steepness, torch.inf)
    nearest = int(distances.argmin())
    normal_vector = slopes[nearest] / steepness[nearest]
    distance = distances[nearest].item()
    radius = (1 + BEYOND) * distance
    if (distances < radius).sum() > 1:
        return None
    steepest = torch.linalg.matrix_norm(jacobian, ord=2).item()
    along = (jacobian @ normal_vector).norm().item()
    chord = sqrt(2 * (1 - distance / radius))  # 2 sin(a / 2), of the cap's half-angle a
    bound = prod(torch.linalg.matrix_norm(m.weight, ord=2).item() for m in linear_maps(network))
    outside = radius * (along + steepest * chord) + bound * (radius - distance)
    return Sphere(inside=radius * steepest, outside=outside)


def region_count(network: nn.Sequential, side: int = 200) -> int:
    """Regions of a network with two inputs that a grid over [-3, 3]^2 meets."""
    axis = torch.linspace(-3, 3, side, dtype=torch.float64)
    return len(torch.unique(codes(network, torch.cartesian_prod(axis, axis)), dim=0))


def theorem2() -> Judgement:
    """Theorem 2: at a distance, predictions differ at most as much inside a region as outside.

    The networks have many regions, as the text asks for. A sphere on which the steepest direction
    stays inside and only a small cap lies outside contradicts it, and so do all weights nearby.
    """
    stream = generator("thesis", "theorem 2")
    compared = wrong = 0
    regions = []
    for sizes in SIZES:
        for number in range(NETWORKS):
            network = random_dense(sizes, stream)
            if sizes[0] == 2 and number == 0:
                regions.append(region_count(network))
            spheres = [sphere(network, normal((sizes[0],), stream)) for _ in range(POINTS)]
            compared += sum(found is not None for found in spheres)
            wrong += sum(found.inside > found.outside for found in spheres if found)
    shown = ", ".join(f"{sizes[0]} inputs and 3 x {sizes[1]} neurons" for sizes in SIZES)
    return sampled(
        wrong == 0,
        f"random ReLU networks of {shown} (over {' and '.join(f'{n:,}' for n in regions)} regions "
        f"around the data with 2 inputs): for a radius {BEYOND:.1%} above the distance of the "
        f"nearest hyperplane the difference in the steepest direction, inside, surely exceeds all "
        f"outside for {wrong} of {compared} inputs, and so for all weights nearby",
        cases=compared,
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
