"""IIEU's Propositions 1 to 3: true as printed, told otherwise for other functions."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
import sympy
from reactivate.documents.iieu import propositions1_to_3_claims as claims

BOUND = claims.largest_activation


@pytest.mark.parametrize("name", ["proposition1", "proposition2", "proposition3"])
def test_a_proposition_is_proved_in_one_line(name):
    judgement = getattr(claims, name)()
    assert str(judgement.verdict) == "confirmed(proof)"
    assert "\n" not in judgement.reason


@pytest.mark.parametrize(
    ("check", "changes"),
    [
        ("proposition1", {"phi": lambda rho, x: rho * x**2}),
        ("proposition1", {"phi": lambda rho, x: rho * x + 1}),
        ("proposition1", {"phi": lambda rho, x: rho * (x + 1)}),
        ("proposition2", {"with_zeros": lambda values: values}),  # jumps
        ("proposition2", {"has_property1": claims.is_rising}),
        ("proposition2", {"is_conditioned": lambda values: min(values) >= 0}),
        ("proposition3", {"largest_activation": lambda beyond: 2 * BOUND(beyond)}),
        ("proposition3", {"largest_activation": lambda beyond: BOUND(beyond - claims.START)}),
    ],
)
def test_other_functions_are_not_proved(change, check, changes):
    change(claims, changes)
    assert str(getattr(claims, check)().verdict) == "refuted"


@pytest.mark.parametrize("order", [3, 5])
def test_proposition_1_for_every_function_of_a_finite_field(order):
    field = range(order)
    for rho in product(field, repeat=order):
        selective = len(set(rho[1:])) > 1
        phi = [rho[x] * x % order for x in field]
        additive = all(
            phi[(x + y) % order] == (phi[x] + phi[y]) % order for x in field for y in field
        )
        scaled = all(phi[k * x % order] == k * phi[x] % order for k in field for x in field)
        assert selective == (not (additive and scaled))


def dense(values, steps=12):
    """Many exact values of the function with straight lines between the given ones."""
    parts = [
        [low + (high - low) * Fraction(step, steps) for step in range(steps)]
        for low, high in pairwise(values)
    ]
    return [*(value for part in parts for value in part), values[-1]]


@pytest.mark.parametrize("seed", range(5))
def test_a_zero_between_signs_tells_all_of_a_piecewise_linear_function(seed):
    random = np.random.default_rng(seed)
    for _ in range(40):
        values = [Fraction(int(v)) for v in random.integers(-2, 3, size=4)]
        everywhere = dense(values)  # zeros of differences up to 4 are among twelfths
        assert claims.has_property1(claims.with_zeros(values)) == claims.has_property1(everywhere)
        assert claims.is_conditioned(values) == claims.is_conditioned(everywhere)


def test_the_jump_that_is_told_of_has_property_1_and_both_signs():
    step = [Fraction(-1), Fraction(1)]
    assert claims.has_property1(step)
    assert not claims.is_conditioned(step)
    assert "280 would" in claims.proposition2().reason


def test_the_bound_of_proposition_3_holds_for_a_similarity_that_falls_on_both_sides():
    """varrho(x) = -sqrt(1 + x^2) for x < 0 and as steep as 3 beyond; adjuster 1 / (1 + t^2)."""
    x = np.linspace(-4000, 4000, 800_001)
    varrho = np.where(x < 0, -np.sqrt(1 + x**2), -(3 * np.sqrt(1 + x**2) - 2))
    phi = x / (1 + varrho**2)
    start, slope = 1.0, 3.0
    ratio = (np.abs(x) / np.abs(varrho)).max()
    left = -50.0
    small = np.abs(phi[x < left]).max()
    far = np.abs(varrho) > max(2 * start, start + slope * -left)
    beyond = np.abs(varrho[far]) - 2 * start
    values = {claims.SMALL: small, claims.RATIO: ratio, claims.SLOPE: slope, claims.START: start}
    bound = sympy.lambdify(claims.BEYOND, BOUND(claims.BEYOND).subs(values))(beyond)
    assert far.any()
    assert (np.abs(phi[far]) <= bound).all()
    assert (bound <= 2 * small * ratio * slope).all()
