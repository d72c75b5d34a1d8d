"""Complexities by all vectors of signs equal written-out loops; random subspaces their moments."""

from itertools import product
from math import cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
import torch
from reactivate.documents.crelu import theorem4_1_claims as crelu_complexity
from reactivate.filters.projections import drawn_shares, expected_share
from reactivate.filters.rademacher import complexity, sign_vectors
from reactivate.filters.rademacher import crelu_complexity as after_crelu
from scipy import stats

DIRECTIONS = [2 * pi * n / 720 for n in range(720)]


def values(functions, examples, seed=0):
    stream = torch.Generator().manual_seed(seed)
    return torch.randn(functions, examples, generator=stream, dtype=torch.float64)


def mean_of_best(rows, examples, score):
    """E over all signs of the largest score of any row."""
    signs = list(product((-1, 1), repeat=examples))
    return sum(max(score(row, sigma) for row in rows) for sigma in signs) / len(signs)


def total(row, sigma):
    return sum(s * v for s, v in zip(sigma, row, strict=True)) * 2 / len(row)


@pytest.mark.parametrize(("functions", "examples"), [(1, 1), (1, 4), (3, 5), (6, 3)])
def test_the_complexity_is_the_mean_over_all_signs(functions, examples):
    rows = values(functions, examples).tolist()
    wanted = mean_of_best(rows, examples, lambda row, sigma: abs(total(row, sigma)))
    assert complexity(torch.tensor(rows)) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(("functions", "examples"), [(1, 2), (4, 4)])
def test_with_crelu_it_is_the_best_of_all_linear_maps(functions, examples):
    rows = values(functions, examples).tolist()

    def best(row, sigma):
        positive = total([max(v, 0) for v in row], sigma)
        negative = total([max(-v, 0) for v in row], sigma)
        return max(abs(cos(a) * positive + sin(a) * negative) for a in DIRECTIONS)

    wanted = mean_of_best(rows, examples, best)
    assert after_crelu(torch.tensor(rows)) == pytest.approx(wanted, rel=1e-4)


def test_side_by_side_functions_add_the_root_of_their_number():
    rows = values(3, 4).tolist()

    def length(pair, sigma):
        parts = [[max(sign * v, 0) for v in row] for row in pair for sign in (1, -1)]
        return hypot(*(total(part, sigma) for part in parts))

    wanted = mean_of_best(list(product(rows, repeat=2)), 4, length)
    assert sqrt(2) * after_crelu(torch.tensor(rows)) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("examples", [0, 21])
def test_too_many_examples_are_refused(examples):
    with pytest.raises(ValueError, match="accepted: 1 to 20"):
        sign_vectors(examples)


def test_the_counter_example_by_hand():
    """Equal signs give |1 - 1| = 0, others 2, times 2/L = 1; with CReLU it is always sqrt 2."""
    assert complexity(crelu_complexity.OPPOSITE) == 1.0
    assert after_crelu(crelu_complexity.OPPOSITE) == pytest.approx(sqrt(2))


def test_what_is_said_to_be_proved_holds():
    classes = crelu_complexity.random_classes()
    single = [v for v in classes if len(v) == 1]
    assert max(map(crelu_complexity.ratio, classes)) <= crelu_complexity.PROVED
    assert max(map(crelu_complexity.ratio, single)) <= sqrt(2) + 1e-12
    assert all(complexity(v.abs()) <= 2 * complexity(v) for v in classes)
    assert len(single) > 30


@pytest.mark.parametrize(("part", "whole"), [(1, 2), (2, 10), (7, 9), (48, 1200)])
@pytest.mark.parametrize("power", [1, 2])
def test_moments_of_projections_are_those_of_the_beta_distribution(part, whole, power):
    beta = stats.beta(part / 2, (whole - part) / 2)
    grid = (np.arange(10000) + 0.5) / 10000  # of probabilities
    wanted = float(np.mean(beta.ppf(grid) ** (power / 2)))
    assert expected_share(part, whole, power) == pytest.approx(wanted, rel=2e-4)


def test_drawn_projections_lie_between_nothing_and_all():
    shares = drawn_shares(2, 5, 1000, torch.Generator().manual_seed(0))
    assert 0 < float(shares.min()) < float(shares.max()) < 1
    assert drawn_shares(5, 5, 3, torch.Generator()).tolist() == pytest.approx([1.0] * 3)
