"""Checks of sections 6.1, 6.2 and 6.4 answer otherwise where the statement is otherwise."""

import pytest
import torch
from reactivate.documents.thesis.chapter6 import paths_claims as paths
from reactivate.documents.thesis.chapter6 import section6_4_claims as thesis
from reactivate.documents.thesis.chapter6 import theorem11_claims as float_path
from reactivate.documents.thesis.small_networks import dense, linear_maps

# A has relu(z + 10) - relu(-z) - 9; where it is asked the second neuron is off.
RAISED = dense(([[1.0], [-1.0]], [10.0, 0.0]), ([[1.0, -1.0], [0.0, 0.0]], [-9.0, 0.0]))
NO_FALL = {"tendency": lambda: (0, 7)}
TRUE_IF = [
    ({"ETA2": 0.0}, "theorem10_certificate"),
    ({"NEARBY": 1.5}, "theorem10_certificate"),  # beyond the radius
    ({**NO_FALL, "LOWERED": RAISED, "LOWERED_AT": 0.5}, "theorem10_probability"),
    ({**NO_FALL, "LOWERED_AT": 3.0}, "theorem10_probability"),  # there f predicts B
    ({"STEEP": dense(thesis.LINE, ([[10.0, -10.0], [-10.0, 10.0]], [-99.0, 100.0]))}, "theorem9"),
    ({"RADIUS": 0.05}, "theorem9"),  # the Jacobian is not steep for so small a ball
]
STILL_FALSE_IF = [NO_FALL, {"LOWERED": RAISED, "LOWERED_AT": 0.5}]  # one of the two is enough
LOSSES = float_path.FloatLosses(1.0, 2.0, 2.0, 2.0, 1.0, 2.0)
BELOW = [LOSSES._replace(**{reading: 0.5}) for reading in LOSSES._fields[1:]]


def fixed_by_any(patterns):
    """Neurons that are on for any point, in the place of those with one pattern for all."""
    return (patterns > 0).any(dim=0)


def without_slopes_of_biases(network, x, slopes):
    """The sum over paths in which a bias skips the slope of its own neuron."""
    *below, last = linear_maps(network)
    parts = torch.split(slopes, [layer.out_features for layer in below], dim=-1)
    for layer, own in zip(below, parts, strict=True):
        x = own * (x @ layer.weight.T) + layer.bias
    return x @ last.weight.T


FALSE_IF = [
    (paths, {"path_sum": without_slopes_of_biases}, "theorem8_sum"),
    (paths, {"fixed": fixed_by_any}, "theorem8_difference"),
    (paths, {"fixed": fixed_by_any}, "lemma12"),
    (paths, {"fixed": fixed_by_any}, "fixed_paths_linear"),
    (thesis, {"path_sum": lambda network, x, slopes: network(x)}, "lemma13"),
]


def judged_twice(monkeypatch, module, changes, check):
    """The rulings of a check before and after constants of its module are changed."""
    function = getattr(module, check)
    before = function().verdict.ruling
    for name, value in changes.items():
        monkeypatch.setattr(module, name, value)
    return before, function().verdict.ruling


@pytest.mark.parametrize(("changes", "check"), TRUE_IF)
def test_a_counter_example_refutes_only_where_it_is_one(monkeypatch, changes, check):
    assert judged_twice(monkeypatch, thesis, changes, check) == ("refuted", "confirmed")


@pytest.mark.parametrize("changes", STILL_FALSE_IF)
def test_one_network_is_enough_against_a_probability_that_rises(monkeypatch, changes):
    found = judged_twice(monkeypatch, thesis, changes, "theorem10_probability")
    assert found == ("refuted", "refuted")


@pytest.mark.parametrize(
    ("network", "expected"), [(thesis.LOWERED, (5, 0)), (RAISED, (0, 5)), (thesis.THREE, (0, 0))]
)
def test_random_networks_are_counted_by_what_repression_does(monkeypatch, network, expected):
    """Without float neurons, as in THREE far from 0, nothing is repressed."""
    place = {id(thesis.LOWERED): 1.1, id(RAISED): 0.5, id(thesis.THREE): 30.0}[id(network)]
    monkeypatch.setattr(thesis, "DRAWN", 5)
    monkeypatch.setattr(thesis, "random_dense", lambda *rest, bias: network)
    monkeypatch.setattr(thesis, "normal", lambda *rest: torch.tensor([place]).double())
    assert thesis.tendency() == expected


@pytest.mark.parametrize(("counts", "told"), [((3, 7), True), ((7, 3), False)])
def test_a_tendency_is_told_where_there_is_one(monkeypatch, counts, told):
    monkeypatch.setattr(thesis, "tendency", lambda: counts)
    assert ("tendency" in thesis.theorem10_probability().reason) is told


def test_a_float_neuron_in_the_ball_is_no_counter_example_to_theorem9(monkeypatch):
    monkeypatch.setattr(thesis, "keeps_within", lambda network, x: torch.tensor([True, False]))
    assert thesis.theorem9().verdict.ruling == "confirmed"


@pytest.mark.parametrize("losses", BELOW, ids=LOSSES._fields[1:])
def test_theorem11_is_refuted_in_every_reading_or_not_at_all(monkeypatch, losses):
    changes = {"float_losses": lambda *rest: losses}
    found = judged_twice(monkeypatch, float_path, changes, "theorem11")
    assert found == ("refuted", "confirmed")


@pytest.mark.parametrize("changes", [{"ATTACKED": 10.1}, {"CLEAN": 10.0}])
def test_without_an_example_to_correct_theorem11_is_not_refuted(monkeypatch, changes):
    assert judged_twice(monkeypatch, float_path, changes, "theorem11") == ("refuted", "confirmed")


@pytest.mark.parametrize(("module", "changes", "check"), FALSE_IF)
def test_a_true_statement_is_confirmed_only_as_it_is(monkeypatch, module, changes, check):
    assert judged_twice(monkeypatch, module, changes, check) == ("confirmed", "refuted")


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_as_many_random_networks_are_told_as_were_drawn(monkeypatch, share):
    networks = int(paths.NETWORKS * share)
    monkeypatch.setattr(paths, "NETWORKS", networks)
    assert paths.lemma12().cases == networks
    assert f"in {networks} random" in paths.lemma12().reason


def test_votes_without_float_paths_are_those_of_the_input(monkeypatch):
    assert "predicts A" in thesis.lemma14()
    assert "0.260 for A, 0.495 for B" in thesis.lemma14()
    monkeypatch.setattr(thesis, "BETWEEN", 10.1)
    assert "predicts B" in thesis.lemma14()
