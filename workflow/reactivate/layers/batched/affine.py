"""The affine map of a hidden layer, of B networks at once, however it is parameterized."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Affine(NamedTuple):
    """The map ``scale * activation(weight x + bias)`` of ``H`` units in ``B`` networks.

    A parameterization is a way to make these three; the forward pass over the samples, which is
    where the time goes, is then the same for all of them.
    """

    weight: Tensor  # (B, H, n)
    bias: Tensor  # (B, 1, H)
    scale: Tensor | None = None  # (B, 1, H); None: 1


class Units(nn.Module):
    """A hidden layer of ``H`` units in each of ``B`` networks.

    Every parameter has ``B`` equal parts along its first dimension, network by network, so that
    ``parameter.view(B, -1)`` is one row per network: optimizer, early stopping and checkpoints
    need to know nothing else.

    Args:
        weight: Initial weights of the plain layer, ``(B, H, n)``.
        bias: Initial biases, ``(B, H)``.
    """

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.networks, self.units, self.fan_in = weight.shape
        self.weight = nn.Parameter(weight.flatten(0, 1).clone())  # (B * H, n)
        self.bias = nn.Parameter(bias.clone())  # (B, H)

    def affine(self, x: Tensor) -> Affine:
        """The affine map for a batch of inputs ``(B, N, n)``."""
        return Affine(self.rows(self.weight), self.bias.unsqueeze(1))

    def initialize_as_documented(self, streams: Sequence[torch.Generator]) -> None:
        """Replaces converted Glorot weights by the initialization the document states, if any.

        Args:
            streams: One random stream per network.
        """

    def initialize_in_all_directions(self, streams: Sequence[torch.Generator]) -> None:
        """Does the same by the other reading of the document: of directions, not of angles.

        Args:
            streams: One random stream per network.
        """

    def initialize_as_programmed(self) -> None:
        """Repeats what the authors' program loses when it converts weights, if anything."""

    def rows(self, weight: Tensor) -> Tensor:
        """The rows ``(B * H, n)`` of a weight as ``(B, H, n)``, whatever ``B`` is now."""
        return weight.view(-1, self.units, self.fan_in)


def apply_affine(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Outputs ``x W^T + b``: inputs ``(B, N, n)``, weights ``(B, m, n)``, biases ``(B, 1, m)``."""
    return torch.baddbmm(bias, x, weight.mT)
