"""Batch normalisation of the mean only, before (MBN) or after (IMN) an activation."""

import torch
from torch import Tensor, nn


def all_but_channels(x: Tensor) -> list[int]:
    """Dimensions of ``(N, C, *)`` that a statistic of a channel is taken over."""
    return [0, *range(2, x.dim())]


def precise(x: Tensor) -> torch.dtype:
    """The type in which statistics of a tensor are computed: its own, but at least float32."""
    return torch.promote_types(x.dtype, torch.float32)


class MeanOnlyBatchNorm(nn.Module):
    r"""Subtracts the mean of each channel over batch and positions; optionally learns a shift.

    ``x - E[x]`` (input mean normalisation, IMN) or ``x - E[x] + b`` (mean-only batch
    normalisation, MBN). Evaluation uses the running mean.

    Reference:
        Chen & Ge 2024, Eq. 16 and section 4.2 (arXiv:2305.15912), after Salimans & Kingma 2016,
        section 4 (arXiv:1602.07868). Momentum 0.99 as in the authors' Keras code is 0.01 here:
        torch's momentum is the weight of the new batch.

    Args:
        channels: Channels of the input, C.
        shift: Learn ``b``.
        momentum: Weight of the new batch in the running mean.

    Shape:
        - Input: ``(N, C, *)``
        - Output: ``(N, C, *)``

    Example:
        >>> MeanOnlyBatchNorm(2)(torch.tensor([[1.0, 0.0], [3.0, 0.0]]))
        tensor([[-1.,  0.],
                [ 1.,  0.]])
    """

    running_mean: Tensor

    def __init__(self, channels: int, shift: bool = False, momentum: float = 0.01) -> None:
        super().__init__()
        self.momentum = momentum
        self.shift = nn.Parameter(torch.zeros(channels)) if shift else None
        self.register_buffer("running_mean", torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        mean = self.running_mean
        if self.training:
            mean = self.batch_mean(x)
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
        offset = -mean if self.shift is None else self.shift - mean
        return (x + offset.reshape(-1, *(1,) * (x.dim() - 2))).to(x.dtype)

    def batch_mean(self, x: Tensor) -> Tensor:
        """The mean of each channel, ``(C)``, in full precision."""
        return x.mean(all_but_channels(x), dtype=precise(x))

    def extra_repr(self) -> str:
        return f"{len(self.running_mean)}, momentum={self.momentum}"
