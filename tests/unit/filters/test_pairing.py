"""Pairing filters: their correlations lie in [-1, 1], find opposites, and forget scale."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reactivate.filters.pairing import pair_filters, random_filters, unit_filters


def drawn(seed, shape=(6, 3, 3, 3)):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(1, 4))
def test_correlations_lie_between_minus_1_and_1(seed, filters, channels):
    pairs = pair_filters(drawn(seed, (filters, channels, 2, 2)).float())
    assert pairs.correlations.min() >= -1
    assert pairs.correlations.max() <= 1
    assert set(pairs.partners.tolist()) <= set(range(filters))


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_exactly_opposite_filters_are_each_others_pairing_filters(seed):
    half = drawn(seed)
    factors = drawn(seed + 1, (6, 1, 1, 1)).abs() + 0.1
    pairs = pair_filters(torch.cat([half, -factors * half]))
    torch.testing.assert_close(pairs.correlations, -torch.ones(12, dtype=torch.float64))
    assert pairs.partners.tolist() == [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5]


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_the_length_of_filters_does_not_matter(seed):
    weight, factors = drawn(seed), drawn(seed + 1, (6, 1, 1, 1)).abs() + 0.01
    one, other = pair_filters(weight), pair_filters(factors * weight)
    torch.testing.assert_close(one.correlations, other.correlations)
    assert one.partners.tolist() == other.partners.tolist()


def test_a_filter_that_stands_alone_is_its_own_pairing_filter():
    pairs = pair_filters(torch.ones(1, 3, 2, 2))
    assert (pairs.partners.tolist(), pairs.correlations.tolist()) == ([0], pytest.approx([1]))


def test_random_filters_have_unit_length_and_the_asked_shape():
    weight = torch.zeros(8, 3, 5, 5, dtype=torch.float64)
    filters = random_filters(weight, torch.Generator().manual_seed(0))
    assert filters.shape == weight.shape
    torch.testing.assert_close(filters.flatten(1).norm(dim=1), torch.ones(8, dtype=torch.float64))
    again = random_filters(weight, torch.Generator().manual_seed(0))
    assert torch.equal(filters, again)


def test_random_filters_point_in_all_directions_alike():
    """Products of unit vectors in n dimensions have mean 0 and variance 1 / n."""
    weight = torch.empty(300, 5, 2, 2, dtype=torch.float64)
    unit = unit_filters(random_filters(weight, torch.Generator().manual_seed(1)))
    products = (unit @ unit.T)[torch.ones(300, 300, dtype=torch.bool).triu(1)]
    assert abs(float(products.mean())) < 0.005
    assert float(products.var()) == pytest.approx(1 / 20, rel=0.05)


def test_a_filter_without_direction_is_named():
    weight = drawn(0)
    weight[[1, 4]] = 0
    with pytest.raises(ValueError, match=r"filters \[1, 4\] of 6 are 0 everywhere; accepted: "):
        pair_filters(weight)


def test_names_of_the_package_are_imported_on_use():
    import reactivate.filters

    assert reactivate.filters.pair_filters is pair_filters
    with pytest.raises(AttributeError, match="no attribute 'pear_filters'"):
        _ = reactivate.filters.pear_filters
