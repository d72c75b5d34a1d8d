"""ACON-C and Meta-ACON: per channel, learn to activate or not."""

import torch
from torch import Generator, Tensor, nn

from reactivate.activations.channels import channel_means, per_channel
from reactivate.activations.traits import Traits


def acon(x: Tensor, p1: Tensor, p2: Tensor, beta: Tensor) -> Tensor:
    """Smooth maximum ``(p1 - p2) x sigmoid(beta (p1 - p2) x) + p2 x`` of ``p1 x`` and ``p2 x``.

    ``beta = 0`` gives the linear mean of both, ``beta -> inf`` their maximum.

    Reference:
        Ma et al. 2021, "Activate or Not", ACON-C (arXiv:2009.04759).

    Args:
        x: ``(N, C, *)``.
        p1: Slope per channel where the unit is active, ``(C)``.
        p2: Slope per channel where it is not, ``(C)``.
        beta: Switching factor, ``(C)`` or ``(N, C)``.

    Returns:
        ``(N, C, *)``.
    """
    gap = per_channel(p1 - p2, x) * x
    return gap * torch.sigmoid(per_channel(beta, x) * gap) + per_channel(p2, x) * x


class AconC(nn.Module):
    r"""Applies :func:`acon` with learnable ``p1``, ``p2`` and ``beta`` per channel.

    Reference:
        Ma et al. 2021, "Activate or Not" (arXiv:2009.04759); ``p1, p2 ~ N(0, 1)`` and ``beta = 1``
        as in the authors' code (nmaac/acon 99fd679).

    Args:
        channels: Channels of the input, C.
        generator: Source of the initial slopes; torch's default one if None.

    Shape:
        - Input: ``(N, C, *)``
        - Output: ``(N, C, *)``

    Example:
        >>> AconC(4)(torch.ones(2, 4, 3, 3)).shape
        torch.Size([2, 4, 3, 3])
    """

    traits = Traits(needs_channels=True)

    def __init__(self, channels: int, generator: Generator | None = None) -> None:
        super().__init__()
        self.p1 = nn.Parameter(torch.randn(channels, generator=generator))
        self.p2 = nn.Parameter(torch.randn(channels, generator=generator))
        self.beta = nn.Parameter(torch.ones(channels))

    def forward(self, x: Tensor) -> Tensor:
        return acon(x, self.p1, self.p2, self.beta)


class MetaAcon(nn.Module):
    r"""Applies :func:`acon` with ``beta = sigmoid(BN(fc2(BN(fc1(GAP(x))))))``, one per sample.

    Reference:
        Ma et al. 2021, "Activate or Not" (arXiv:2009.04759); ``p1, p2 ~ N(0, 1)``, biased 1x1
        convolutions and hidden width ``max(16, C / 16)`` as in the authors' code (nmaac/acon
        99fd679). There it replaces only the ReLU after the 3x3 convolution of a bottleneck.

    Args:
        channels: Channels of the input, C.
        reduction: C divided by the hidden width.
        generator: Source of the initial slopes; torch's default one if None.

    Shape:
        - Input: ``(N, C, *)``, N > 1 while training (batch normalisation of one vector per sample)
        - Output: ``(N, C, *)``

    Example:
        >>> MetaAcon(4)(torch.ones(2, 4, 3, 3)).shape
        torch.Size([2, 4, 3, 3])
    """

    traits = Traits(needs_channels=True, spatial_only=True, breakpoints=None)

    def __init__(
        self, channels: int, reduction: int = 16, generator: Generator | None = None
    ) -> None:
        super().__init__()
        hidden = max(16, channels // reduction)
        self.p1 = nn.Parameter(torch.randn(channels, generator=generator))
        self.p2 = nn.Parameter(torch.randn(channels, generator=generator))
        self.switch = nn.Sequential(  # a 1x1 convolution of one position is a Linear
            nn.Linear(channels, hidden),
            nn.BatchNorm1d(hidden),
            nn.Linear(hidden, channels),
            nn.BatchNorm1d(channels),
            nn.Sigmoid(),
        )

    def forward(self, x: Tensor) -> Tensor:
        return acon(x, self.p1, self.p2, beta=self.switch(channel_means(x)))
