"""Term-B of IIEU: an adaptive shift per sample and channel, and its published ablations."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

Normalization = Literal[
    "layer_norm", "group_norm_2", "group_norm_4", "group_norm_c", "batch_norm", "affine"
]
KINDS = ("layer_norm", "group_norm_2", "group_norm_4", "group_norm_c", "batch_norm", "affine")


class ChannelShift(nn.Module):
    r"""Computes term-B, ``nu = sigmoid(weight * normalize(means) + bias)`` of the channel means.

    - ``layer_norm``: over the C means of a sample, as proposed
    - ``group_norm_2``, ``group_norm_4``: over C/2 or C/4 neighbouring means of a sample
    - ``group_norm_c``: over a single mean, which leaves 0, so only the bias acts
    - ``batch_norm``: every mean over the batch
    - ``affine``: no normalisation (the supplement's blank group)

    Reference:
        IIEU supplement, Appendix F and Table 4; eps 1e-6, weight 0.01 and bias 0 initially, as in
        the authors' code (SudongCAI/IIEU 894d242). No initial values are stated for the ablations;
        they use the same.

    Args:
        channels: Number of channels, C.
        kind: One of the names above.

    Shape:
        - Input: channel means, ``(N, C)``; N > 1 while training with ``batch_norm``
        - Output: ``(N, C)``, in (0, 1)

    Example:
        >>> ChannelShift(3)(torch.zeros(1, 3))
        tensor([[0.5000, 0.5000, 0.5000]], grad_fn=<SigmoidBackward0>)
    """

    def __init__(self, channels: int, kind: Normalization = "layer_norm") -> None:
        super().__init__()
        if kind not in KINDS:
            raise ValueError(
                f"unknown shift {kind!r}; accepted: {', '.join(KINDS)}. "
                "Change it where the IIEU unit is created (shift=...)"
            )
        self.kind = kind
        self.groups = {"layer_norm": 1, "group_norm_2": 2, "group_norm_4": 4}.get(kind, channels)
        if channels % self.groups:
            raise ValueError(
                f"shift {kind!r} cannot divide {channels} channels; accepted: multiples of "
                f"{self.groups}. Change the width of the layer before the IIEU unit"
            )
        self.weight = nn.Parameter(torch.full((channels,), 0.01))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.batch_norm = (
            nn.BatchNorm1d(channels, eps=1e-6, affine=False) if kind == "batch_norm" else None
        )

    def forward(self, means: Tensor) -> Tensor:
        return torch.sigmoid(self._normalize(means) * self.weight + self.bias)

    def _normalize(self, means: Tensor) -> Tensor:
        """Channel means after the normalisation that was chosen."""
        if self.batch_norm is not None:
            normalized: Tensor = self.batch_norm(means)
            return normalized
        if self.kind == "affine":
            return means
        grouped = means.view(means.shape[0], self.groups, -1)  # len() would fix an exported batch
        return functional.layer_norm(grouped, grouped.shape[2:], eps=1e-6).flatten(1)

    def extra_repr(self) -> str:
        return f"{len(self.weight)}, kind={self.kind!r}"
