"""PSC's example: the best fit of |x| on [-1, 1] by one ReLU branch."""

import sympy
from scipy.integrate import quad
from scipy.optimize import minimize

from reactivate.documents.shared.values import Value

W, B, X = sympy.symbols("w b x", real=True)
HALVES = ((-1.0, 0.0), (0.0, 1.0))


def squared_loss() -> sympy.Expr:
    """The exact loss ``int_{-1}^1 (|x| - w relu(x) - b)^2 dx``."""
    right = sympy.integrate((X - W * X - B) ** 2, (X, 0, 1))
    left = sympy.integrate((-X - B) ** 2, (X, -1, 0))
    return sympy.expand(right + left)


def minimum() -> tuple[sympy.Rational, sympy.Rational, sympy.Rational]:
    """The exact w, b and loss at the minimum.

    Example:
        >>> minimum()
        (2/5, 2/5, 2/15)
    """
    loss = squared_loss()
    best = sympy.solve([loss.diff(W), loss.diff(B)], [W, B])
    assert sympy.hessian(loss, (W, B)).is_positive_definite
    return best[W], best[B], loss.subs(best)


def numeric_minimum() -> tuple[float, float, float]:
    """w, b and loss at the minimum by quadrature and a general minimiser, from w = b = 0."""

    def loss(point: tuple[float, float]) -> float:
        w, b = point
        parts = [quad(lambda x: (abs(x) - w * max(x, 0.0) - b) ** 2, *ends) for ends in HALVES]
        return float(sum(value for value, _ in parts))

    best = minimize(loss, (0.0, 0.0), method="BFGS", options={"gtol": 1e-8})
    return float(best.x[0]), float(best.x[1]), float(best.fun)


def bound() -> list[Value]:
    """w, b and the loss at the minimum; the loss is convex, so no other w and b is better."""
    return [
        Value(row, "minimum", float(exact), f"exactly {exact} by sympy; {near:.6f} by BFGS")
        for row, exact, near in zip(("w", "b", "loss"), minimum(), numeric_minimum(), strict=True)
    ]
