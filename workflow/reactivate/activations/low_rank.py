"""PSC with the parameters of a plain convolution by low rank: the alternative to gates."""

import torch
from torch import Tensor, nn

from reactivate.activations.split import require_phases


def balanced_rank(inputs: int, outputs: int) -> int:
    r"""Largest rank at which two factorised weights have no more numbers than one full weight.

    ``r = floor(N M / (2 (N + M)))``, so that ``2 r (N + M) <= N M``.

    Reference:
        PSC supplement, Section A (CVPR Workshops 2021).

    Args:
        inputs: N; for a convolution the inputs of one phase times the kernel's size.
        outputs: M.

    Example:
        >>> balanced_rank(64, 64)
        16
    """
    rank = inputs * outputs // (2 * (inputs + outputs))
    if rank < 1:
        raise ValueError(
            f"rank NM / (2(N + M)) of {inputs} inputs and {outputs} outputs is below 1; accepted: "
            "layers with NM >= 2(N + M). Keep this layer whole, or gate it (PhaseGate)"
        )
    return rank


class LowRankPhaseConv(nn.Module):
    r"""Computes ``U+ V+ x+ + U- V- x-`` with ``V`` N -> r (k x k) and ``U`` r -> M (1 x 1).

    Parameters: ``2 r (N k^2 + M)``, plus M with a bias.

    Reference:
        PSC supplement, Section A (CVPR Workshops 2021), for matrices; a k x k convolution is read
        as the matrix M x N k^2.

    Args:
        in_channels: Channels of both phases together, 2N.
        out_channels: M.
        kernel_size: k, or one number per direction.
        stride: Stride of a Conv2d.
        padding: Padding of a Conv2d.
        bias: Adds one number per output.
        rank: r; that of :func:`balanced_rank` if None.

    Shape:
        - Input: both phases, ``(N, 2C, H, W)``, as :class:`PSC` gives them
        - Output: ``(N, M, H_out, W_out)``

    Example:
        >>> layer = LowRankPhaseConv(128, 64, kernel_size=1, bias=False)
        >>> sum(weight.numel() for weight in layer.parameters()) == 64 * 64
        True
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        padding: int | tuple[int, int] = 0,
        bias: bool = True,
        rank: int | None = None,
    ) -> None:
        super().__init__()
        size = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
        rank = rank or balanced_rank(in_channels // 2 * size[0] * size[1], out_channels)
        # two groups: each phase has its own V
        self.narrow = nn.Conv2d(in_channels, 2 * rank, size, stride, padding, groups=2, bias=False)
        self.widen = nn.Conv2d(2 * rank, out_channels, 1, bias=bias)

    @classmethod
    def from_layer(cls, layer: nn.Conv2d, rank: int | None = None) -> "LowRankPhaseConv":
        """The nearest layer of a rank: truncated SVD of ``[W+, W-]``, roots of the values shared.

        Args:
            layer: Convolution that reads both phases.
            rank: r; that of :func:`balanced_rank` if None.
        """
        require_phases(layer)
        plain = isinstance(layer, nn.Conv2d) and layer.dilation == (1, 1)
        if not plain or layer.padding_mode != "zeros":
            raise ValueError(
                f"cannot factorise {layer}; accepted: a Conv2d with zero padding, undilated. "
                "Change the layer after the PSC activation"
            )
        weight = layer.weight.detach()
        made = cls(
            layer.in_channels,
            layer.out_channels,
            (layer.kernel_size[0], layer.kernel_size[1]),
            (layer.stride[0], layer.stride[1]),
            layer.padding,  # type: ignore[arg-type]
            layer.bias is not None,
            rank,
        ).to(weight)
        rank = made.narrow.out_channels // 2
        pairs = [_factors(half, rank) for half in weight.chunk(2, dim=1)]
        with torch.no_grad():
            made.narrow.weight.copy_(torch.cat([down for _, down in pairs]))
            made.widen.weight.copy_(torch.cat([up for up, _ in pairs], dim=1))
            if layer.bias is not None:
                made.widen.bias.copy_(layer.bias)  # type: ignore[union-attr]
        return made

    def forward(self, phases: Tensor) -> Tensor:
        out: Tensor = self.widen(self.narrow(phases))
        return out


def _factors(weight: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Factors ``U sqrt(S)``, a 1x1 kernel, and ``sqrt(S) V*``, a kernel of the weight's size."""
    left, values, right = torch.linalg.svd(weight.flatten(1), full_matrices=False)
    root = values[:rank].sqrt()
    up = (left[:, :rank] * root)[..., None, None]
    down = (root[:, None] * right[:rank]).view(-1, *weight.shape[1:])
    return up, down
