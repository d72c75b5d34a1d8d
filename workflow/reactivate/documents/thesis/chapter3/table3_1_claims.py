"""Thesis, section 3.1.2: statements on the activations of Table 3.1, recomputed."""

import sympy
from scipy.optimize import brentq

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS, X
from reactivate.documents.thesis.chapter3.table3_1 import limits, monotonic, symmetric
from reactivate.evidence.judgement import Judgement


def gelu_minimum() -> Judgement:
    """Section 3.1.2: GeLU has its minimum around -0.8."""
    slope = sympy.lambdify(X, FORMULAS["gelu"].above.diff(X), modules=["scipy", "numpy"])
    place = brentq(slope, -2.0, 0.0, xtol=1e-12)
    return judge(
        round(place, 1) == -0.8,
        f"at {place:.4f}, value {FORMULAS['gelu'](place):.4f}: -0.8 to the printed digit, though "
        f"GeLU still falls between -0.8 and {place:.4f}",
    )


def symmetric_pair() -> Judgement:
    """Section 3.1.2: Sigmoid and Tanh are symmetric around 0."""
    symmetry = {key: symmetric(FORMULAS[key]) for key in ("sigmoid", "tanh")}
    odd = {
        key: sympy.simplify(FORMULAS[key].above + FORMULAS[key].above.subs(X, -X))
        for key in symmetry
    }
    shown = "; ".join(f"{key}: {how}" for key, (_, how) in symmetry.items())
    return judge(
        all(holds for holds, _ in symmetry.values()),
        f"{shown}; not symmetric as defined, pi(x) = pi(-x); pi(x) + pi(-x) is {odd['sigmoid']} "
        f"for Sigmoid and {odd['tanh']} for Tanh: point symmetric",
    )


def gelu_left_saturated() -> Judgement:
    """Section 3.1.2: GeLU is left saturated at 0."""
    formula = FORMULAS["gelu"]
    left, _ = limits(formula)
    value = sympy.limit(formula.below, X, -sympy.oo)
    return judge(left == 0 == value, f"at minus infinity the derivative is {left}, GeLU {value}")


def only_non_monotonic() -> Judgement:
    """Section 3.1.2: GeLU is the only function of the five that is not monotonic."""
    falling = [key for key, formula in FORMULAS.items() if not monotonic(formula)[0]]
    gelu = FORMULAS["gelu"]
    return judge(
        falling == ["gelu"],
        f"not monotonic: {', '.join(falling)}; GeLU(-2) = {gelu(-2):.4f} > {gelu(-1):.4f} = "
        "GeLU(-1)",
    )


def tanh_is_wider() -> Judgement:
    """Section 3.1.2: Tanh has a wider range than Sigmoid."""
    ends = {
        key: [sympy.limit(FORMULAS[key].above, X, side) for side in (-sympy.oo, sympy.oo)]
        for key in ("sigmoid", "tanh")
    }
    width = {key: high - low for key, (low, high) in ends.items()}
    return judge(
        bool(width["tanh"] > width["sigmoid"]),
        f"Tanh ({ends['tanh'][0]}, {ends['tanh'][1]}), Sigmoid ({ends['sigmoid'][0]}, "
        f"{ends['sigmoid'][1]})",
    )
