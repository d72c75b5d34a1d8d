"""Similarity by packed bits equals the loop over pairs, and matrix products, bit for bit."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reactivate.patterns import packed, similarity


def random_codes(points, neurons, patterns, abstaining, seed=0):
    stream = torch.Generator().manual_seed(seed)
    codes = torch.randint(0, patterns, (points, neurons), dtype=torch.int8, generator=stream)
    codes[torch.rand(codes.shape, generator=stream) < abstaining] = -1
    return codes


def looped(a, b):
    """Agreeing neurons over neurons, one pair and one neuron at a time."""
    return [
        [sum(i == j != -1 for i, j in zip(x, y, strict=True)) / len(x) for y in b.tolist()]
        for x in a.tolist()
    ]


@pytest.mark.parametrize("patterns", [1, 2, 3, 6])
@pytest.mark.parametrize("abstaining", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(("points", "others", "neurons"), [(1, 1, 1), (7, 5, 33), (20, 3, 1)])
def test_bits_of_two_sets_equal_the_loop(patterns, abstaining, points, others, neurons):
    a = random_codes(points, neurons, patterns, abstaining)
    b = random_codes(others, neurons, patterns, abstaining, seed=1)
    assert similarity.all_pairs(a, b).tolist() == looped(a, b)
    assert similarity.all_pairs(a).tolist() == looped(a, a)


@pytest.mark.parametrize("abstaining", [0.0, 0.001])
@pytest.mark.parametrize("patterns", [2, 3])
def test_blocks_of_rows_and_neurons_leave_no_gap(monkeypatch, patterns, abstaining):
    monkeypatch.setattr(packed, "ROWS", 4)
    monkeypatch.setattr(packed, "WORDS", 2)
    a = random_codes(13, 150, patterns, abstaining)
    b = random_codes(9, 150, patterns, abstaining, seed=1)
    assert similarity.all_pairs(a).tolist() == looped(a, a)
    assert similarity.all_pairs(a, b).tolist() == looped(a, b)


@pytest.mark.parametrize("patterns", [2, 3])
@pytest.mark.parametrize("abstaining", [0.0, 0.2])
def test_more_neurons_than_a_block_and_more_points_equal_products(patterns, abstaining):
    neurons = 64 * packed.WORDS + 1
    a = random_codes(packed.ROWS + 1, neurons, patterns, abstaining)
    b = random_codes(3, neurons, patterns, abstaining, seed=1)
    for left, right, found in (
        (a, a, similarity.count_agreements(a)),
        (a, b, similarity.count_agreements(a, b)),
        (b, a, similarity.count_agreements(b, a)),
    ):
        ones = [[(codes == code).double() for codes in (left, right)] for code in range(patterns)]
        assert torch.equal(found, sum(one @ other.mT for one, other in ones).long())


def test_a_block_in_which_all_neurons_differ_or_agree_overflows_nothing():
    neurons = 64 * packed.WORDS
    codes = torch.arange(2, dtype=torch.int8).repeat_interleave(2)[:, None].expand(4, neurons)
    wanted = neurons * (codes[:, :1] == codes[:, 0]).long()
    assert torch.equal(similarity.count_agreements(codes), wanted)
    assert torch.equal(similarity.count_agreements(2 * codes), wanted)  # by indicators


@given(
    st.integers(2, 9),
    st.integers(1, 40),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.2]),
    st.integers(0, 1000),
)
@settings(max_examples=40)
def test_every_way_to_the_expectation_is_exact(points, neurons, patterns, abstaining, seed):
    codes = random_codes(points, neurons, patterns, abstaining, seed)
    agreeing = sum(
        i == j != -1
        for x in range(points)
        for y in range(x)
        for i, j in zip(codes[x].tolist(), codes[y].tolist(), strict=True)
    )
    exact = Fraction(agreeing, neurons * points * (points - 1) // 2)
    assert similarity.expectation(codes) == float(exact)
    assert similarity.set_similarities(codes).mean().item() == pytest.approx(float(exact))


@given(st.lists(st.integers(0, 10), min_size=1), st.lists(st.integers(0, 10), min_size=1))
def test_the_distribution_is_the_share_of_larger_pairs(tenths, limits):
    values = torch.tensor(tenths, dtype=torch.float64) / 10
    found = similarity.distribution(values, [limit / 10 for limit in limits])
    wanted = [sum(value > limit for value in tenths) / len(tenths) for limit in limits]
    assert found.tolist() == wanted


def test_the_distribution_integrates_to_the_expectation():
    codes = random_codes(12, 10, 2, 0.0)
    tenths = torch.arange(10, dtype=torch.float64) / 10
    above = similarity.distribution(similarity.set_similarities(codes), tenths)
    assert above.mean().item() == pytest.approx(similarity.expectation(codes))
