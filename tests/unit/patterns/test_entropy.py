"""Summaries of neuron entropy are defined for every layer."""

import math

import pytest
import torch
from reactivate.models.mlp import MLP
from reactivate.patterns.entropy import (
    PatternCounts,
    count_patterns,
    entropy_of,
    histogram,
    summarize,
)


@pytest.mark.parametrize("patterns", [2, 3, 5])
def test_entropy_is_largest_for_equal_shares(patterns):
    equal = entropy_of(torch.full((patterns, 1), 7))
    assert equal.item() == pytest.approx(math.log(patterns), rel=1e-15)


def test_the_printed_largest_entropies():
    """Errata T-16: 0.69 is right, 1.09 should be 1.10; T-15: 0.62 is not a share of 50 %."""
    assert f"{math.log(2):.2f}" == "0.69"
    assert f"{math.log(3):.2f}" == "1.10"
    counts = torch.tensor([[311, 500], [689, 500]])
    assert entropy_of(counts).tolist() == pytest.approx([0.62, 0.693], abs=5e-4)


def test_dead_neurons_and_those_that_always_abstain_have_entropy_zero():
    counts = PatternCounts((0.0,))
    counts.update(torch.tensor([[-1.0, 5.0, 0.0, float("nan")]] * 4))
    assert counts.entropy().tolist() == [0.0] * 4
    assert counts.counts.sum(dim=0).tolist() == [4, 4, 0, 0]


def test_one_point_has_entropy_zero():
    layers = count_patterns(MLP("tanh", features=2), [torch.randn(1, 2)])
    assert layers["1.activation"].entropy().abs().max() == 0


def test_before_the_first_point_nothing_is_counted():
    counts = PatternCounts((-0.5, 0.5))
    assert counts.counts.shape == (3, 0)
    assert counts.entropy().shape == (0,)


def test_neurons_keep_the_shape_of_their_layer():
    counts = PatternCounts((0.0,))
    counts.update(torch.randn(6, 3, 4, 5))
    assert counts.counts.shape == (2, 3, 4, 5)
    assert counts.entropy().shape == (3, 4, 5)


def test_a_layer_of_one_neuron_has_variance_zero():
    layer = summarize(torch.tensor([[0.3]], dtype=torch.float64))
    assert (layer.neurons, layer.mean, layer.variance, layer.constant) == (1, 0.3, 0.0, 0.0)


def test_histogram_places_both_ends():
    largest = entropy_of(torch.full((3, 1), 1))
    counts, edges = histogram(torch.cat([largest, torch.zeros(4)]), patterns=3, bins=10)
    assert counts.tolist() == [4, *[0] * 8, 1]
    assert edges[-1] == math.log(3)


def test_histogram_counts_every_neuron_once():
    entropy = entropy_of(torch.randint(0, 50, (2, 1000), generator=torch.Generator()))
    counts, edges = histogram(entropy, bins=7)
    wanted = torch.histogram(entropy, edges)[0]
    assert edges[-1].item() == pytest.approx(math.log(2))  # of two patterns, if nothing is said
    assert counts.sum() == 1000
    assert counts.tolist() == wanted.tolist()
