"""Exact work of chapter 4 answers otherwise where the statement, or the network, is otherwise."""

import math

import pytest
import torch
from reactivate.documents.thesis.chapter4 import lemmas1_to_3_claims as regions
from reactivate.documents.thesis.chapter4 import lemmas4_7_to_9_claims as neighbours
from reactivate.documents.thesis.chapter4 import lemmas5_6_claims as bounds
from reactivate.documents.thesis.chapter4 import spheres
from reactivate.documents.thesis.chapter4 import theorem2_claims as distances
from reactivate.documents.thesis.examples import FOUR_LINES
from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.segments import segment_constants
from reactivate.documents.thesis.small_networks import codes, dense, hidden, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.patterns import lipschitz
from reactivate.patterns.regions import hyperplanes_between, same_region
from torch import nn

ONE = ([[1.0]], [0.0])
BOTH = ([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0])
STAIRS = dense(([[1.0]] * 3, [0.0, -1.0, -2.0]), ([[1.0] * 3], [0.0]))  # one hidden layer
# a ReLU network in place of tanh: both ends of the segment have the pattern (0, 1, 1)
STRAIGHT = dense(BOTH, ([[10.0, 10.0]], [4.9]), ONE)
# tanh x + tanh y - 0.9: not convex where both are positive
HOLLOW = dense(BOTH, ([[1.0, 1.0]], [-0.9]), ONE, activation=nn.Tanh)
TIED = dense(([[1.0, 0.0, 0.0, 0.0]], [0.0]), ONE, ONE)
SMALL = {"SIZES": ((2, 24, 24, 2),), "NETWORKS": 1, "POINTS": 5, "INPUTS": 10, "RADII": (0.1,)}
BELOW, ABOVE = spheres.Sphere(inside=1.0, outside=2.0), spheres.Sphere(inside=2.0, outside=1.0)

CONFIRMED, REFUTED = "confirmed", "refuted"
CHANGED = [
    (regions, {"random_dense": lambda sizes, stream: TIED}, "lemma2", CONFIRMED, REFUTED),
    (
        regions,
        {"BENT": STRAIGHT, "BENT_BREAKPOINTS": (0.0,), "BENT_ENDS": ((-0.9, 0.6), (-0.1, 0.9))},
        "lemma3",
        REFUTED,
        CONFIRMED,
    ),
    (
        regions,
        {"codes": lambda network, x: torch.zeros(len(x), 1)},
        "line_visits_once",
        CONFIRMED,
        REFUTED,
    ),
    (
        neighbours,
        {"adjacent_regions": lambda a, b: hyperplanes_between(a, b) == 2},
        "lemma7",
        CONFIRMED,
        REFUTED,
    ),
    (
        neighbours,
        {"fixed": lambda patterns: (patterns != patterns[0]).any(dim=0)},
        "lemma8",
        CONFIRMED,
        REFUTED,
    ),
    (neighbours, {"VALLEY": STAIRS}, "lemma9", REFUTED, CONFIRMED),
    (
        bounds,
        {
            "layer_bounds": lambda *rest: [
                lipschitz.LayerBound(layer.name, layer.slope, layer.norm / 2)
                for layer in lipschitz.layer_bounds(*rest)
            ]
        },
        "lemma5",
        CONFIRMED,
        REFUTED,
    ),
    (
        bounds,
        {"product_bound": lambda layers: lipschitz.product_bound(layers) / 10},
        "lemma6",
        CONFIRMED,
        REFUTED,
    ),
    (
        distances,
        {"segment_constants": lambda *ends: segment_constants(*ends) / 2},
        "segment_bound",
        CONFIRMED,
        REFUTED,
    ),
]
TOLD = [
    (regions, {"random_dense": lambda sizes, stream: HOLLOW}, "linear_regions", " 0 leave"),
    (neighbours, {"IMPLIED": STAIRS}, "released_neurons", "x + 1 is fixed"),
    (neighbours, {"FOUR_LINES": dense(BOTH, ([[1.0, 1.0]], [0.0]))}, "unbounded_regions", "8 of"),
]


@pytest.mark.parametrize(("module", "changes", "check", "before", "after"), CHANGED)
def test_a_check_answers_by_what_it_reads(verdicts, module, changes, check, before, after):
    found = verdicts(module, changes, check)
    assert [str(verdict).split("(")[0] for verdict in found] == [before, after]


@pytest.mark.parametrize(
    ("nearest", "fixed", "steeper", "expected", "counts"),
    [
        (BELOW, BELOW, True, CONFIRMED, ("0 of 5 inputs, of which 0", "0 of 10", "circle, 0 of")),
        (ABOVE, BELOW, True, REFUTED, ("5 of 5 inputs, of which 5", "0 of 10", "circle, 0 of")),
        (BELOW, ABOVE, True, REFUTED, ("0 of 5 inputs, of which 0", "10 of 10", "circle, 10 of")),
        (ABOVE, ABOVE, False, REFUTED, ("5 of 5 inputs, of which 0", "10 of 10", "circle, 0 of")),
        (None, BELOW, True, CONFIRMED, ("0 of 0 inputs", "0 of 10", "circle, 0 of")),
    ],
)
def test_theorem2_counts_spheres(change, nearest, fixed, steeper, expected, counts):
    found = {
        "sphere": lambda *rest: nearest,
        "on_circle": lambda *rest: fixed,
        "has_steeper_neighbour": lambda *rest: steeper,
    }
    change(distances, {**SMALL, **found})
    judgement = distances.theorem2()
    assert str(judgement.verdict).split("(")[0] == expected
    assert all(count in judgement.reason for count in counts)


def test_theorem2_is_refuted_by_networks_with_many_regions(change):
    change(distances, {"SIZES": distances.SIZES[:1], "NETWORKS": 1, "INPUTS": 20})
    assert str(distances.theorem2().verdict) == REFUTED


@pytest.mark.parametrize(("module", "changes", "tell", "expected"), TOLD)
def test_what_is_told_has_the_numbers_that_are_found(change, module, changes, tell, expected):
    assert expected in getattr(module, tell)()
    change(module, changes)
    assert expected not in getattr(module, tell)()


@pytest.fixture(scope="module")
def network():
    return random_dense((2, 24, 24, 24, 3), generator("test", "sphere"))


def test_affine_maps_are_values_and_jacobians(network):
    x = normal((2,), generator("test", "place"))
    values, slopes, jacobian = spheres.affine_maps(network, x)
    torch.testing.assert_close(values, hidden(network, x.unsqueeze(0))[0])
    torch.testing.assert_close(jacobian, torch.func.jacrev(network)(x))
    moved = hidden(network, (x + 1e-7).unsqueeze(0))[0]
    torch.testing.assert_close((moved - values) / 1e-7, slopes.sum(dim=1), atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize("number", range(6))
def test_bounds_on_a_sphere_hold_on_a_fine_circle(network, number):
    """Inside, the largest difference is met; outside, none exceeds the bound."""
    x = normal((2,), generator("test", "centre", number))
    found = spheres.sphere(network, x)
    values, slopes, _ = spheres.affine_maps(network, x)
    distances = values.abs() / slopes.norm(dim=1)
    radius = (1 + spheres.BEYOND) * distances[distances.isfinite()].min()
    around = x + radius * circle(40_000)
    inside = same_region(codes(network, x.unsqueeze(0)), codes(network, around))
    apart = (network(around) - network(x.unsqueeze(0))).norm(dim=1)
    assert found.inside == pytest.approx(apart[inside].max().item(), rel=1e-6)
    assert 0 < (~inside).sum() < 0.05 * len(around)
    assert apart[~inside].max() <= found.outside


def test_a_second_hyperplane_nearby_is_left_out():
    corner = dense(([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[1.0, 1.0]], [0.0]))
    assert spheres.sphere(corner, torch.tensor([1.0, 1.0], dtype=torch.float64)) is None
    alone = spheres.sphere(corner, torch.tensor([1.0, 2.0], dtype=torch.float64))
    assert alone.inside == pytest.approx(math.sqrt(2) * (1 + spheres.BEYOND))


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("radius", [0.05, 0.2])
def test_bounds_on_a_circle_hold_on_a_finer_one(network, number, radius):
    x = normal((2,), generator("test", "circle", number))
    found = spheres.on_circle(network, x, radius)
    around = x + radius * circle(100_003)
    inside = same_region(codes(network, x.unsqueeze(0)), codes(network, around))
    apart = (network(around) - network(x.unsqueeze(0))).norm(dim=1)
    assert (found is None) == (bool(inside.all()) or not bool(inside.any()))
    if found:
        assert found.inside == pytest.approx(apart[inside].max().item(), rel=1e-3)
        most = apart[~inside].max().item()
        assert most <= found.outside <= most + 0.01 * radius * spheres.product(network)


def test_an_arc_between_two_directions_is_not_missed(monkeypatch):
    """Of |x| + 10 y only the arc around the nearest line, x = 0, is outside: 1 of 4 directions."""
    steep = dense(
        ([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]], [0.0, 0.0, 9.0]), ([[1.0, 1.0, 10.0]], [0.0])
    )
    x = torch.tensor([1.0, 0.0], dtype=torch.float64)
    monkeypatch.setattr(spheres, "AROUND", 4)
    at_ends = spheres.on_circle(steep, x, 1.001)
    assert at_ends.inside == pytest.approx(10.01)
    assert at_ends.outside > 10 * math.sqrt(1.001**2 - 1)


@pytest.mark.parametrize(("side", "expected"), [(1.0, False), (-1.0, True)])
def test_a_steeper_neighbour_is_seen_from_the_flat_side(side, expected):
    ramp = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]))
    x = torch.tensor([side], dtype=torch.float64)
    assert spheres.has_steeper_neighbour(ramp, x, generator("test", "ramp")) is expected


def test_regions_of_four_lines_are_counted():
    assert distances.region_count(FOUR_LINES) == 11
