"""The printed equations for the best fit of |x| by one ReLU branch."""

import sympy

from reactivate.documents.psc.bound import B, W, squared_loss
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement

PRINTED_SYSTEM = (
    sympy.Eq(sympy.Rational(2, 3) * W + B, sympy.Rational(2, 3)),
    sympy.Eq(W / 2 + 2 * B, 1),
)


def system() -> Judgement:
    """The two printed equations for w and b are those of the minimum."""
    loss = squared_loss()
    agrees = all(
        sympy.simplify(loss.diff(v) / (printed.lhs - printed.rhs)).is_constant()
        for v, printed in zip((W, B), PRINTED_SYSTEM, strict=True)
    )
    return judge(agrees, f"dL/dw = {loss.diff(W)}, dL/db = {loss.diff(B)}: the printed equations")
