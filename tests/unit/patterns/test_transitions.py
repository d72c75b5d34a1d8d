"""The sampled estimate: points of Eq. 5.20, changes of the pattern and of neurons."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.models.mlp import MLP
from reactivate.patterns.crossings import SegmentWalk, count_transitions
from reactivate.patterns.regions import patterns_of
from reactivate.patterns.transitions import carried, estimate_transitions, segment_points
from torch import nn


def test_there_are_514_points_and_the_ends_are_exact():
    x, y = torch.randn(2, 3, 1, 4, 4)
    points = segment_points(x, y)
    assert points.shape == (3, 514, 1, 4, 4)
    assert torch.equal(points[:, 0], x)
    assert torch.equal(points[:, -1], y)
    torch.testing.assert_close(points[:, 100], 100 / 513 * (y - x) + x)


@pytest.mark.parametrize("activation", ["relu", "sigmoid", "gelu"])
@pytest.mark.parametrize("batch_size", [1, 70, 1000])
def test_the_estimate_is_the_sum_over_neighbouring_points(activation, batch_size):
    torch.manual_seed(0)
    network = MLP(activation, features=3, hidden=(20, 20)).double()
    x, y = 3 * torch.randn(2, 5, 3, dtype=torch.float64)
    found = estimate_transitions(network, x, y, interior=31, batch_size=batch_size)
    for index, points in enumerate(segment_points(x, y, 31)):
        codes = patterns_of(network, points).codes.tolist()
        steps = list(pairwise(codes))
        assert found.regions[index] == sum(a != b for a, b in steps)
        assert found.flips[index] == sum(
            i != j for a, b in steps for i, j in zip(a, b, strict=True)
        )


def test_as_many_segments_are_passed_at_once_as_fit():
    network, passed = MLP(features=3), []
    network.register_forward_pre_hook(lambda network, x: passed.append(len(x[0])))
    estimate_transitions(network, *torch.randn(2, 7, 3), interior=31, batch_size=3 * 33)
    assert passed == [3 * 33, 3 * 33, 33]


def test_the_printed_estimate_saturates_where_flips_do_not():
    torch.manual_seed(0)
    network = MLP(features=2, hidden=(3000,)).double()
    x, y = torch.tensor([[-50.0, 1.0]]).double(), torch.tensor([[50.0, 3.0]]).double()
    found = estimate_transitions(network, x, y)
    assert found.regions.item() <= 513
    assert found.flips.item() == SegmentWalk(network).crossings(x[0], y[0]).flips > 513


def test_no_segments_have_no_transitions():
    found = estimate_transitions(MLP(features=2), torch.zeros(0, 2), torch.zeros(0, 2))
    assert found.regions.shape == found.flips.shape == (0,)


def test_a_segment_of_length_zero_has_no_transitions():
    network, x = MLP(features=2), torch.randn(1, 2)
    found = estimate_transitions(network, x, x)
    assert (found.regions.item(), found.flips.item()) == (0, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([0, -1, 1], [0, 0, 1]),
        ([0, -1, 0], [0, 0, 0]),
        ([-1, -1, 1], [1, 1, 1]),
        ([1, -1, -1], [1, 1, 1]),
        ([-1, -1, -1], [-1, -1, -1]),
        ([0, 1, 0], [0, 1, 0]),
    ],
)
def test_an_abstention_keeps_the_code_before_it(before, after):
    codes = torch.tensor(before, dtype=torch.int8).reshape(1, -1, 1)
    beside = torch.cat([codes, torch.ones_like(codes)], dim=2)  # a neuron that never abstains
    assert carried(beside)[0, :, 0].tolist() == after
    assert carried(beside)[0, :, 1].tolist() == [1, 1, 1]


def test_a_crossing_at_a_sampled_point_counts_once():
    network = nn.Sequential(nn.Identity(), nn.ReLU())
    x, y = torch.tensor([[-1.0]]), torch.tensor([[1.0]])
    found = estimate_transitions(network, x, y, interior=3)
    assert (found.regions.item(), found.flips.item()) == (1, 1)


def carried_by_hand(codes):
    """The codes of one neuron along one segment, a hole filled by the last code, or the next."""
    decided = [code for code in codes if code != -1]
    found, last = [], decided[0] if decided else -1
    for code in codes:
        last = last if code == -1 else code
        found.append(last)
    return found


@given(st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3)), st.integers(0, 99))
def test_holes_are_filled_along_each_segment(shape, seed):
    codes = torch.randint(-1, 3, shape, generator=torch.Generator().manual_seed(seed))
    found = carried(codes)
    for segment, row in enumerate(codes):
        for neuron, column in enumerate(row.T.tolist()):
            assert found[segment, :, neuron].tolist() == carried_by_hand(column)


def test_every_start_has_an_end():
    with pytest.raises(ValueError, match="zip"):
        count_transitions(MLP(features=2), torch.zeros(2, 2), torch.ones(3, 2))
