"""Regions, adjacent regions, incomplete patterns, float and fixed neurons."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.models.mlp import MLP
from reactivate.patterns.breakpoints import encode
from reactivate.patterns.preactivations import preactivations_of
from reactivate.patterns.regions import (
    adjacent_regions,
    hyperplanes_between,
    patterns_of,
    region_numbers,
    same_region,
    within,
)
from reactivate.patterns.stability import Stability, stabilities


def codes(*rows):
    return torch.tensor(rows, dtype=torch.int8)


@st.composite
def tables(draw, fewest=1):
    """Codes of some points, abstentions among them."""
    points, neurons = draw(st.integers(fewest, 8)), draw(st.integers(1, 6))
    row = st.lists(st.sampled_from([0, 0, 1, 1, 2, -1]), min_size=neurons, max_size=neurons)
    return codes(*draw(st.lists(row, min_size=points, max_size=points)))


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_patterns_are_the_codes_of_all_layers_side_by_side(activation, batch_size):
    torch.manual_seed(0)
    network, x = MLP(activation, features=2, hidden=(5, 3)).double(), torch.randn(7, 2).double()
    found = patterns_of(network, x, batch_size=batch_size)
    points = (0.0,) if activation == "relu" else (-0.5, 0.5)
    layers = {name: encode(z, points) for name, z in preactivations_of(network, x).items()}
    assert torch.equal(found.codes, torch.cat(list(layers.values()), dim=1))
    assert dict(found.layers) == {"1.activation": 5, "2.activation": 3}
    assert all(torch.equal(found.layer(name), part) for name, part in layers.items())


def test_breakpoints_can_be_chosen():
    network, x = MLP("sigmoid", features=2), torch.randn(4, 2)
    (z,) = preactivations_of(network, x).values()
    assert torch.equal(patterns_of(network, x, (-3.0, 3.0)).codes, encode(z, (-3.0, 3.0)))


@given(tables(fewest=2))
def test_points_share_a_region_if_their_patterns_are_equal_and_complete(table):
    a, b = table[0], table[1]
    assert bool(same_region(a, b)) == (a.tolist() == b.tolist() and -1 not in a.tolist())


@given(tables(fewest=2))
def test_adjacent_regions_differ_in_one_step_of_one_neuron(table):
    a, b = table[0].tolist(), table[1].tolist()
    steps = [abs(i - j) for i, j in zip(a, b, strict=True)]
    wanted = sorted(steps)[-1] == 1 and sum(steps) == 1 and -1 not in a + b
    assert bool(adjacent_regions(table[0], table[1])) == wanted


def test_two_breakpoints_of_one_neuron_are_two_hyperplanes():
    assert hyperplanes_between(codes(0, 1), codes(2, 1)) == 2
    assert not adjacent_regions(codes(0, 1), codes(2, 1))


def test_no_distance_is_known_from_a_point_on_a_hyperplane():
    assert hyperplanes_between(codes(0, -1), codes(0, 1)) == -1


def test_an_incomplete_pattern_constrains_its_neurons_only():
    points, pattern = codes([1, 0, 1], [1, 1, 1], [-1, 0, 1]), codes(1, 0, 1)
    chosen = torch.tensor([True, False, True])
    assert within(points, pattern, chosen).tolist() == [True, True, False]
    assert within(points, pattern, torch.tensor([], dtype=torch.int64)).all()


@given(tables())
def test_two_points_have_one_region_number_if_they_share_a_region(table):
    numbers = region_numbers(table)
    together = same_region(table[:, None], table[None])
    inside = (numbers >= 0)[:, None] & (numbers >= 0)[None]
    assert torch.equal((numbers[:, None] == numbers[None]) & inside, together)
    assert numbers.max() < len(table)


@given(tables(), st.integers(1, 8))
def test_float_and_fixed_neurons_of_batches_are_those_of_the_whole_set(table, size):
    stability = Stability()
    for start in range(0, len(table), size):
        stability.update(table[start : start + size])
    columns = [column.tolist() for column in table.T]
    wanted = [len(set(column)) == 1 and -1 not in column for column in columns]
    assert stability.fixed.tolist() == wanted
    assert stability.floating.tolist() == [not fixed for fixed in wanted]
    assert stability.points == len(table)


@given(tables())
def test_lemma_8_all_points_lie_in_the_region_of_the_fixed_neurons(table):
    stability = Stability()
    stability.update(table)
    assert within(table, stability.pattern, stability.fixed).all()


def test_one_point_fixes_every_neuron_that_does_not_abstain():
    stability = Stability()
    stability.update(codes([0, -1, 2]))
    assert stability.fixed.tolist() == [True, False, True]
    assert stability.pattern.tolist() == [0, -1, 2]


def test_no_points_say_nothing():
    stability = Stability()
    stability.update(torch.zeros(0, 3, dtype=torch.int8))
    assert (stability.points, len(stability.fixed), len(stability.pattern)) == (0, 0, 0)


def test_dead_neurons_are_fixed():
    network = MLP(features=2, hidden=(4,))
    with torch.no_grad():
        network[1].layer.bias.fill_(-100.0)
    layer = stabilities(network, torch.randn(3, 5, 2))["1.activation"]
    assert layer.points == 15
    assert layer.fixed.all()
    assert layer.pattern.tolist() == [0] * 4
