"""The proof of the bound for |x| by one ReLU branch: its equations, and its minimum."""

import sympy

from reactivate.documents.psc.bound import B, W, minimum, squared_loss
from reactivate.judging.exact import proved, refuted
from reactivate.judging.judgement import Judgement

PRINTED_SYSTEM = (
    sympy.Eq(sympy.Rational(2, 3) * W + B, sympy.Rational(2, 3)),
    sympy.Eq(W / 2 + 2 * B, 1),
)
PRINTED_MINIMUM = (sympy.Rational(2, 5), sympy.Rational(2, 5), sympy.Rational(2, 15))  # w, b, loss


def system() -> Judgement:
    """The two printed equations for w and b are those of the minimum."""
    loss = squared_loss()
    agrees = all(
        sympy.simplify(loss.diff(v) / (printed.lhs - printed.rhs)).is_constant()
        for v, printed in zip((W, B), PRINTED_SYSTEM, strict=True)
    )
    derivatives = f"dL/dw = {loss.diff(W)}, dL/db = {loss.diff(B)}"
    if not agrees:
        return refuted(f"{derivatives}: other equations than the printed ones")
    return proved(f"{derivatives}: multiples of the printed equations")


def never_below_the_bound() -> Judgement:
    """The loss is never below 2/15, which it has at w = b = 2/5."""
    found = minimum()
    w, b, loss = found
    said = f"the loss is convex in w and b and has its minimum {loss} at w = {w}, b = {b}, exactly"
    return proved(said) if found == PRINTED_MINIMUM else refuted(said)
