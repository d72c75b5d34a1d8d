"""Hyperspherical coordinates: a unit direction given by its angles, and back."""

from collections.abc import Callable
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

# Stands for a sine of exactly zero in the gradient, where suffix sums are divided by the sines.
# Its square, for two such angles, still fits float32.
SMALLEST_SINE = 1e-18

CHUNK = 2**17  # numbers worked on at a time: a handful of arrays of this size fit a cache


def unit_vector(theta: Tensor) -> Tensor:
    r"""Unit vector with the given hyperspherical angles.

    ``u_1 = cos t_1``, ``u_k = sin t_1 ... sin t_{k-1} cos t_k``, and the last coordinate is the
    product of all sines.

    Reference:
        Chen & Ge 2024, Eq. 10 (arXiv:2305.15912).

    Args:
        theta: Angles in radians, ``(*, n-1)``.

    Returns:
        Unit vectors, ``(*, n)``, in the precision of ``theta``.

    Example:
        >>> unit_vector(torch.tensor([0.0]))
        tensor([1., 0.])
    """
    if torch.compiler.is_exporting():  # what is left to export has no cumulative product in ONNX
        return _exported_unit_vector(theta)
    return cast(Tensor, _UnitVector.apply(theta))  # type: ignore[no-untyped-call]


def _exported_unit_vector(theta: Tensor) -> Tensor:
    """The same from operations that ONNX has: products over 1, 2, 4, ... neighbours at a time."""
    precise = theta.double()
    products, distance = precise.sin(), 1
    while distance < products.shape[-1]:
        before = functional.pad(products[..., :-distance], (distance, 0), value=1.0)
        products, distance = products * before, 2 * distance
    shifted = functional.pad(products, (1, 0), value=1.0)
    return (shifted * functional.pad(precise.cos(), (0, 1), value=1.0)).to(theta.dtype)


def angles(vector: Tensor) -> Tensor:
    r"""Angles of the direction of a vector; inverse of :func:`unit_vector` whatever the length.

    ``t_k = atan2(|(v_{k+1}, ..., v_n)|, v_k)`` and, keeping the sign of the last coordinate,
    ``t_{n-1} = atan2(v_n, v_{n-1})``.

    Args:
        vector: Vectors, ``(*, n)`` with ``n >= 2``.

    Returns:
        Angles in radians, ``(*, n-1)``: in ``[0, pi]``, the last one in ``[-pi, pi]``.

    Example:
        >>> angles(torch.tensor([0.0, 0.0, 5.0]))
        tensor([1.5708, 1.5708])
    """
    if vector.shape[-1] < 2:
        raise ValueError(
            f"angles need at least 2 coordinates, got a tensor of shape {tuple(vector.shape)}; "
            "a one-dimensional direction is a sign"
        )
    precise = vector.double()
    # Scaled by the largest coordinate: squares of very small or large ones stay representable.
    largest = precise.abs().amax(-1, keepdim=True)
    precise = precise / largest.masked_fill(largest == 0, 1)
    tail = precise[..., 1:-1].square()  # tail[k] = |(v_{k+1}, ..., v_n)|, summed from the end
    tail = _suffix_sum(torch.cat([tail, precise[..., -1:].square()], dim=-1)).sqrt()
    opposite = torch.cat([tail[..., :-1], precise[..., -1:]], dim=-1)  # the last keeps its sign
    return torch.atan2(opposite, precise[..., :-1]).to(vector.dtype)


def _suffix_sum(x: Tensor) -> Tensor:
    """Sums of each number and all that follow it in its row."""
    return x.flip(-1).cumsum(-1).flip(-1)


def _value(theta: Tensor) -> Tensor:
    """Unit vectors of a few rows of angles."""
    # In float32 thousands of rounded sines would multiply up to a visible error.
    products = theta.double().sin().cumprod(-1).to(theta.dtype)
    cosines = theta.cos()
    middle = products[..., :-1] * cosines[..., 1:]
    return torch.cat([cosines[..., :1], middle, products[..., -1:]], dim=-1)


def _gradient(theta: Tensor, gradient: Tensor) -> Tensor:
    """Gradients of a few rows of angles, from those of their unit vectors."""
    sines, cosines = theta.sin(), theta.cos()
    sines = sines.masked_fill(sines.abs() < SMALLEST_SINE, SMALLEST_SINE)
    products = sines.cumprod(-1)
    middle = gradient[..., 1:-1] * products[..., :-1] * cosines[..., 1:]
    last = gradient[..., -1:] * products[..., -1:]
    later = _suffix_sum(torch.cat([middle, last], dim=-1))
    return later * cosines / sines - gradient[..., :-1] * products


def _by_rows(function: Callable[..., Tensor], *tensors: Tensor) -> Tensor:
    """Applies a function of rows; on a CPU to a few at a time, so that its work stays in cache.

    Elsewhere every piece would be some more kernels to launch.
    """
    if tensors[0].device.type != "cpu":
        return function(*tensors)
    shape = tensors[0].shape
    rows = max(1, CHUNK // shape[-1])
    flat = [torch.split(tensor.reshape(-1, tensor.shape[-1]), rows) for tensor in tensors]
    result = torch.cat([function(*chunk) for chunk in zip(*flat, strict=True)])
    return result.reshape(*shape[:-1], -1)


class _UnitVector(torch.autograd.Function):
    """Computes Eq. 10, and its gradient by suffix sums: cheap, and finite at sine 0.

    ``du_k/dt_i = u_k cos t_i / sin t_i`` for ``k > i`` and ``du_i/dt_i = -(sin t_1 ... sin t_i)``,
    so ``dL/dt_i = (sum_{k>i} g_k u_k) cos t_i / sin t_i - g_i sin t_1 ... sin t_i``.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(theta: Tensor) -> Tensor:
        return _by_rows(_value, theta)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return _by_rows(_gradient, *ctx.saved_tensors, *gradients)
