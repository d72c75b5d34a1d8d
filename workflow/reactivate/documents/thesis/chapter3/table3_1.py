"""Thesis, Table 3.1: properties of activations, decided from the definitions given there."""

import numpy as np
import sympy
from numpy.typing import NDArray

from reactivate.documents.shared.values import Value
from reactivate.documents.thesis.chapter3.figure3_2 import FORMULAS, Formula, X

Vector = NDArray[np.float64]
GRID = np.linspace(-30, 30, 6001)
TOLERANCE = 1e-12
SYMMETRY_AT = (0.5, 1.0, 2.0)


def limits(formula: Formula) -> tuple[sympy.Expr, sympy.Expr]:
    """Limits of the derivative at minus and plus infinity."""
    left = sympy.limit(formula.below.diff(X), X, -sympy.oo)
    right = sympy.limit(formula.above.diff(X), X, sympy.oo)
    return left, right


def saturated(formula: Formula) -> tuple[bool, str]:
    """Decides whether a function is left and right saturated: its derivative has the limit 0.

    The thesis defines either side and has one row for both; a function called saturated without a
    side is taken to be so on both, the reading that the text's "at extreme values" suggests.
    """
    left, right = limits(formula)
    shown = f"limits of the derivative: left {float(left):.4g}, right {float(right):.4g}"
    return left == 0 == right, f"{shown}; saturated = on both sides"


def symmetric(formula: Formula) -> tuple[bool, str]:
    """Decides whether a function is symmetric at 0 as defined, ``pi(x) = pi(-x)`` for every x."""
    if sympy.simplify(formula.above - formula.below.subs(X, -X)) == 0:
        return True, "pi(x) = pi(-x) symbolically"
    place = max(SYMMETRY_AT, key=lambda x: abs(formula(x) - formula(-x)))
    return False, f"pi({place}) = {formula(place):.4f}, pi({-place}) = {formula(-place):.4f}"


def piecewise_linear(formula: Formula) -> tuple[bool, str]:
    """Decides whether a function is piecewise linear as defined: ``pi(x) / x`` has few values."""
    slopes = [sympy.simplify((piece / X).diff(X)) for piece in (formula.below, formula.above)]
    side = "pi(x)/x is constant" if slopes == [0, 0] else "pi(x)/x is not constant"
    where = "on either side of 0" if slopes[0] == 0 or slopes[1] != 0 else "below 0"
    return slopes == [0, 0], f"{side} {where}, symbolically"


def monotonic(formula: Formula) -> tuple[bool, str]:
    """Decides whether a function is monotonically increasing: nowhere is its slope negative."""
    pieces = ((formula.below, GRID[GRID < 0]), (formula.above, GRID[GRID > 0]))
    least = min(float(np.min(_evaluate(piece.diff(X), places))) for piece, places in pieces)
    return least >= -TOLERANCE, f"smallest derivative on [-30, 30], step 0.01: {least:.3g}"


def _evaluate(expression: sympy.Expr, places: Vector) -> Vector:
    function = sympy.lambdify(X, expression, modules=["scipy", "numpy"])
    return np.broadcast_to(function(places), places.shape)


PROPERTIES = {
    "saturated": saturated,
    "symmetric": symmetric,
    "linear": piecewise_linear,
    "monotonic": monotonic,
}


def table3_1() -> list[Value]:
    """Every tick and cross of Table 3.1."""
    values = []
    for row, decide in PROPERTIES.items():
        for column, formula in FORMULAS.items():
            holds, how = decide(formula)
            values.append(Value(row, column, float(holds), how))
    return values
