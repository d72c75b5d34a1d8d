"""GmP, section 4.3: directions of initial weights."""

import math
from fractions import Fraction

import sympy
import torch

from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

FAN_IN = 100


def mean_squares_of_uniform_angles(n: int) -> tuple[Fraction, Fraction]:
    """Exact ``E u_1^2`` and ``E u_n^2`` for angles uniform on (0, pi).

    The same for (0, 2 pi), the usual range of the last angle.

    Example:
        >>> mean_squares_of_uniform_angles(3)
        (Fraction(1, 2), Fraction(1, 4))
    """
    angle = sympy.Symbol("theta", positive=True)
    means = [
        sympy.integrate(f(angle) ** 2, (angle, 0, sympy.pi)) / sympy.pi
        for f in (sympy.cos, sympy.sin)
    ]
    cosine, sine = (Fraction(mean.p, mean.q) for mean in means)
    return cosine, sine ** (n - 1)


def uniform_angles() -> str:
    """How far directions of angles that are each uniform are from uniform directions."""
    first, last = mean_squares_of_uniform_angles(FAN_IN)
    return (
        f"n = {FAN_IN}: angles that are each uniform on (0, pi) give E u_1^2 = {first} and "
        f"E u_n^2 = {float(last):.1e}; a uniform direction has 1/{FAN_IN} for each"
    )


def gaussian_direction() -> Judgement:
    """Section 4.3: zero-mean Gaussian weights have a uniform direction for any variance."""
    draws, n = 20_000, 10
    normal = torch.randn(draws, n, generator=generator("gmp", "direction"), dtype=torch.float64)
    direction = normal / normal.norm(dim=1, keepdim=True)
    scaled = 1e-3 * normal
    change = (scaled / scaled.norm(dim=1, keepdim=True) - direction).abs().max().item()
    # second moments of a uniform direction: I / n; each estimate has deviation below 1 / n
    moments = direction.mT @ direction / draws
    error = (moments - torch.eye(n, dtype=torch.float64) / n).abs().max().item()
    return sampled(
        change < 1e-12 and error < 5 / (n * math.sqrt(draws)),
        f"n = {n}, {draws} draws: the direction changes by {change:.0e} with the variance, its "
        f"second moments differ from I/n by {error:.1e} (sampling: {1 / (n * draws**0.5):.1e}); "
        "independent Gaussian weights of one variance have no preferred direction",
        cases=draws,
    )
