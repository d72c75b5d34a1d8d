"""GmP's Theorem 3: the angle a perturbation turns a unit by, and the metric behind it."""

import torch
from torch import Tensor

from reactivate.layers.gmp import unit_vector


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


def metric(theta: Tensor) -> Tensor:
    """Pullback ``J^T J`` of the Euclidean metric by u(theta), ``(n-1, n-1)``, by autograd.

    Args:
        theta: Angles, ``(n-1)``.
    """
    rows = torch.eye(len(theta) + 1, dtype=theta.dtype)
    with torch.enable_grad():
        theta = theta.detach().requires_grad_()
        u = unit_vector(theta)
    jacobian = torch.stack(
        [torch.autograd.grad(u, theta, row, retain_graph=True)[0] for row in rows]
    )
    return jacobian.mT @ jacobian


def turned_by(theta: Tensor, epsilon: Tensor) -> Tensor:
    """Angle between ``u(theta)`` and ``u(theta + epsilon)``, ``(N)``."""
    return angle_between(unit_vector(theta), unit_vector(theta + epsilon))
