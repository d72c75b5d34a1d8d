"""Prediction differences on spheres that reach beyond an activation region (Theorem 2)."""

from dataclasses import dataclass
from math import pi, prod, sqrt

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.small_networks import linear_maps, normal
from reactivate.patterns.lipschitz import local_lipschitz

BEYOND = 1e-3  # by which the radius exceeds the distance of the nearest hyperplane, relative
AROUND = 12_000  # directions of a circle
NEIGHBOURS = 100  # directions in which adjacent regions are looked for


@dataclass(frozen=True)
class Sphere:
    """Prediction differences on a sphere that reaches beyond the region of its centre.

    Args:
        inside: One that is met in the region of the centre, where the network is affine.
        outside: Upper bound of those outside.
    """

    inside: float
    outside: float

    @property
    def wrong(self) -> bool:
        """Whether the supremum inside surely exceeds that outside."""
        return self.inside > self.outside


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
    outside = radius * (along + steepest * chord) + product(network) * (radius - distance)
    return Sphere(inside=radius * steepest, outside=outside)


def product(network: nn.Sequential) -> float:
    """A Lipschitz constant of a ReLU network: the product of its layers' spectral norms."""
    norms = (torch.linalg.matrix_norm(layer.weight, ord=2) for layer in linear_maps(network))
    return prod(float(norm) for norm in norms)


def on_circle(network: nn.Sequential, centre: Tensor, radius: float) -> Sphere | None:
    """The circle of a given radius around a point, of a network with two inputs.

    A hyperplane at a distance d < r leaves an arc of half-angle arccos(d / r) around its normal
    outside the region. A point of it is at most half a step away from an end of the arc or from a
    direction that was asked there, so the difference is larger by at most L r pi / AROUND.

    Args:
        network: ReLU layers.
        centre: One input, ``(2)``.
        radius: Of the circle.

    Returns:
        None if the circle lies inside, or outside, of the region of the centre.
    """
    values, slopes, jacobian = affine_maps(network, centre)
    directions = circle(AROUND)
    stays = ((values + radius * directions @ slopes.T) * values > 0).all(dim=1)
    steepness = slopes.norm(dim=1)
    near = values.abs() < radius * steepness
    if not near.any() or not stays.any():
        return None
    towards = -(values.sign() / steepness)[near].unsqueeze(1) * slopes[near]
    cosine = (values.abs() / (radius * steepness))[near].unsqueeze(1)
    aside = (1 - cosine**2).sqrt() * torch.stack([-towards[:, 1], towards[:, 0]], dim=1)
    ends = [cosine * towards + aside, cosine * towards - aside]
    reached = centre + radius * torch.cat([directions[~stays], *ends])
    apart = (network(reached) - network(centre)).norm(dim=1).max().item()
    return Sphere(
        inside=radius * (directions[stays] @ jacobian.T).norm(dim=1).max().item(),
        outside=apart + product(network) * radius * pi / AROUND,
    )


def has_steeper_neighbour(network: nn.Sequential, centre: Tensor, stream: torch.Generator) -> bool:
    """Whether a region next to that of a point is steeper, as the words before Theorem 2 ask.

    Looks beyond the first hyperplane in random directions; the Lipschitz constant of a region is
    the spectral norm of its Jacobian, Eq. 4.28.
    """
    values, slopes, jacobian = affine_maps(network, centre)
    directions = nn.functional.normalize(normal((NEIGHBOURS, len(centre)), stream))
    along = directions @ slopes.T
    steps = torch.where(values * along < 0, -values / along, torch.inf).amin(dim=1)
    reaches = steps.isfinite()
    beyond = (1 + 1e-7) * steps[reaches].unsqueeze(1) * directions[reaches]
    steepest = local_lipschitz(network, centre + beyond, chunk=NEIGHBOURS).max()
    return bool(steepest > torch.linalg.matrix_norm(jacobian, ord=2))
