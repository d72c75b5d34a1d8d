"""The fits of |x| against exact fractions, and the quadrature against exact integrals."""

from fractions import Fraction

import pytest
from reactivate.documents.psc.bound_fit import (
    BOTH_BRANCHES,
    ONE_BRANCH,
    bound_fit,
    make,
    squared_error,
)

# w of the positive and of the negative phase, b and the loss
EXACT = {
    "relu": (Fraction(2, 5), 0, Fraction(2, 5), Fraction(2, 15)),
    "spsc_all_positive": (Fraction(2, 5), 0, Fraction(2, 5), Fraction(2, 15)),
    "spsc_all_negative": (0, Fraction(-2, 5), Fraction(2, 5), Fraction(2, 15)),
    "spsc_one_each": (1, -1, 0, 0),
    "psc": (1, -1, 0, 0),
}


def integral(positive, negative, b):
    """Of (|x| - w+ x+ - w- x- - b)^2: on [0, 1] of ((1 - w+) x - b)^2, left as (1 + w-)."""
    slopes = (1 - Fraction(positive), 1 + Fraction(negative))
    return sum(a * a / 3 - a * Fraction(b) + Fraction(b) ** 2 for a in slopes)


@pytest.fixture(scope="module")
def fits():
    return bound_fit(iterations=100)


@pytest.mark.parametrize("point", [(0.5, -0.25, 0.125), (0.0, 0.0, 0.0), (-3.0, 2.0, 1.0)])
def test_the_quadrature_is_the_exact_integral(point):
    assert squared_error(*point) == pytest.approx(float(integral(*point)), abs=1e-14)


@pytest.mark.parametrize("branches", EXACT)
@pytest.mark.parametrize("method", ["least squares", "training"])
def test_a_fit_is_the_exact_minimum(fits, branches, method):
    (row,) = fits.query("branches == @branches and method == @method").to_dict("records")
    *weights, loss = EXACT[branches]
    found = [row["w_positive"], row["w_negative"], row["b"]]
    assert found == pytest.approx([float(value) for value in weights], abs=1e-9)
    assert row["loss"] == pytest.approx(float(loss), abs=1e-12)
    assert row["exact_loss"] == pytest.approx(float(loss), abs=1e-15)


@pytest.mark.parametrize("branches", EXACT)
def test_no_neighbour_of_the_exact_minimum_is_better(branches):
    *weights, loss = EXACT[branches]
    reads = [weights[0] != 0, weights[1] != 0, True]
    for place in range(3):
        for step in (Fraction(1, 100), Fraction(-1, 100)):
            near = [w + step * (k == place and reads[k]) for k, w in enumerate(weights)]
            assert integral(*near) >= integral(*weights) == loss


@pytest.mark.parametrize("branches", [*ONE_BRANCH, *BOTH_BRANCHES])
def test_two_units_read_what_their_branch_gives(branches):
    weights = sum(p.numel() for name, p in make(branches).named_parameters() if "weight" in name)
    assert weights == (4 if branches == "psc" else 2)
