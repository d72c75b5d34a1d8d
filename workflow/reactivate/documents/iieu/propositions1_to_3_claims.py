"""IIEU, Propositions 1 to 3 of Appendix B: identities in symbols, and functions one by one."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, pairwise, product

import sympy

from reactivate.judging.exact import proved, refuted
from reactivate.judging.judgement import Judgement

Values = Sequence[Fraction]  # of an adjuster, from left to right
# Proposition 1: x and y = k x, none of them 0, and rho there
X, K = sympy.symbols("x k", nonzero=True)
AT_X, AT_Y, AT_ZERO = sympy.symbols("rho_x rho_y rho_0", real=True)
# Proposition 2: adjusters with these values at so many places
HEIGHTS, PLACES = range(-2, 3), 5
# Proposition 3: bounds of |phi|, of |x / varrho| and of the gradient of varrho; |varrho(0)|, and
# by how much |t| exceeds twice as much
SMALL, RATIO, SLOPE, BEYOND = sympy.symbols("epsilon C L s", positive=True)
START = sympy.symbols("r", nonnegative=True)


def phi(rho: sympy.Expr, x: sympy.Expr) -> sympy.Expr:
    """The activation ``phi(x) = rho(x) x``."""
    return rho * x


def proposition1() -> Judgement:
    r"""Proposition 1: rho is not the same everywhere but at 0 if and only if phi is not linear.

    ``phi(k x) - k phi(x) = (rho(k x) - rho(x)) k x``. A linear phi makes the left side 0 for all x
    and k, so that rho is the same at all x and y = k x other than 0. If it is, the left side is 0,
    and phi is additive too, ``phi(x) + phi(-x)`` being the one sum that reads rho at 0.
    """
    uneven = phi(AT_Y, K * X) - K * phi(AT_X, X)
    same = {AT_Y: AT_X}
    sum_of_two = phi(AT_X, X + K * X) - phi(AT_X, X) - phi(AT_Y, K * X)
    sum_at_zero = phi(AT_ZERO, X - X) - phi(AT_X, X) - phi(AT_Y, -X)
    rests = [
        uneven - (AT_Y - AT_X) * K * X,
        sum_of_two.subs(same),
        sum_at_zero.subs(same),
    ]
    left = [rest for rest in map(sympy.expand, rests) if rest != 0]
    if left:
        return refuted(f"of what both directions rest on, {left} should be 0")
    return proved(
        "phi(k x) - k phi(x) = (rho(k x) - rho(x)) k x, in symbols: for x and k other than 0 it "
        "vanishes exactly where rho(k x) = rho(x), so phi is linear if and only if rho has one "
        "value outside 0; rho(0), which Definition 1 leaves out, is multiplied by 0"
    )


def is_rising(values: Values) -> bool:
    """Whether values never fall, from left to right."""
    return all(low <= high for low, high in pairwise(values))


def has_property1(values: Values) -> bool:
    """Whether the size of an adjuster never falls: Property 1, where varrho takes all values."""
    return is_rising([abs(value) for value in values])


def is_conditioned(values: Values) -> bool:
    """The right side of Proposition 2: rising and never negative, or falling and never positive.

    Example:
        >>> is_conditioned([Fraction(0), Fraction(1)]), is_conditioned([Fraction(-1), Fraction(1)])
        (True, False)
    """
    turned = [-value for value in values]
    return any(is_rising(part) and min(part) >= 0 for part in (values, turned))


def with_zeros(values: Values) -> Values:
    """Values of a continuous adjuster: a zero between every two of different signs.

    Straight lines between such places have no other zero, so that what rises or falls at these
    places does so everywhere.

    Example:
        >>> [int(value) for value in with_zeros([Fraction(-1), Fraction(2), Fraction(1)])]
        [-1, 0, 2, 1]
    """
    between = ((low, Fraction(0)) if low * high < 0 else (low,) for low, high in pairwise(values))
    return [*chain.from_iterable(between), values[-1]]


def proposition2() -> Judgement:
    r"""Proposition 2: Property 1 holds iff the adjuster rises above 0 or falls below it.

    From right to left the size of the adjuster is the adjuster, or its negative. From left to
    right: values of both signs at a and b have a zero between them, at c, if the adjuster is
    continuous; with c above the lower of a and b, Property 1 makes the value there 0, too.
    """
    adjusters = [[Fraction(v) for v in each] for each in product(HEIGHTS, repeat=PLACES)]
    wrong = [v for v in adjusters if has_property1(with_zeros(v)) != is_conditioned(v)]
    jumping = [v for v in adjusters if has_property1(v) and not is_conditioned(v)]
    if wrong:
        shown = ", ".join(map(str, wrong[0]))
        return refuted(f"the continuous adjuster with the values {shown} in a row", len(adjusters))
    return proved(
        "a continuous adjuster with values of both signs has a zero between them, and Property 1 "
        "then makes the value on its left 0, too; of one sign, Property 1 says that it rises or "
        f"falls. Of the {len(adjusters)} continuous, piecewise linear ones with the values "
        f"{min(HEIGHTS)} to {max(HEIGHTS)} at {PLACES} places none contradicts it. Continuity, "
        "which lines 153 and 223 of the text state, is needed: with the jumps that line 141 may "
        f"be read to allow, {len(jumping)} would, as -1 left and 1 right of 0"
    )


def largest_activation(exceeding: sympy.Expr) -> sympy.Expr:
    """Bound of ``|phi(x')|`` at ``varrho(x') = t``, where ``|t|`` exceeds ``2 |varrho(0)|``.

    Some x on the left has the same t, hence the same adjuster, ``|phi(x)| <= epsilon`` and
    ``|t| <= |varrho(0)| + L |x|``; and ``|x'| <= C |t|``.

    Args:
        exceeding: ``|t| - 2 |varrho(0)|``.
    """
    size = 2 * START + exceeding
    return SMALL * RATIO * size * SLOPE / (size - START)


def proposition3() -> Judgement:
    r"""Proposition 3: if phi vanishes at -infinity, phi is bounded where varrho is below some eta.

    As Equation 17 reads the condition, ``|phi|`` goes to 0 as varrho goes to -infinity: below some
    eta it is less than 1, whatever else is assumed. If instead phi(x) goes to 0 as x goes to
    -infinity, constraints 2 and 3 and Property 1 are needed. By 3, ``|x| <= C |varrho(x)|`` where
    varrho is not 0, so varrho goes to -infinity or to +infinity on the left, or is 0 there.

    - It goes to -infinity: see :func:`largest_activation`, which is at most 2 epsilon C L.
    - It goes to +infinity: the adjuster goes to 0 there, and Property 1 makes it 0 everywhere.
    - It is 0 on the left: the adjuster is 0 at 0, and by Property 1 at all that is below.
    """
    margin = sympy.factor(2 * SMALL * RATIO * SLOPE - largest_activation(BEYOND))
    if not margin.is_nonnegative:
        return refuted(f"2 epsilon C L minus the bound of |phi| is {margin}, not above 0")
    return proved(
        "as Equation 17 reads phi(-infinity) = 0, |phi| is below 1 where varrho is below some "
        "eta, by the definition of a limit; if x, not varrho, goes to -infinity, it holds by the "
        "stated constraints: where |t| > 2 |varrho(0)| and varrho(x') = t, |phi(x')| is at most "
        f"2 epsilon C L (more than the bound by {margin}), with |x| <= C |varrho| and "
        "|varrho'| <= L"
    )
