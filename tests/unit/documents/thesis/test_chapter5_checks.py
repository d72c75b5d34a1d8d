"""Exact checks of chapter 5 answer otherwise where the statement, or the example, is otherwise."""

import pytest
import torch
from reactivate.documents.thesis import generic
from reactivate.documents.thesis.chapter5 import (
    entropy_claims,
    experiments_claims,
    section5_4_claims,
    similarity_claims,
    theorem4_claims,
    theorems5_to_7_claims,
    transitions_claims,
)
from reactivate.documents.thesis.small_networks import codes, dense, linear_maps, random_dense
from reactivate.foundation.seeding import generator
from reactivate.patterns.similarity import pair_similarity

STAIRS = dense(([[1.0], [1.0]], [0.0, -1.0]), ([[1.0, 1.0]], [0.0]))  # no neuron comes back
SUM = dense(([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[1.0, 1.0]], [0.0]))
# three neurons, of which two have one hyperplane
DOUBLED = dense(([[1.0], [1.0], [2.0]], [0.0, 0.5, 0.0]), ([[1.0, 1.0, 1.0]], [0.0]))
# three lines beyond which little of a square lies
EDGE = dense(([[1.0, 0.0], [1.0, 0.01], [1.0, -0.02]], [-0.96, -0.98, -0.9]), ([[1.0] * 3], [0.0]))
ROUND = theorems5_to_7_claims.Metrics(
    entropy=torch.tensor([1.0, 2.0]),
    distance=torch.tensor([1.0, 2.0]),
    error=torch.full((2,), 0.01),
    accuracy=torch.ones(2),
)
SQUARE = ROUND._replace(distance=torch.tensor([2.0, 1.0]))


def longer_layers(sizes, stream):
    return random_dense((8, 16, 16, 16, 1), stream)


REFUTED, CONFIRMED = "refuted", "confirmed"
CASES = [
    (transitions_claims, {"random_dense": longer_layers}, "lemma10", CONFIRMED, REFUTED),
    (
        transitions_claims,
        {"codes": lambda net, x: codes(net, x).repeat(1, 2)},
        "equation5_6",
        CONFIRMED,
        REFUTED,
    ),
    (transitions_claims, {"VALLEY": STAIRS}, "equation5_6_not_always", CONFIRMED, "not_run"),
    (transitions_claims, {"VALLEY": STAIRS}, "theorem3", REFUTED, CONFIRMED),
    (
        theorem4_claims,
        {"passed": lambda net, x, y: (len(x), -float((y - x).norm()))},
        "theorem4",
        CONFIRMED,
        REFUTED,
    ),
    (
        theorem4_claims,
        {"ALIKE": theorem4_claims.DIFFERENT, "DIFFERENT": theorem4_claims.ALIKE},
        "theorem4_datasets",
        REFUTED,
        CONFIRMED,
    ),
    (
        similarity_claims,
        {"INPUTS": ((0.6, -0.2), (-1.5, 1.8))},
        "similarity_example",
        CONFIRMED,
        "not_comparable",
    ),
    (
        similarity_claims,
        {"pair_similarity": lambda a, b: -pair_similarity(a, b)},
        "similarity_falls",
        "holds",
        "fails",
    ),
    (
        similarity_claims,
        {"segment_constants": lambda net, x, y: 1 / (y - x).norm(dim=1) ** 3},
        "bound_rises",
        "holds",
        "undecided",
    ),
    (
        theorems5_to_7_claims,
        {"STRIPS": theorems5_to_7_claims.CROSSES, "CROSSES": EDGE},
        "theorem6",
        REFUTED,
        CONFIRMED,
    ),
    (
        theorems5_to_7_claims,
        {"AS_MEANT": theorems5_to_7_claims.AS_PRINTED},
        "theorem7",
        REFUTED,
        CONFIRMED,
    ),
    (
        theorems5_to_7_claims,
        {"AS_PRINTED": theorems5_to_7_claims.AS_MEANT},
        "theorem7",
        REFUTED,
        CONFIRMED,
    ),
    (
        entropy_claims,
        {"largest_entropy": lambda p, k: p * (1 - p)},
        "maximum_of_two",
        CONFIRMED,
        REFUTED,
    ),
    (
        entropy_claims,
        {"largest_entropy": lambda p, k: 1.095 - (p - 0.5) ** 2},
        "maximum_of_three",
        CONFIRMED,
        REFUTED,
    ),
    (entropy_claims, {"NEAR_MAXIMUM": 0.62}, "half_near_maximum", CONFIRMED, REFUTED),
    (experiments_claims, {"POINTS": 51}, "pairs_and_points", CONFIRMED, REFUTED),
    (experiments_claims, {"INTERIOR": 511}, "pairs_and_points", CONFIRMED, REFUTED),
    (section5_4_claims, {"FINE_TUNING": 10}, "pruning_iterations", CONFIRMED, REFUTED),
]


@pytest.mark.parametrize(("module", "changes", "check", "before", "after"), CASES)
def test_a_changed_input_changes_the_verdict(verdicts, module, changes, check, before, after):
    found = [str(verdict).split("(")[0] for verdict in verdicts(module, changes, check)]
    assert found == [before, after]


def test_adjacent_regions_that_share_two_hyperplanes_are_seen(monkeypatch):
    monkeypatch.setattr(transitions_claims, "random_dense", lambda sizes, stream: DOUBLED)
    monkeypatch.setattr(
        transitions_claims, "normal", lambda shape, stream: torch.tensor([[-1.0], [1.0]]).double()
    )
    assert str(transitions_claims.equation5_6().verdict) == REFUTED


@pytest.mark.parametrize(("found", "against"), [(ROUND, 0), (SQUARE, 1)])
def test_pairs_against_theorem5_are_counted(monkeypatch, found, against):
    monkeypatch.setattr(theorems5_to_7_claims, "trained", lambda: found)
    assert f"{against} of 1 pairs" in theorems5_to_7_claims.theorem5()


@pytest.mark.parametrize(("mean", "share"), [(0.1, "94.9%"), (0.62, "50.0%")])
def test_a_mean_entropy_bounds_the_status_of_half_of_the_neurons(monkeypatch, mean, share):
    monkeypatch.setattr(entropy_claims, "WORST_MODELS", mean)
    assert share in entropy_claims.constant_at_low_entropy()


def test_networks_behind_theorem5_have_learned(monkeypatch):
    monkeypatch.setattr(theorems5_to_7_claims, "STEPS", 300)
    monkeypatch.setattr(theorems5_to_7_claims, "TRAINED", 4)
    found = theorems5_to_7_claims.trained()
    assert found.accuracy.min() > 0.75
    assert found.entropy.max() < 16 * 0.6932
    monkeypatch.setattr(theorems5_to_7_claims, "STEPS", 0)
    assert theorems5_to_7_claims.trained().accuracy.max() < 0.75


@pytest.mark.parametrize("either", ["regions", "shared"])
def test_regions_and_shared_patterns_count_each(monkeypatch, either):
    """Theorem 6 is refuted by one of the two alone."""
    real = theorems5_to_7_claims.on_square

    def without(network):
        other = {"regions": "shared", "shared": "regions"}[either]
        return real(network)._replace(**{other: 0})

    monkeypatch.setattr(theorems5_to_7_claims, "on_square", without)
    assert str(theorems5_to_7_claims.theorem6().verdict) == REFUTED


def test_transitions_to_points_of_one_hidden_layer_are_those_of_codes():
    found = theorem4_claims.of_data(SUM, ((1.0, 1.0),), generator("test", "data"))
    root = 2**0.5
    assert found == pytest.approx((0, 0.90, root, root, root), abs=0.03)  # mean of |cos + sin|


@pytest.mark.parametrize("name", ["pair", "crossed", "incomplete", "everywhere"])
def test_every_range_of_the_supremum_of_theorem4_counts(monkeypatch, name):
    real = theorem4_claims.of_data

    def level(network, centres, stream):
        return real(network, centres, stream)._replace(**{name: 1.0})

    monkeypatch.setattr(theorem4_claims, "of_data", level)
    monkeypatch.setattr(theorem4_claims, "NETWORKS", 1)
    assert str(theorem4_claims.theorem4_datasets().verdict).startswith(CONFIRMED)


def test_an_incomplete_region_holds_the_fixed_neurons_only(monkeypatch):
    """From x, y < 0 to x < 0 < y: of 5 max(x, 0) - 3 max(y, 0) the second neuron alone is free."""
    uneven = dense(([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[5.0, -3.0]], [0.0]))
    ends = iter([torch.tensor([[-3.0, -3.0]]).double(), torch.tensor([[-3.0, 1.0]]).double()])
    monkeypatch.setattr(theorem4_claims, "mixture", lambda *rest: next(ends))
    monkeypatch.setattr(theorem4_claims, "CENTRES", 1)
    found = theorem4_claims.of_data(uneven, ((0.0, 0.0),), generator("test", "ends"))
    assert found == pytest.approx((1, 0.75, 3, 3, 5), abs=0.01)  # 5 far to the right


def test_a_nudged_network_is_near_and_the_first_one_is_as_it_was():
    before = linear_maps(STAIRS)[0].weight.clone()
    near = generic.nudged(STAIRS, generator("test", "nudge"))
    change = (linear_maps(near)[0].weight - before).abs()
    assert 0 < change.min() <= change.max() < 0.01
    assert torch.equal(linear_maps(STAIRS)[0].weight, before)


def test_a_mixture_has_its_centres_and_its_deviation():
    points = generic.mixture([[-3.0], [3.0]], 0.1, 4000, generator("test", "mixture"))
    assert (points > 0).double().mean() == pytest.approx(0.5, abs=0.05)
    assert (points.abs() - 3).std() == pytest.approx(0.1, abs=0.01)
    assert len(torch.unique(points)) == 4000


@pytest.mark.parametrize(
    ("module", "changes", "name"),
    [
        (theorem4_claims, {"SLANTED": SUM}, "union_constant"),
        (section5_4_claims, {"WEIGHTS": (1.0, 4.0, 5.0, 5.0, 6.0)}, "normalised_product"),
        (
            experiments_claims,
            {("thesis", "table5_1", "relu", "mnist"): "99.20"},
            "gelu_in_table5_1",
        ),
    ],
)
def test_a_finding_is_told_with_its_numbers(change, module, changes, name):
    before = getattr(module, name)()
    change(module, changes)
    assert isinstance(before, str)
    assert getattr(module, name)() != before


def test_printed_numbers_agree_with_the_order_of_activations():
    assert experiments_claims.gelu_in_table5_1().startswith("Table 5.1 has this order on 2 of 2")
