"""Geometric parameterization (GmP): angles, offset and outer scale of each unit."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from reactivate.layers.batched.affine import Affine, Units
from reactivate.layers.gmp import angles, unit_vector
from reactivate.layers.initialization import uniform_directions, unsigned_last


class GeometricUnits(Units):
    r"""Hidden units ``r activation(u(theta) x + lambda)``.

    Reference:
        Chen & Ge 2024, Eq. 9, 10 and 15 (arXiv:2305.15912).

    Args:
        weight: Weights of the plain layer it starts from, ``(B, H, n)``, ``n >= 2``: the angles
            are those of the weights and ``r`` their length.
        bias: Biases of that layer, ``(B, H)``: ``lambda = b / |w|``.
    """

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__(weight, bias)
        del self.weight, self.bias
        length = weight.norm(dim=-1)
        self.theta = nn.Parameter(angles(weight).flatten(0, 1))  # (B * H, n - 1), radians
        self.offset = nn.Parameter(bias / length)  # lambda
        self.radius = nn.Parameter(length)  # r

    def affine(self, x: Tensor) -> Affine:
        direction = self.rows(unit_vector(self.theta))
        return Affine(direction, self.offset.unsqueeze(1), self.radius.unsqueeze(1))

    @torch.no_grad()
    def initialize_as_documented(self, streams: Sequence[torch.Generator]) -> None:
        """Draws angles uniformly in ``[0, pi]``, the last in ``[0, 2 pi]``; sets ``r = 1``."""
        shape = self.units, self.fan_in - 1
        draws = [torch.rand(shape, generator=s, dtype=self.theta.dtype) for s in streams]
        self.theta.copy_(math.pi * torch.stack(draws).flatten(0, 1))
        self.theta[:, -1] *= 2
        self.radius.fill_(1.0)

    @torch.no_grad()
    def initialize_in_all_directions(self, streams: Sequence[torch.Generator]) -> None:
        """Draws directions uniformly on the sphere; sets ``r = 1``."""
        for rows, stream in zip(self.theta.chunk(len(streams)), streams, strict=True):
            uniform_directions(rows, stream)
        self.radius.fill_(1.0)

    def initialize_as_programmed(self) -> None:
        """Makes the last coordinate of every direction positive, as the authors' program does."""
        unsigned_last(self.theta)
