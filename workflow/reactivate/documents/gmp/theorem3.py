"""GmP's Theorem 3: the angle a perturbation turns a unit by, and the metric behind it."""

import math
from itertools import pairwise

import torch
from torch import Tensor

from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.layers.gmp import unit_vector

SIZES = (2, 3, 5, 10, 50)  # n, the fan-in
DRAWS = 4000  # per size
THETA = (math.pi / 4, 1.0)  # n = 3
EPSILON = (0.5, 0.8)
ROUNDING = 1e-9


def angle_between(a: Tensor, b: Tensor) -> Tensor:
    """Angles between unit vectors, ``(N)``; exact for tiny angles, where arccos is not.

    Example:
        >>> angle_between(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])).item()
        1.5707963705062866
    """
    return 2 * torch.atan2((a - b).norm(dim=-1), (a + b).norm(dim=-1))


def product_metric(theta: Tensor) -> Tensor:
    """Diagonal ``m_ii = prod_{j<i} sin^2 theta_j`` of Eq. 13, ``(n-1)``."""
    sines = theta.sin().square()
    return torch.cat([torch.ones_like(sines[:1]), sines[:-1].cumprod(dim=0)])


def sum_metric(theta: Tensor) -> Tensor:
    """Diagonal ``m_aa = sum_{i<a} sin^2 theta_i`` of Eq. 19, with ``m_11 = 1``, ``(n-1)``."""
    sines = theta.sin().square()
    return torch.cat([torch.ones_like(sines[:1]), sines[:-1].cumsum(dim=0)])


def metric(theta: Tensor, coordinates: int | None = None) -> Tensor:
    """Pullback ``J^T J`` of the Euclidean metric by u(theta), ``(n-1, n-1)``, by autograd.

    Args:
        theta: Angles, ``(n-1)``.
        coordinates: How many of u's n coordinates are summed over; None for all.
    """
    rows = torch.eye(len(theta) + 1, dtype=theta.dtype)
    with torch.enable_grad():
        theta = theta.detach().requires_grad_()
        u = unit_vector(theta)
    jacobian = torch.stack(
        [torch.autograd.grad(u, theta, row, retain_graph=True)[0] for row in rows]
    )[:coordinates]
    return jacobian.mT @ jacobian


def turned_by(theta: Tensor, epsilon: Tensor) -> Tensor:
    """Angle between ``u(theta)`` and ``u(theta + epsilon)``, ``(N)``."""
    return angle_between(unit_vector(theta), unit_vector(theta + epsilon))


def theorem3_bound() -> Judgement:
    """Eq. 13's inequality over random angles and perturbations of every size."""
    stream = generator("gmp", "theorem3")
    largest = 0.0
    for n in SIZES:
        theta = math.pi * torch.rand(DRAWS, n - 1, generator=stream, dtype=torch.float64)
        size = 10 ** (4 * torch.rand(DRAWS, 1, generator=stream, dtype=torch.float64) - 3)
        epsilon = size * torch.randn(DRAWS, n - 1, generator=stream, dtype=torch.float64)
        ratio = turned_by(theta, epsilon) / epsilon.norm(dim=-1)
        largest = max(largest, ratio.max().item())
    draws = DRAWS * len(SIZES)
    return judge(
        largest <= 1 + ROUNDING,
        f"largest angle / |eps| is {largest:.4f} over {draws} draws, n in {SIZES}, "
        "|eps| not only small",
    )


def theorem3_equality() -> Judgement:
    """Eq. 13's equality at one perturbation that is not infinitesimal."""
    theta, epsilon = (torch.tensor(v, dtype=torch.float64) for v in (THETA, EPSILON))
    angle = turned_by(theta, epsilon).item()
    norm = (product_metric(theta) * epsilon.square()).sum().sqrt().item()
    return judge(
        math.isclose(angle, norm, rel_tol=ROUNDING),
        f"angle {angle:.4f}, right-hand side {norm:.4f} for theta = (pi/4, 1), eps = {EPSILON}: "
        "an equality to first order only",
    )


def theorem3_first_order() -> Judgement:
    """The gap of Eq. 13's equality falls in proportion to the perturbation."""
    stream = generator("gmp", "first order")
    theta = math.pi * torch.rand(9, generator=stream, dtype=torch.float64)
    direction = torch.randn(9, generator=stream, dtype=torch.float64)
    sizes = (1e-2, 1e-3, 1e-4)
    gaps = []
    for size in sizes:
        epsilon = size * direction / direction.norm()
        norm = (product_metric(theta) * epsilon.square()).sum().sqrt()
        gaps.append(abs(turned_by(theta, epsilon) / norm - 1).item())
    shrinks = all(b < 0.2 * a for a, b in pairwise(gaps))
    shown = ", ".join(f"{gap:.1e}" for gap in gaps)
    return judge(shrinks, f"relative gap {shown} at |eps| = {sizes}, n = 10: it vanishes with eps")


def metric_is_product() -> Judgement:
    """Eq. 13 and 21: the metric is diagonal with products of squared sines."""
    theta = _angles(9)
    error = (metric(theta) - product_metric(theta).diag()).abs().max().item()
    return judge(error < ROUNDING, f"J^T J by autograd differs by at most {error:.1e}, n = 10")


def metric_is_sum() -> Judgement:
    """Eq. 19 and 20: the same metric with sums in place of the products."""
    theta = _angles(9)
    true, printed = metric(theta).diag(), sum_metric(theta)
    place = int((true - printed).abs().argmax())
    return judge(
        torch.allclose(true, printed),
        f"m_{place + 1},{place + 1} is {true[place].item():.3g} by autograd, the printed sum is "
        f"{printed[place].item():.3g} (above 1, against Eq. 22); Eq. 13 and 21 have the product",
    )


def _angles(count: int) -> Tensor:
    stream = generator("gmp", "metric")
    return math.pi * torch.rand(count, generator=stream, dtype=torch.float64)
