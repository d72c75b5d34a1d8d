"""Slopes of activations and poolings: the largest between breakpoints."""

import copy
from collections.abc import Sequence
from math import ceil, inf, nextafter, prod, sqrt

import torch
from torch import Tensor, nn

from reactivate.patterns.breakpoints import breakpoints_of, checked

FAR = 100.0  # stands for infinity: activations are straight there to double precision
GRID, ROUNDS = 2001, 5  # points per search of the steepest place, and searches


def slopes_of(
    activation: nn.Module, channels: int, breakpoints: Sequence[float] | None = None
) -> Tensor:
    """Largest absolute slope of an activation between breakpoints, ``(q + 1, channels)``.

    Where one number gives several outputs (CReLU), it is the length of their slopes.

    Example:
        >>> slopes_of(nn.Tanh(), channels=1).flatten()
        tensor([0.7864, 1.0000, 0.7864], dtype=torch.float64)
    """
    points = checked(breakpoints or breakpoints_of(activation))
    ends = zip((-FAR, *points), (*points, FAR), strict=True)
    activation = copy.deepcopy(activation).double().eval()
    alike = all(parameter.numel() == 1 for parameter in activation.parameters())
    rows = []
    for left, right in ends:
        low = torch.full((1 if alike else channels,), nextafter(left, inf), dtype=torch.float64)
        high = torch.full_like(low, nextafter(right, -inf))
        rows.append(_steepest(activation, low, high))
    return torch.stack(rows).expand(-1, channels)


def _steepest(activation: nn.Module, low: Tensor, high: Tensor) -> Tensor:
    """Largest absolute slope between two places per channel, on finer and finer grids."""
    best = torch.zeros_like(low)
    steps = torch.linspace(0, 1, GRID, dtype=torch.float64)[:, None]
    for _ in range(ROUNDS):
        x = (1 - steps) * low + steps * high
        value, at = _slope(activation, x.clone()).max(dim=0)
        best = best.maximum(value)
        edges = [(at + step).clamp(0, GRID - 1)[None] for step in (-1, 1)]
        low, high = (x.gather(0, edge)[0] for edge in edges)
    return best


def _slope(activation: nn.Module, x: Tensor) -> Tensor:
    """Length of the slopes of all outputs that depend on one number, shaped like ``x``."""
    x = x.requires_grad_()
    with torch.enable_grad():
        outputs = activation(x).reshape(len(x), -1, x.shape[1])
        slopes = [
            torch.autograd.grad(part.sum(), x, retain_graph=True)[0] for part in outputs.unbind(1)
        ]
    return torch.stack(slopes).square().sum(dim=0).sqrt()


def pooling_slope(pooling: nn.Module) -> float:
    """Root of the number of windows that may choose one input: 1 if windows do not overlap."""
    kernel, stride = (_sizes(getattr(pooling, name)) for name in ("kernel_size", "stride"))
    dimensions = int(type(pooling).__name__[-2])
    kernel, stride = (size * (dimensions // len(size)) for size in (kernel, stride))
    return sqrt(prod(ceil(k / s) for k, s in zip(kernel, stride, strict=True)))


def _sizes(size: int | Sequence[int]) -> tuple[int, ...]:
    """Sizes along all dimensions, or one for all of them."""
    return (size,) if isinstance(size, int) else tuple(size)
