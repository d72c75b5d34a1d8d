"""Counter-examples and numbers of the checks, by other means: exact fractions, closed forms."""

import math
from itertools import product

import numpy as np
import pytest
import torch
from reactivate.activations import create
from reactivate.documents.gmp import section4_3_claims, theorem3_claims
from reactivate.documents.gmp import theorem3 as gmp
from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS


def test_equality_of_theorem3_fails_in_closed_form():
    (first, _), (turn, other) = theorem3_claims.THETA, theorem3_claims.EPSILON
    moved = first + turn
    cosine = math.cos(first) * math.cos(moved) + math.sin(first) * math.sin(moved) * math.cos(
        other
    )
    angle = math.acos(cosine)
    norm = math.sqrt(turn**2 + math.sin(first) ** 2 * other**2)
    assert f"{angle:.4f}" in theorem3_claims.theorem3_equality().reason
    assert f"{norm:.4f}" in theorem3_claims.theorem3_equality().reason
    assert norm < angle < math.hypot(turn, other)


def test_metric_at_right_angles_is_one_where_the_printed_sum_counts():
    theta = torch.full((4,), math.pi / 2, dtype=torch.float64)
    torch.testing.assert_close(gmp.metric(theta), torch.eye(4, dtype=torch.float64))
    torch.testing.assert_close(gmp.sum_metric(theta), torch.tensor([1.0, 1, 2, 3]).double())


def test_metric_equals_finite_differences():
    theta = torch.tensor([0.4, 1.1, 2.0, 5.0], dtype=torch.float64)

    def coordinates(t):
        values = [math.prod(math.sin(a) for a in t[:i]) for i in range(len(t) + 1)]
        return np.array([v * (math.cos(t[i]) if i < len(t) else 1) for i, v in enumerate(values)])

    steps = 1e-6 * np.eye(4)
    columns = [(coordinates(theta.numpy() + h) - coordinates(theta.numpy() - h)) for h in steps]
    jacobian = np.stack(columns, axis=1) / 2e-6
    np.testing.assert_allclose(gmp.metric(theta).numpy(), jacobian.T @ jacobian, atol=1e-9)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_mean_squares_of_uniform_angles_by_a_full_grid(n):
    grid = (np.arange(16) + 0.5) * math.pi / 16  # exact for squares of sine and cosine
    angles = np.array(list(product(grid, repeat=n - 1)))
    first, last = section4_3_claims.mean_squares_of_uniform_angles(n)
    assert np.mean(np.cos(angles[:, 0]) ** 2) == pytest.approx(float(first))
    assert np.mean(np.prod(np.sin(angles) ** 2, axis=1)) == pytest.approx(float(last))


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_formulas_are_the_activations_of_the_registry(name):
    x = torch.tensor([-3.0, -0.7, 0.2, 2.5], dtype=torch.float64)
    values = [FORMULAS[name](v) for v in x.tolist()]
    torch.testing.assert_close(create(name)(x), torch.tensor(values, dtype=torch.float64))
