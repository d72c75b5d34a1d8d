"""Thesis, Figures 4.3 and 4.4: activation regions on a plane through three images."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reactivate.evidence.networks import NetworkRun, images, trained
from reactivate.patterns.regions import patterns_of, region_numbers

Place = tuple[int, int]
Numbers = NDArray[np.int64]


class Plane(nn.Module):
    """The plane through three points: maps (0, 0), (1, 0) and (0, 1) to them.

    Example:
        >>> plane = Plane(torch.tensor([[1.0, 1.0], [2.0, 1.0], [1.0, 4.0]]))
        >>> plane(torch.tensor([[1.0, 1.0]]))
        tensor([[2., 4.]])
    """

    def __init__(self, points: Tensor) -> None:
        super().__init__()
        self.origin, self.sides = points[0], points[1:] - points[0]

    def forward(self, places: Tensor) -> Tensor:
        offset: Tensor = torch.tensordot(places, self.sides, dims=1)
        return self.origin + offset


def plane(
    networks: list[NetworkRun],
    breakpoints: str,
    side: int,
    finer: int,
    margin: float,
    zoom: float,
) -> pd.DataFrame:
    """Region of the points of two grids: around the first three test images, and among them.

    Sizes and shapes of regions are measured on finer grids than the ones that are kept.

    Args:
        networks: Trained ones.
        breakpoints: Breakpoints of all activations, separated by blanks.
        side: Points that are kept along each side of a grid.
        finer: Points that are measured for one that is kept, along each side.
        margin: How far the first grid reaches beyond the square from (0, 0) to (1, 1).
        zoom: Length of the second grid, around the centre of the three images.
    """
    gamma = [float(point) for point in breakpoints.split()]
    centre = 1 / 3
    views = {
        "around": (-margin, 1 + margin),
        "among": (centre - zoom / 2, centre + zoom / 2),
    }
    parts = []
    for run in networks:
        points, _ = images(run, "test", 3)
        network = nn.Sequential(Plane(points.double()), trained(run).double())
        for view, (low, high) in views.items():
            part = window(network, gamma, low, high, side, finer)
            part.insert(0, "view", view)
            part.insert(0, "activation", run.cell.activation)
            parts.append(part)
    return pd.concat(parts, ignore_index=True)


def window(
    network: nn.Module,
    breakpoints: Sequence[float],
    low: float,
    high: float,
    side: int,
    finer: int,
) -> pd.DataFrame:
    """Regions of a network with two inputs in a square.

    Points lie in the middle of equal small squares. The columns are place (u, v), number of the
    region, its area inside the square, and whether it is convex: whether no point between its
    points lies in another region. Other regions are found by chance only if they are small, so
    ``convex`` may be true of a region that is not convex, but false only of one that is not.
    """
    fine = side * finer
    steps = low + (high - low) * (torch.arange(fine, dtype=torch.float64) + 0.5) / fine
    places = torch.cartesian_prod(steps, steps)
    regions = region_numbers(patterns_of(network, places, breakpoints).codes).numpy()
    sizes, convex = shapes(regions.reshape(fine, fine))
    sizes, convex = np.append(sizes, 0), np.append(convex, False)  # at -1: no region
    kept = np.arange(finer // 2, fine, finer)
    chosen = (kept[:, None] * fine + kept).flatten()
    region = regions[chosen]
    area = sizes[region] * ((high - low) / fine) ** 2
    return pd.DataFrame(
        {
            "u": places[chosen, 0].numpy().round(5),
            "v": places[chosen, 1].numpy().round(5),
            "region": region,
            "area": [float(f"{number:.3g}") for number in area],
            "convex": convex[region],
        }
    )


def shapes(regions: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Points of each region of a grid, and whether all grid points of its hull are among them.

    Args:
        regions: Numbers from 0, or -1 for no region, ``(rows, columns)``.

    Example:
        >>> shapes(np.array([[0, 0, 1], [0, 1, 1], [0, 0, 1]]))
        (array([5, 4]), array([False,  True]))
    """
    flat = regions.flatten()
    order = np.argsort(flat, kind="stable")  # places of a region stay in order
    order = order[flat[order] >= 0]
    counts = np.bincount(flat[order])
    groups = np.split(order, np.cumsum(counts)[:-1]) if len(counts) else []
    width = regions.shape[1]
    hulls = [points_in_hull([divmod(int(i), width) for i in group]) for group in groups]
    return counts, counts == np.array(hulls)


def points_in_hull(places: Sequence[Place]) -> int:
    """Grid points in the convex hull of grid points, by Pick's theorem: area + edge / 2 + 1.

    Args:
        places: Different points with integer coordinates, sorted; at least one.

    Example:
        >>> points_in_hull([(0, 0), (0, 2), (2, 0)]), points_in_hull([(0, 0), (2, 4)])
        (6, 3)
    """
    around = [*_chain(places), *_chain(reversed(places))]
    twice_area = edge = 0
    for (x, y), (next_x, next_y) in pairwise([*around, around[0]]):
        twice_area += x * next_y - y * next_x
        edge += gcd(next_x - x, next_y - y)
    return (abs(twice_area) + edge) // 2 + 1


def _chain(places: Iterable[Place]) -> list[Place]:
    """One half of the hull of sorted points, without its last point."""
    hull: list[Place] = []
    for x, y in places:
        while len(hull) > 1:
            (ax, ay), (bx, by) = hull[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            hull.pop()
        hull.append((x, y))
    return hull[:-1] or hull
