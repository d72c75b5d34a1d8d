"""Checks of sections 6.1, 6.2 and 6.4 answer otherwise where the statement is otherwise."""

import pytest
import torch
from reactivate.documents.thesis.chapter6 import paths_claims as paths
from reactivate.documents.thesis.chapter6 import section6_4_claims as thesis
from reactivate.documents.thesis.small_networks import dense, linear_maps

# A has relu(z + 10) - relu(-z) - 9; where it is asked the second neuron is off.
RAISED = dense(([[1.0], [-1.0]], [10.0, 0.0]), ([[1.0, -1.0], [0.0, 0.0]], [-9.0, 0.0]))
TRUE_IF = [
    ({"ETA2": 0.0}, "theorem10_certificate"),
    ({"NEARBY": 1.5}, "theorem10_certificate"),  # beyond the radius
    ({"LOWERED": RAISED, "LOWERED_AT": 0.5}, "theorem10_probability"),
    ({"LOWERED_AT": 3.0}, "theorem10_probability"),  # there f predicts B
    ({"STEEP": dense(thesis.LINE, ([[10.0, -10.0], [-10.0, 10.0]], [-99.0, 100.0]))}, "theorem9"),
    ({"RADIUS": 0.05}, "theorem9"),  # the Jacobian is not steep for so small a ball
    ({"float_losses": lambda label: (1.0, 0.5, 2.0)}, "theorem11"),
    ({"float_losses": lambda label: (1.0, 2.0, 0.5)}, "theorem11"),
    ({"BETWEEN": 10.1}, "theorem11"),  # nothing to correct
]


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
