"""GmP: indices of the proof of Theorem 3, and the initialisation of section 4.3."""

import math
from fractions import Fraction

import sympy
import torch

from reactivate.documents.gmp.theorem3 import metric
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.layers.gmp import unit_vector

FAN_IN = 100


def last_coordinates() -> Judgement:
    """Eq. 17 calls the coordinate with ``cos theta_{n-1}`` number n - 2, and the last n - 1."""
    theta = torch.tensor([math.pi / 3, math.pi / 4, math.pi / 6], dtype=torch.float64)  # n = 4
    product = theta.sin()[:-1].prod() * theta.cos()[-1]
    place = int((unit_vector(theta) - product).abs().argmin()) + 1
    n = len(theta) + 1
    return judge(
        place == n - 2,
        f"n = {n}: sin(theta_1)...sin(theta_{n - 2}) cos(theta_{n - 1}) is coordinate {place} of "
        f"Eq. 10, not {n - 2}; as printed, u_{n - 2} would be defined twice and u_{n} never",
    )


def pullback_sum() -> Judgement:
    """Eq. 18 sums over i = 1, ..., n - 1 and so leaves out the last of n coordinates."""
    theta = torch.tensor([math.pi / 6], dtype=torch.float64)  # n = 2
    printed, full = metric(theta, coordinates=1).item(), metric(theta).item()
    return judge(
        math.isclose(printed, 1.0),
        f"n = 2, theta = pi/6: the printed sum gives m_11 = {printed:.2f}, "
        f"the sum to n gives {full:.2f} as the proof needs",
    )


def squared_first_term() -> Judgement:
    """Eq. 21 prints ``eps_1^T`` under the root, where Eq. 13 and 22 have ``eps_1^2``."""
    epsilon, theta = 0.01, torch.tensor([1.0], dtype=torch.float64)  # n = 2
    norm = math.sqrt(epsilon**2 * metric(theta).item())
    return judge(
        math.isclose(math.sqrt(epsilon), norm),
        f"n = 2, eps_1 = {epsilon}: |eps|_M is {norm:.2f}, the root of eps_1^T is "
        f"{math.sqrt(epsilon):.2f}",
    )


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


def uniform_angles() -> Judgement:
    """Section 4.3: a uniform direction allows angles drawn uniformly."""
    first, last = mean_squares_of_uniform_angles(FAN_IN)
    return judge(
        first == last == Fraction(1, FAN_IN),
        f"n = {FAN_IN}: angles uniform on (0, pi) give E u_1^2 = {first} and E u_n^2 = "
        f"{float(last):.1e}; a uniform direction has 1/{FAN_IN} for each",
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
    return judge(
        change < 1e-12 and error < 5 / (n * math.sqrt(draws)),
        f"n = {n}, {draws} draws: the direction changes by {change:.0e} with the variance, its "
        f"second moments differ from I/n by {error:.1e} (sampling: {1 / (n * draws**0.5):.1e})",
    )
