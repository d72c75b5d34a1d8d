"""Activation regions of a ReLU network with two inputs, as polygons."""

from dataclasses import dataclass, replace
from functools import reduce
from math import pi

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.small_networks import (
    linear_maps,
)


@dataclass(frozen=True)
class Region:
    """The part of an activation region inside a window."""

    pattern: tuple[int, ...]  # 1 active, 0 not, neuron after neuron
    corners: Tensor  # (K, 2), in order
    slope: Tensor  # (n, 2): the affine map from the input to the last layer computed so far
    shift: Tensor  # (n)

    @property
    def area(self) -> float:
        """Area of the polygon, by the shoelace formula."""
        x, y = self.corners.unbind(dim=1)
        return abs((x * y.roll(-1) - y * x.roll(-1)).sum().item()) / 2

    @property
    def steepness(self) -> float:
        """Spectral norm of the network's Jacobian in this region."""
        return float(torch.linalg.matrix_norm(self.slope, ord=2))


def rectangle(low: float, high: float) -> Tensor:
    """Corners of a square window, counter-clockwise."""
    corners = [[low, low], [high, low], [high, high], [low, high]]
    return torch.tensor(corners, dtype=torch.float64)


def clip(corners: Tensor, values: Tensor) -> Tensor:
    """The part of a convex polygon where an affine function is positive.

    Args:
        corners: In order, ``(K, 2)``.
        values: The function at the corners, ``(K)``.

    Example:
        >>> square = rectangle(0.0, 1.0)
        >>> clip(square, square[:, 0] - 0.5).tolist()
        [[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]]
    """
    kept = []
    for here, there in zip(range(len(corners)), [*range(1, len(corners)), 0], strict=True):
        if values[here] > 0:
            kept.append(corners[here])
        if values[here] * values[there] < 0:
            share = values[here] / (values[here] - values[there])
            kept.append(torch.lerp(corners[here], corners[there], share))
    return torch.stack(kept) if kept else corners[:0]


def regions(network: nn.Sequential, window: Tensor) -> list[Region]:
    """All regions that a convex window meets, by cutting it neuron after neuron.

    Inside a region of the layers before, a neuron is affine: its hyperplane is a line there.

    Example:
        >>> from reactivate.documents.thesis.small_networks import dense
        >>> network = dense(([[1.0, 0.0], [0.0, 1.0]], [-0.5, -0.25]), ([[1.0, 1.0]], [0.0]))
        >>> [(region.pattern, region.area) for region in regions(network, rectangle(0.0, 1.0))]
        [((0, 0), 0.125), ((0, 1), 0.375), ((1, 0), 0.125), ((1, 1), 0.375)]
    """
    identity = torch.eye(2, dtype=torch.float64)
    parts = [Region((), window, identity, identity.new_zeros(2))]
    maps = linear_maps(network)
    for layer in maps:
        moved = [replace(p, slope=layer.weight @ p.slope, shift=layer(p.shift)) for p in parts]
        parts = moved if layer is maps[-1] else [cut for part in moved for cut in _cut(part)]
    return parts


def _cut(part: Region) -> list[Region]:
    """Regions of one more layer, after its ReLU."""
    pieces = reduce(
        lambda parts, neuron: [half for piece in parts for half in _halves(piece, neuron)],
        range(len(part.shift)),
        [part],
    )
    cut = []
    for piece in pieces:
        active = torch.tensor(piece.pattern[len(part.pattern) :], dtype=torch.float64)
        slope, shift = active.unsqueeze(1) * piece.slope, active * piece.shift
        cut.append(replace(piece, slope=slope, shift=shift))
    return cut


def _halves(piece: Region, neuron: int) -> list[Region]:
    values = piece.corners @ piece.slope[neuron] + piece.shift[neuron]
    halves = [(0, clip(piece.corners, -values)), (1, clip(piece.corners, values))]
    return [
        replace(piece, pattern=(*piece.pattern, active), corners=corners)
        for active, corners in halves
        if len(corners) > 2
    ]


def circle(points: int) -> Tensor:
    """Points of the unit circle, ``(N, 2)``."""
    angle = 2 * pi * torch.arange(points, dtype=torch.float64) / points
    return torch.stack([angle.cos(), angle.sin()], dim=1)
