"""IIEU's re-weighting of a response, as a formula and as a memory-saving autograd function."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

# Numbers handled at a time: the handful of temporaries of one block stay in the cache. Timed on
# CPU between 2^14 and 2^20.
BLOCK = 1 << 18
LOG2_E = math.log2(math.e)  # exp2 is vectorised where exp is not: a third of the time on CPU


def reweight(x: Tensor, patch: Tensor, filters: Tensor, shift: Tensor, eta: Tensor) -> Tensor:
    r"""IIEU's ``phi = adjust(s + nu) * x`` with ``s = x / (|w| |patch|)``, written out.

    ``adjust(rho) = rho`` if ``rho >= eta``, else ``eta * exp(rho - eta)``, which with
    ``u = rho - eta`` is ``max(u, 0) + eta * exp(min(u, 0))``.

    Reference:
        IIEU supplement, Eq. 25-31 (ICCV 2023), as in the authors' code (SudongCAI/IIEU 894d242).

    Args:
        x: Responses, ``(N, C, *)``.
        patch: ``1 / |patch|`` at every position, ``(N, G, *)``, for G groups of C/G channels.
        filters: ``1 / |w|`` of every channel, ``(N, C)``.
        shift: Term-B, nu, ``(N, C)``.
        eta: Turning points of the adjuster, ``(N, C)``.

    Returns:
        ``(N, C, *)``.

    Example:
        >>> one, x = torch.ones(1, 1), torch.tensor([[[-2.0, 0.0, 2.0]]])
        >>> reweight(x, torch.ones_like(x), one, shift=0.5 * one, eta=0.05 * one)
        tensor([[[-0.0212,  0.0000,  5.0000]]])
    """
    block, patch, filters, shift, eta = _rows(x, patch, filters, shift, eta)
    u = block * patch * filters + (shift - eta)
    return ((u.relu() + eta * u.clamp(max=0).exp()) * block).view(x.shape)


class Reweight(torch.autograd.Function):
    """Computes :func:`reweight` in blocks, keeping only its arguments for the backward pass.

    The gradient of x is a tensor of its own, not a view of one, so that autograd can add to it in
    place. With ``q = gradient * x``, and at every position ``d = 1`` where ``u > 0``, else
    ``eta * exp(u)``, the gradients are

    - x: ``gradient * adjust + q d / (|w| |patch|)``
    - patch: ``sum_K q d x / |w|``; filters: ``sum_L q d x / |patch|``
    - shift: ``sum_L q d``; eta: ``(1 - eta) sum_L q exp(u) [u <= 0]``
    """

    @staticmethod
    def forward(*arguments: Tensor) -> Tensor:
        x, patch, filters, shift, eta = _rows(*arguments)
        result = torch.empty_like(arguments[0], memory_format=torch.contiguous_format)
        out = result.view(x.shape)
        for rows, channels in _blocks(x):
            block, scale, turn = x[rows, channels], filters[rows, channels], eta[rows, channels]
            u = (block * patch[rows]).mul_(scale).add_(shift[rows, channels] - turn)
            decay = u.clamp(max=0).mul_(LOG2_E).exp2_()
            torch.mul(u.relu_().addcmul_(decay, turn), block, out=out[rows, channels])
        return result

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():  # second derivatives: differentiate the formula
            return _differentiable(ctx, gradients[0])
        contiguous = torch.contiguous_format
        results = [torch.empty_like(a, memory_format=contiguous) for a in ctx.saved_tensors]
        x, patch, filters, shift, eta = _rows(*ctx.saved_tensors)
        to_x, to_patch, to_filters, to_shift, to_eta = _rows(*results)
        upstream = gradients[0].reshape(x.shape)
        to_patch.zero_()  # blocks of one row add to it
        for rows, channels in _blocks(x):
            block, gradient = x[rows, channels], upstream[rows, channels]
            scale, turn = filters[rows, channels], eta[rows, channels]
            slope = patch[rows] * scale
            u = (block * slope).add_(shift[rows, channels] - turn)
            decay = u.clamp(max=0).mul_(LOG2_E).exp2_()
            u.relu_()
            q = gradient * block
            qd = u.sign().mul_(q)  # q where u > 0
            left = (q.mul_(decay)).sub_(qd)  # q exp(u) where u <= 0
            qd.addcmul_(left, turn)
            to_eta[rows, channels] = left.sum(2, keepdim=True).mul_(1 - turn)
            to_shift[rows, channels] = qd.sum(2, keepdim=True)
            u.addcmul_(decay, turn).mul_(gradient)
            torch.addcmul(u, qd, slope, out=to_x[rows, channels])
            qd.mul_(block)
            to_filters[rows, channels] = qd @ patch[rows].mT
            to_patch[rows] += scale.mT @ qd
        return tuple(results)


def _differentiable(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    """Gradients of the arguments that can be differentiated again."""
    arguments = ctx.saved_tensors
    wanted = [a for a, needed in zip(arguments, ctx.needs_input_grad, strict=True) if needed]
    outputs = reweight(*arguments)
    gradients = iter(torch.autograd.grad(outputs, wanted, gradient, create_graph=True))
    return tuple(next(gradients) if needed else None for needed in ctx.needs_input_grad)


def _rows(
    x: Tensor, patch: Tensor, filters: Tensor, shift: Tensor, eta: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The arguments, a row per sample and group: ``(R, K, L)``, ``(R, 1, L)``, ``(R, K, 1)``."""
    rows = patch.shape[0] * patch.shape[1]
    channels = x.shape[1] // patch.shape[1]
    small = (values.reshape(rows, channels, 1) for values in (filters, shift, eta))
    return x.reshape(rows, channels, -1), patch.reshape(rows, 1, -1), *small  # type: ignore[return-value]


def _blocks(x: Tensor) -> Iterator[tuple[slice, slice]]:
    """Slices of rows and channels: whole rows if they fit into a block, else parts of one row.

    Blocks stay in a CPU's cache. Elsewhere all of it is one: each block is kernels to launch.
    """
    rows, channels, positions = x.shape
    if x.device.type != "cpu":
        yield slice(0, rows), slice(0, channels)
        return
    high = max(1, BLOCK // max(1, channels * positions))
    wide = channels if high > 1 else max(1, min(channels, BLOCK // max(1, positions)))
    for row in range(0, rows, high):
        for channel in range(0, channels, wide):
            yield slice(row, row + high), slice(channel, channel + wide)
