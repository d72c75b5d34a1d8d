"""Thesis, section 3.1.2: statements on the activations of Table 3.1, recomputed."""

import sympy
from scipy.optimize import brentq

from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS, X
from reactivate.documents.thesis.chapter3.table3_1 import GRID, limits, monotonic
from reactivate.judging.equality import around_margin
from reactivate.judging.exact import proved, refuted, sampled
from reactivate.judging.judgement import Judgement

MINIMUM, UNIT = -0.8, 0.1  # of GeLU: "around -0.8", to one digit


def gelu_minimum() -> Judgement:
    """Section 3.1.2: GeLU has its minimum around -0.8."""
    slope = sympy.lambdify(X, FORMULAS["gelu"].above.diff(X), modules=["scipy", "numpy"])
    place = brentq(slope, -2.0, 0.0, xtol=1e-12)
    shown = f"the derivative is 0 at {place:.4f}, where GeLU is {FORMULAS['gelu'](place):.4f}"
    around = abs(place - MINIMUM) <= around_margin(MINIMUM, UNIT)
    return proved(shown) if around else refuted(shown)


def point_symmetry() -> str:
    """Section 3.1.2: what pi(x) + pi(-x) is for Sigmoid and Tanh."""
    sums = {
        key: sympy.simplify(FORMULAS[key].above + FORMULAS[key].above.subs(X, -X))
        for key in ("sigmoid", "tanh")
    }
    return (
        f"pi(x) + pi(-x) is {sums['sigmoid']} for Sigmoid and {sums['tanh']} for Tanh: both "
        "graphs are point symmetric at x = 0"
    )


def gelu_left_saturated() -> Judgement:
    """Section 3.1.2: GeLU is left saturated at 0."""
    formula = FORMULAS["gelu"]
    left, _ = limits(formula)
    value = sympy.limit(formula.below, X, -sympy.oo)
    shown = f"at minus infinity the derivative is {left}, GeLU {value}"
    return proved(shown) if left == 0 == value else refuted(shown)


def only_non_monotonic() -> Judgement:
    """Section 3.1.2: GeLU is the only function of the five that is not monotonic."""
    falling = [key for key, formula in FORMULAS.items() if not monotonic(formula)[0]]
    gelu = FORMULAS["gelu"]
    return sampled(
        falling == ["gelu"],
        f"a falling slope at {len(GRID):,} places: {', '.join(falling)}; GeLU(-2) = "
        f"{gelu(-2):.4f} > {gelu(-1):.4f} = GeLU(-1)",
        cases=len(GRID),
    )


def tanh_is_wider() -> Judgement:
    """Section 3.1.2: Tanh has a wider range than Sigmoid."""
    ends = {
        key: [sympy.limit(FORMULAS[key].above, X, side) for side in (-sympy.oo, sympy.oo)]
        for key in ("sigmoid", "tanh")
    }
    width = {key: high - low for key, (low, high) in ends.items()}
    shown = " and ".join(f"{key} ({low}, {high})" for key, (low, high) in ends.items())
    return proved(shown) if width["tanh"] > width["sigmoid"] else refuted(shown)
