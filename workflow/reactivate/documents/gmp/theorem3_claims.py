"""GmP, Theorem 3 and the metric of its proof, recomputed."""

import math
from itertools import pairwise

import torch
from torch import Tensor

from reactivate.documents.gmp.theorem3 import metric, product_metric, sum_metric, turned_by
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.layers.gmp import unit_vector

SIZES = (2, 3, 5, 10, 50)  # n, the fan-in
DRAWS = 4000  # per size
THETA = (math.pi / 4, 1.0)  # n = 3
EPSILON = (0.5, 0.8)
ROUNDING = 1e-9


def theorem3_bound() -> Judgement:
    """Eq. 13's inequality holds for random angles and perturbations of every size."""
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
    """Eq. 13's equality holds at one perturbation that is not infinitesimal."""
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
    """Eq. 19 and 20: the metric is diagonal with sums of squared sines."""
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
