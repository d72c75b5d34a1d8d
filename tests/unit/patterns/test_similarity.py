"""Pattern similarity of single points, single neurons, dead neurons and empty sets."""

import math

import pytest
import torch
from reactivate.models.mlp import MLP
from reactivate.patterns import similarity
from reactivate.patterns.entropy import count_patterns
from reactivate.patterns.regions import patterns_of


def codes(*rows):
    return torch.tensor(rows, dtype=torch.int8)


def test_the_example_of_the_thesis_one_of_eight_neurons_differs():
    a = codes(1, 0, 1, 1, 0, 0, 1, 1)
    b = codes(1, 0, 1, 0, 0, 0, 1, 1)
    assert similarity.pair_similarity(a, b) == 0.875


def test_abstentions_agree_with_nothing_not_even_with_each_other():
    a = codes(-1, -1, 0, 1)
    assert similarity.pair_similarity(a, codes(-1, 0, 0, 1)) == 0.5
    assert similarity.pair_similarity(a, a) == 0.5
    assert similarity.all_pairs(a[None]).tolist() == [[0.5]]


def test_one_point_broadcasts_over_a_set():
    table = codes([0, 0], [0, 1], [1, 1])
    assert similarity.pair_similarity(table[0], table).tolist() == [1.0, 0.5, 0.0]


def test_a_set_of_one_has_the_similarity_of_its_point_to_itself():
    for row, share in (([0, 1, 2], 1.0), ([0, -1, -1, 1], 0.5)):
        one = codes(row)
        assert similarity.set_similarities(one).tolist() == [share]
        assert similarity.expectation(one) == share
        found = similarity.distribution(similarity.set_similarities(one), [0.4, 1.0])
        assert found.tolist() == [1.0, 0.0]


def test_dead_neurons_always_agree():
    table = torch.zeros(6, 9, dtype=torch.int8)
    assert similarity.expectation(table) == 1.0
    assert (similarity.all_pairs(table) == 1).all()


def test_neurons_that_always_abstain_never_agree():
    table = torch.full((6, 9), -1, dtype=torch.int8)
    assert similarity.expectation(table) == 0.0
    assert similarity.expectation_from_counts(torch.zeros(2, 9, dtype=torch.int64), 6) == 0.0
    assert (similarity.all_pairs(table) == 0).all()


def test_a_dataset_of_equal_points_is_as_similar_as_can_be():
    table = codes([0, 1, 2]).repeat(4, 1)
    assert similarity.set_similarities(table).tolist() == [1.0] * 6
    assert similarity.expectation(table) == 1.0


def test_shares_above_lambda_do_not_include_lambda():
    values = torch.tensor([0.9, 0.7, 0.9], dtype=torch.float64)
    found = similarity.distribution(values, [0.0, 0.7, 0.8, 0.9])
    assert found.tolist() == [1.0, 2 / 3, 2 / 3, 0.0]


def test_the_distribution_of_no_pairs_is_not_a_number():
    assert math.isnan(similarity.distribution(torch.zeros(0), [0.5]).item())


def test_a_set_without_points_is_refused():
    with pytest.raises(ValueError, match=r"has 0 points and no pairs; accepted: .* Pass the pat"):
        similarity.expectation(torch.zeros(0, 3, dtype=torch.int8))


def test_patterns_without_neurons_are_refused():
    with pytest.raises(ValueError, match=r"0 neurons .*; accepted: at least one .* Pass codes"):
        similarity.all_pairs(torch.zeros(3, 0, dtype=torch.int8))


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_expectation_needs_counts_only(activation):
    torch.manual_seed(0)
    network, x = MLP(activation, features=2, hidden=(9, 8)), torch.randn(30, 2)
    counts = count_patterns(network, torch.split(x, 7))
    together = torch.cat([layer.counts for layer in counts.values()], dim=1)
    wanted = similarity.expectation(patterns_of(network, x).codes)
    assert similarity.expectation_from_counts(together, 30) == wanted
