"""Characteristic boundaries of ReLU units, where they switch; locations and directions."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import normalize

from reactivate.layers.batched.affine import Affine, Units, apply_affine
from reactivate.layers.batched.bn import BatchNormUnits


class Boundary(NamedTuple):
    """The set ``{x: w x + b = 0}`` of every unit; it is active where ``w x + b > 0``."""

    weight: Tensor  # (..., H, n)
    bias: Tensor  # (..., H)

    @property
    def _length(self) -> Tensor:
        length: Tensor = self.weight.norm(dim=-1)
        return length

    @property
    def direction(self) -> Tensor:
        """``u = w / |w|``, towards the active side, ``(..., H, n)``."""
        return normalize(self.weight, dim=-1, eps=0.0)

    @property
    def offset(self) -> Tensor:
        """``lambda = b / |w|``, ``(..., H)``: the boundary is ``u x = -lambda``."""
        return self.bias / self._length

    @property
    def location(self) -> Tensor:
        """Spatial location ``phi = -lambda u``, the point nearest to 0, ``(..., H, n)``.

        Reference:
            Chen & Ge 2024, Eq. 8 and 9 (arXiv:2305.15912).

        Example:
            >>> Boundary(torch.tensor([[3.0, 4.0]]), torch.tensor([10.0])).location
            tensor([[-1.2000, -1.6000]])
        """
        return -self.offset.unsqueeze(-1) * self.direction


@torch.no_grad()
def boundary(units: Units, inputs: Tensor) -> Boundary:
    """The characteristic boundaries of a hidden layer, whatever its parameterization.

    Weight and bias are those of the pre-activation, the argument of ReLU: GmP's outer scale r
    does not move the boundary. BN's mean and variance are those of ``inputs``; the running ones
    are neither used nor changed.

    Reference:
        Chen & Ge 2024, Definition 1 with Eq. 1, 3, 5 and 15 (arXiv:2305.15912).

    Args:
        units: Hidden layers of ``B`` networks.
        inputs: What batch statistics are taken of, ``(B, N, n)``.
    """
    if isinstance(units, BatchNormUnits):
        affine = batch_normalized(units, inputs)
    else:
        affine = units.affine(inputs)
    return Boundary(affine.weight.detach(), affine.bias.detach().squeeze(1))


def batch_normalized(units: BatchNormUnits, inputs: Tensor) -> Affine:
    """``gamma (w x + b - mean) / deviation + beta`` of a batch as one affine map (Eq. 5).

    Args:
        units: Hidden layers of ``B`` networks.
        inputs: The batch, ``(B, N, n)``.
    """
    weight = units.rows(units.weight)
    responses = apply_affine(inputs, weight, units.bias.unsqueeze(1))  # (B, N, H)
    mean, variance = responses.mean(dim=1), responses.var(dim=1, correction=0)
    slope = units.gamma * (variance + units.epsilon).rsqrt()
    bias = (units.bias - mean) * slope + units.beta
    return Affine(weight * slope.unsqueeze(-1), bias.unsqueeze(1))
