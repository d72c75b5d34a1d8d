"""Pairing filters against written-out loops over all pairs."""

import math

import pytest
import torch
from reactivate.filters.pairing import pair_filters


def product(one, other):
    return sum(float(a) * float(b) for a, b in zip(one.flatten(), other.flatten(), strict=True))


def by_loops(weight):
    """The pairing filter and mu of every filter, one product at a time."""
    found = []
    for one in weight:
        best = (math.inf, -1)
        for number, other in enumerate(weight):
            cosine = product(one, other) / math.sqrt(product(one, one) * product(other, other))
            if cosine < best[0]:
                best = (cosine, number)
        found.append(best)
    return [mu for mu, _ in found], [number for _, number in found]


@pytest.mark.parametrize("shape", [(7, 3, 2, 2), (5, 4, 1, 1), (12, 2, 3), (3, 6)])
def test_pairs_are_those_of_loops_over_all_pairs(shape):
    random = torch.Generator().manual_seed(len(shape))
    weight = torch.randn(shape, generator=random, dtype=torch.float64) + 0.2
    mu, partners = by_loops(weight)
    pairs = pair_filters(weight)
    assert pairs.correlations.tolist() == pytest.approx(mu, abs=1e-12)
    assert pairs.partners.tolist() == partners
