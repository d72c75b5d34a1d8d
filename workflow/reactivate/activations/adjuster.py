"""IIEU's re-weighting of a response, as a formula and as a memory-saving autograd function."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

# Numbers handled at a time: the handful of temporaries of one block stay in the cache. Timed on
# CPU between 2^14 and 2^20.
BLOCK = 1 << 18


def reweight(x: Tensor, patch: Tensor, filters: Tensor, shift: Tensor, eta: Tensor) -> Tensor:
    r"""IIEU's ``phi = adjust(s + nu) * x`` with ``s = x / (|w| |patch|)``, written out.

    ``adjust(rho) = rho`` if ``rho >= eta``, else ``eta * exp(rho - eta)``, which with
    ``u = rho - eta`` is ``max(u, 0) + eta * exp(min(u, 0))``.

    Reference:
        METHODS.md section 1.1 (SudongCAI/IIEU 894d242).

    Args:
        x: Responses, ``(R, K, L)``: R rows (sample and group), K channels, L positions.
        patch: ``1 / |patch|`` at every position, ``(R, 1, L)``.
        filters: ``1 / |w|`` of every channel, ``(R, K)``.
        shift: Term-B, nu, ``(R, K)``.
        eta: Where the adjuster turns, ``(R, K)``.

    Returns:
        ``(R, K, L)``.

    Example:
        >>> one = torch.ones(1, 1)
        >>> x = torch.tensor([[[-2.0, 0.0, 2.0]]])
        >>> reweight(x, one.expand(1, 1, 3), one, shift=0.5 * one, eta=0.05 * one)
        tensor([[[-0.0212,  0.0000,  5.0000]]])
    """
    u = x * patch * filters.unsqueeze(2) + (shift - eta).unsqueeze(2)
    return (u.relu() + eta.unsqueeze(2) * u.clamp(max=0).exp()) * x


class Reweight(torch.autograd.Function):
    """:func:`reweight` block by block, keeping only its arguments for the backward pass.

    With ``q = gradient * x``, and at every position ``d = 1`` where ``u > 0``, else
    ``eta * exp(u)``, the gradients are

    - x: ``gradient * adjust + q d / (|w| |patch|)``
    - patch: ``sum_K q d x / |w|``; filters: ``sum_L q d x / |patch|``
    - shift: ``sum_L q d``; eta: ``(1 - eta) sum_L q exp(u) [u <= 0]``
    """

    @staticmethod
    def forward(*arguments: Tensor) -> Tensor:
        x, patch, filters, shift, eta = arguments
        out = torch.empty_like(x, memory_format=torch.contiguous_format)
        for rows, channels in _blocks(x):
            block, scale = x[rows, channels], filters[rows, channels, None]
            turn = eta[rows, channels, None]
            u = (block * patch[rows]).mul_(scale).add_(shift[rows, channels, None] - turn)
            decay = u.clamp(max=0).exp_()
            torch.mul(u.relu_().addcmul_(decay, turn), block, out=out[rows, channels])
        return out

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():  # second derivatives: differentiate the formula
            return _differentiable(ctx, gradients[0])
        x, patch, filters, shift, eta = ctx.saved_tensors
        to_x = torch.empty_like(x, memory_format=torch.contiguous_format)
        to_patch, to_filters = torch.zeros_like(patch), torch.empty_like(filters)
        to_shift, to_eta = torch.empty_like(filters), torch.empty_like(filters)
        for rows, channels in _blocks(x):
            block, gradient = x[rows, channels], gradients[0][rows, channels]
            scale, turn = filters[rows, channels, None], eta[rows, channels, None]
            slope = patch[rows] * scale
            u = (block * slope).add_(shift[rows, channels, None] - turn)
            decay = u.clamp(max=0).exp_()
            u.relu_()
            q = gradient * block
            qd = u.sign().mul_(q)  # q where u > 0
            left = (q.mul_(decay)).sub_(qd)  # q exp(u) where u <= 0
            qd.addcmul_(left, turn)
            to_eta[rows, channels] = left.sum(2)
            to_shift[rows, channels] = qd.sum(2)
            u.addcmul_(decay, turn).mul_(gradient)
            torch.addcmul(u, qd, slope, out=to_x[rows, channels])
            qd.mul_(block)
            to_filters[rows, channels] = (qd @ patch[rows].mT).squeeze(2)
            to_patch[rows] += scale.mT @ qd
        return to_x, to_patch, to_filters, to_shift, to_eta.mul_(1 - eta)


def _differentiable(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
    arguments = ctx.saved_tensors
    wanted = [a for a, needed in zip(arguments, ctx.needs_input_grad, strict=True) if needed]
    found = iter(torch.autograd.grad(reweight(*arguments), wanted, gradient, create_graph=True))
    return tuple(next(found) if needed else None for needed in ctx.needs_input_grad)


def _blocks(x: Tensor) -> Iterator[tuple[slice, slice]]:
    """Whole rows while they fit into a block, otherwise channels of one row."""
    rows, channels, positions = x.shape
    high = max(1, BLOCK // max(1, channels * positions))
    wide = channels if high > 1 else max(1, min(channels, BLOCK // max(1, positions)))
    for row in range(0, rows, high):
        for channel in range(0, channels, wide):
            yield slice(row, row + high), slice(channel, channel + wide)
