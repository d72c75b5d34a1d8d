"""Distances of sets to all sets, against scipy's, and the chance that they have."""

import pytest
import torch
from reactivate.filters.alignment import chance_of_distance, distances
from scipy.stats import ks_2samp


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize("shape", [(2, 1), (5, 7), (9, 30)])
@pytest.mark.parametrize("digits", [0, 8])
def test_a_distance_is_that_of_scipy_with_ties_and_without(shape, digits):
    sets = drawn(*shape).round(decimals=digits)
    expected = [ks_2samp(one, sets.flatten(), method="asymp").statistic for one in sets]
    torch.testing.assert_close(distances(sets), torch.tensor(expected, dtype=torch.float64))


def test_a_set_that_is_shifted_is_the_farthest():
    sets = drawn(20, 15)
    sets[0] += 3
    distance, chance = chance_of_distance(sets)
    assert distance > 0.8
    assert chance == 1 / 20


def test_a_set_drawn_like_the_others_is_rarely_far_even_if_its_numbers_come_twice():
    """Small shares come as often as they say; a test of independent numbers rejects too often."""
    shares, rejected = [], 0
    for seed in range(200):
        sets = drawn(20, 12, seed=seed).repeat(1, 2)
        shares.append(chance_of_distance(sets)[1])
        rejected += ks_2samp(sets[0], sets[1]).pvalue <= 0.05
    assert sum(share <= 0.05 for share in shares) <= 20
    assert rejected > 20
    assert min(shares) == 1 / 20
    assert max(shares) > 0.9
