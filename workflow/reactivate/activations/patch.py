"""Norms that turn a response into a similarity: of the patch a filter sees, and of the filter."""

from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

GroupNorm = Literal["reference", "exact"]


class SumOfSquares(torch.autograd.Function):
    """Sums squares over the channels of each group; on a CPU sample by sample, to stay in cache.

    Elsewhere every sample would be some more kernels to launch.

    The gradient is a tensor of its own, not a view of one: autograd can add to it in place.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, groups: int) -> Tensor:
        ctx.save_for_backward(x)
        if x.device.type != "cpu":
            return _grouped_squares(x, groups)
        total = x.new_empty(len(x), groups, *x.shape[2:])
        for sample, out in zip(x, total, strict=True):
            grouped = sample.reshape(groups, -1, *sample.shape[1:])
            torch.sum(grouped.square(), dim=1, out=out)
        return total

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        x: Tensor = ctx.saved_tensors[0]
        per_group = x.shape[1] // gradient.shape[1]
        twice = 2 * gradient
        if gradient.shape[1] > 1:
            twice = twice.repeat_interleave(per_group, dim=1)
        return x * twice, None


def sum_of_squares(x: Tensor, groups: int) -> Tensor:
    """Squares summed over the channels of each group, ``(N, groups, *)``.

    What is compiled or exported is the formula, which compilers fuse, for batches of any size.
    """
    if torch.compiler.is_compiling():
        return _grouped_squares(x, groups)
    total: Tensor = SumOfSquares.apply(x, groups)  # type: ignore[no-untyped-call]
    return total


def _grouped_squares(x: Tensor, groups: int) -> Tensor:
    return x.square().view(x.shape[0], groups, -1, *x.shape[2:]).sum(2)


def patch_norm(
    conv_input: Tensor, layer: nn.Module, group_norm: GroupNorm = "reference", eps: float = 1e-8
) -> Tensor:
    r"""L2 norm of the patch under the filter at every output position; zeros pad the border.

    ``sqrt(ones * sum_c x_c^2)``: squared channel norm, then a convolution with a kernel of ones
    and the layer's size, stride, padding and dilation.

    Reference:
        The authors' code (SudongCAI/IIEU 894d242). It takes the norm over *all* input channels
        for a grouped or depthwise convolution too, so the quotient is no cosine there.

    Args:
        conv_input: Input of the layer, ``(N, C_in, H, W)``, or ``(N, C_in)`` for a Linear.
        layer: The Conv2d or Linear.
        group_norm: ``"reference"`` for all input channels, ``"exact"`` for those of the filter's
            own group.
        eps: Norms far below this count as zero and pass no gradient.

    Returns:
        ``(N, G, H_out, W_out)``, or ``(N, 1)`` for a Linear; G is the number of groups if
        ``"exact"``, else 1.

    Example:
        >>> patch_norm(torch.ones(1, 2, 4, 4), nn.Conv2d(2, 5, 2)).unique()
        tensor([2.8284])
    """
    groups = 1
    if isinstance(layer, nn.Conv2d):
        if layer.padding_mode != "zeros":
            raise ValueError(
                f"padding_mode={layer.padding_mode!r} of {layer}; the patch norm is defined for "
                "'zeros'. Change it where the convolution before the IIEU unit is built"
            )
        groups = layer.groups if group_norm == "exact" else 1
        if _subsamples(layer):
            rows, columns = layer.stride
            conv_input = conv_input[..., ::rows, ::columns]
    elif not isinstance(layer, nn.Linear):
        raise ValueError(
            f"cannot take the patch norm of a {type(layer).__name__}; accepted: Conv2d, Linear. "
            "Place IIEU units only after those"
        )
    squares = sum_of_squares(conv_input, groups)
    if isinstance(layer, nn.Conv2d) and not _subsamples(layer):
        squares = _sum_over_patches(squares, layer)
    # the square root has no slope at 0; far below eps a norm no longer changes (norm + eps)
    visible = squares > (eps * torch.finfo(squares.dtype).eps) ** 2
    norm: Tensor = torch.where(visible, squares, 1).sqrt() * visible
    return norm


def filter_norm(layer: nn.Module) -> Tensor:
    """L2 norm of every output channel's flattened filter, ``(C_out)``."""
    weight: Tensor = layer.weight  # type: ignore[assignment]
    norm: Tensor = torch.linalg.vector_norm(weight.flatten(1), dim=1)
    return norm


def _subsamples(layer: nn.Conv2d) -> bool:
    """Whether the patch of a layer is one position: nothing to sum, strides only skip."""
    return layer.kernel_size == (1, 1) and layer.padding in ((0, 0), "valid", "same")


def _sum_over_patches(squares: Tensor, layer: nn.Conv2d) -> Tensor:
    """Sums of each group's squares over the patch at every output position."""
    ones = squares.new_ones(1, 1, *layer.kernel_size)
    maps = squares.flatten(0, 1).unsqueeze(1)
    sums = functional.conv2d(maps, ones, None, layer.stride, layer.padding, layer.dilation)
    return sums.view(*squares.shape[:2], *sums.shape[2:])
