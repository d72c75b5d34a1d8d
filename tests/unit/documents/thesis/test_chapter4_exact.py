"""Exact work of chapter 4 answers otherwise where the statement, or the network, is otherwise."""

import math

import pytest
import torch
from reactivate.documents.thesis.chapter4 import lemmas1_to_3_claims as regions
from reactivate.documents.thesis.chapter4 import lemmas4_7_to_9_claims as neighbours
from reactivate.documents.thesis.chapter4 import lemmas5_6_claims as bounds
from reactivate.documents.thesis.chapter4 import theorem2_claims as spheres
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
SMALL = {"SIZES": ((2, 8, 8, 2),), "NETWORKS": 1, "POINTS": 5, "region_count": lambda network: 1}

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
        spheres,
        {"segment_constants": lambda *ends: segment_constants(*ends) / 2},
        "segment_bound",
        CONFIRMED,
        REFUTED,
    ),
    (spheres, {**SMALL, "BEYOND": 10.0}, "theorem2", REFUTED, CONFIRMED),
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


def test_regions_of_four_lines_are_counted():
    assert spheres.region_count(FOUR_LINES) == 11
