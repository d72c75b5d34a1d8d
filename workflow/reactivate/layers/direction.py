"""A layer's weight as unit directions given by angles, through torch's parametrize."""

import torch
from torch import Tensor, nn

from reactivate.layers.gmp import angles, unit_vector


class Direction(nn.Module):
    r"""Parametrization of a weight: each output unit's weights are ``u(theta)``, of length 1.

    All weights of a unit are one vector: ``k * k * c_in`` coordinates for a convolution. A unit
    with a single weight has no angle; its direction is the sign, which does not learn.

    Reference:
        Chen & Ge 2024, Eq. 9-10 (arXiv:2305.15912).

    Args:
        shape: Shape of the weight, ``(c_out, *)``.

    Shape:
        - Input: angles, ``(c_out, n-1)``, or signs ``(c_out, 1)`` if ``n = 1``
        - Output: ``(c_out, *)``

    Example:
        >>> direction = Direction(torch.Size([1, 2]))
        >>> direction(direction.right_inverse(torch.tensor([[3.0, 4.0]])))
        tensor([[0.6000, 0.8000]])
    """

    def __init__(self, shape: torch.Size) -> None:
        super().__init__()
        self.shape = shape
        self.fan_in = shape[1:].numel()

    def forward(self, theta: Tensor) -> Tensor:
        if self.fan_in == 1:
            return theta.reshape(self.shape)
        return unit_vector(theta).reshape(self.shape)

    def right_inverse(self, weight: Tensor) -> Tensor:
        """Angles of a weight of any length."""
        if self.fan_in == 1:
            return weight.sign().reshape(-1, 1)
        return angles(weight.flatten(1))


class Radius(nn.Module):
    r"""Multiplies each channel by a learned radius: the ``r`` of GmP, outside the activation.

    An activation that returns several parts per unit (CReLU: ``[positive, negative]``) gets the
    unit's radius on each of them.

    Reference:
        Chen & Ge 2024, Eq. 15 (arXiv:2305.15912).

    Args:
        radius: Initial radii, ``(C)``.

    Shape:
        - Input: ``(N, m * C, *)``
        - Output: ``(N, m * C, *)``

    Example:
        >>> Radius(torch.tensor([2.0]))(torch.ones(1, 2)).detach()
        tensor([[2., 2.]])
    """

    def __init__(self, radius: Tensor) -> None:
        super().__init__()
        self.radius = nn.Parameter(radius)

    def forward(self, x: Tensor) -> Tensor:
        radius = self.radius.repeat(x.shape[1] // len(self.radius))
        return x * radius.reshape(-1, *(1,) * (x.dim() - 2))
