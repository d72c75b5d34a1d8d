"""Regions on a plane through three images: found, measured, drawn and judged."""

from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter4 import figures4_3_4_4 as slices
from reactivate.documents.thesis.chapter4 import figures4_3_4_4_claims as slice_statements
from reactivate.documents.thesis.chapter4 import figures4_3_4_4_picture as slice_pictures
from reactivate.evidence.networks import NetworkRun
from reactivate.experiment.cell import Cell
from torch import nn


def in_triangle(p, a, b, c):
    """Whether a grid point lies in a triangle, which may be flat: by exact barycentric signs."""

    def side(s, t):
        return (t[0] - s[0]) * (p[1] - s[1]) - (t[1] - s[1]) * (p[0] - s[0])

    sides = side(a, b), side(b, c), side(c, a)
    boxed = all(min(x) <= y <= max(x) for x, y in zip(zip(a, b, c, strict=True), p, strict=True))
    return boxed and (min(sides) >= 0 or max(sides) <= 0)


def points_between(places, side):
    """Grid points in some triangle of the places: Caratheodory's theorem."""
    triangles = list(combinations_with_replacement(places, 3))
    grid = product(range(side), repeat=2)
    return sum(any(in_triangle(p, *corners) for corners in triangles) for p in grid)


@pytest.mark.parametrize("seed", range(8))
def test_shapes_equal_the_search_through_all_triangles(seed):
    regions = np.random.default_rng(seed).integers(0, 9, (5, 5))
    regions = np.unique(regions, return_inverse=True)[1].reshape(5, 5)
    sizes, convex = slices.shapes(regions)
    for number, size in enumerate(sizes):
        places = [(int(x), int(y)) for x, y in np.argwhere(regions == number)]
        assert size == len(places)
        assert convex[number] == (points_between(places, 5) == size)


def test_points_without_a_region_are_left_out():
    sizes, convex = slices.shapes(np.array([[-1, 0], [0, -1]]))
    assert sizes.tolist() == [2]
    assert convex.tolist() == [True]
    assert [len(part) for part in slices.shapes(np.full((2, 2), -1))] == [0, 0]


def affine(weight, bias):
    layer = nn.Linear(len(weight[0]), len(bias)).double()
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(weight))
        layer.bias.copy_(torch.tensor(bias))
    return layer


def test_areas_are_those_of_the_regions():
    network = nn.Sequential(affine([[1.0, 0.0], [0.0, 1.0]], [-0.25, -0.5]), nn.ReLU())
    found = slices.window(network, [0.0], 0.0, 1.0, side=10, finer=4)
    assert len(found) == 100
    for row in found.to_dict("records"):
        wide = 0.75 if row["u"] > 0.25 else 0.25
        assert row["area"] == pytest.approx(wide * 0.5, rel=1e-2)
    assert found["region"].nunique() == 4
    assert found["convex"].all()


def test_a_region_of_a_saturating_network_is_not_convex():
    """The counter-example: tanh with breakpoints -1 and 1, two points, but not between them."""
    network = nn.Sequential(
        affine([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), nn.Tanh(), affine([[10.0, 10.0]], [4.9])
    )
    network.append(nn.Tanh())
    found = slices.window(network, [-1.0, 1.0], -1.2, 1.2, side=12, finer=10)
    assert not found["convex"].all()
    near = (found["u"] + 0.9).abs() + (found["v"] - 0.5).abs()
    assert not found.loc[near.idxmin(), "convex"]


def test_relu_regions_are_convex_and_images_lie_at_the_corners(monkeypatch, tmp_path):
    torch.manual_seed(0)
    network = nn.Sequential(nn.Flatten(), nn.Linear(4, 9), nn.ReLU(), nn.Linear(9, 9), nn.ReLU())
    x = torch.randn(3, 1, 2, 2)
    corners = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    torch.testing.assert_close(slices.Plane(x)(corners), x)
    monkeypatch.setattr(slices, "trained", lambda run: network)
    monkeypatch.setattr(slices, "images", lambda run, part, count: (x, None))
    run = NetworkRun("s", "t", ("a", "b", "c"), Cell("d", "m", "relu", "sp", "r"), tmp_path)
    found = slices.plane([run], "0", side=9, finer=5, margin=0.5, zoom=0.2)
    assert found.groupby("view").size().to_dict() == {"among": 81, "around": 81}
    assert found["region"].nunique() > 5
    assert found["convex"].all()
    middle = found[found["view"] == "among"][["u", "v"]].mean()
    assert middle.tolist() == pytest.approx([1 / 3, 1 / 3], abs=1e-4)


def grid(inside=0.001, outside=0.01, bent=False):
    """Made-up points of both views."""
    parts = []
    for view, (low, high) in {"around": (-0.5, 1.5), "among": (0.2, 0.4)}.items():
        steps = low + (high - low) * (np.arange(12) + 0.5) / 12
        u, v = (part.flatten() for part in np.meshgrid(steps, steps, indexing="ij"))
        within = (u > 0) & (v > 0) & (u + v < 1)
        columns = {
            "activation": "sigmoid",
            "view": view,
            "u": u,
            "v": v,
            "region": np.arange(144) // 2,
            "area": np.where(within, inside, outside),
            "convex": ~(bent & (np.arange(144) // 2 == 30)),
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize(("inside", "sign"), [(0.001, 1), (0.02, -1)])
def test_regions_are_smaller_inside_if_the_effect_is_positive(inside, sign):
    found = slice_statements.smaller_inside(grid(inside=inside))
    assert (np.sign(found.mean), found.n) == (sign, 1)


@pytest.mark.parametrize(("bent", "count"), [(False, 0), (True, 2)])
def test_regions_that_are_not_convex_are_counted_in_both_views(bent, count):
    told = slice_statements.regions_of_our_network(grid(bent=bent))
    assert told.startswith(f"of 144 regions of our sigmoid network, {count} have")
    assert told.endswith("0.0012 inside the triangle and 0.01 outside")


def test_mean_area_counts_a_region_by_its_parts():
    """Inside, one region of area 3 and three of area 1: four regions on area 6."""
    points = grid()[:8].assign(
        u=[0.1] * 6 + [2.0] * 2, v=0.1, area=[3.0] * 3 + [1.0] * 3 + [2.0] * 2
    )
    assert slice_statements.mean_areas(points) == pytest.approx((1.5, 2.0))
    assert slice_statements.smaller_inside(points).mean == pytest.approx(np.log(2 / 1.5))


@pytest.mark.parametrize("bent", [False, True])
def test_regions_are_drawn(bent, tmp_path):
    figure = slice_pictures.plane(grid(bent=bent))
    assert len(figure.legends[0].get_texts()) == 2 + bent
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000
