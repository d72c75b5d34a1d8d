"""Batch normalisation of a batch that processes divide among them, by the statistics of all."""

from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional
from torch.nn.modules.batchnorm import _BatchNorm

from reactivate.layers.mean import MeanOnlyBatchNorm, all_but_channels, precise


class SharedBatchNorm(_BatchNorm):
    """Batch normalisation by mean and variance over the images of all processes.

    It is ``nn.BatchNorm1d`` to ``3d`` of one process that has all images: output, running
    statistics and gradients, also where processes have different numbers of images, or none.
    (``nn.SyncBatchNorm`` is, too, but takes tensors of GPUs only.) All processes must pass it
    together, forwards and backwards.

    Reference:
        Ioffe & Szegedy 2015, Algorithm 1 (arXiv:1502.03167).

    Args:
        norm: The normalisation of one process; parameters and buffers are taken over from it.

    Shape:
        - Input: ``(N, C, *)``, the N images of this process
        - Output: ``(N, C, *)``
    """

    def __init__(self, norm: _BatchNorm) -> None:
        super().__init__(norm.num_features, norm.eps, norm.momentum, device="meta")
        _take_over(norm, self)

    def _check_input_dim(self, input: Tensor) -> None:
        """Takes any number of positions."""

    def forward(self, input: Tensor) -> Tensor:
        if not self.training and self.running_mean is not None:
            return super().forward(input)
        values, mean, squares = shared_moments(input)
        if self.training and self.running_mean is not None:
            self._count(values, mean.detach(), squares.detach())
        scale = (squares / values + self.eps).rsqrt()
        if self.weight is not None:
            scale = scale * self.weight
        offset = -mean * scale if self.bias is None else self.bias - mean * scale
        # the one operation of torch that makes x * scale + offset and keeps x alone for gradients
        nothing, one = torch.zeros_like(mean), torch.ones_like(mean)
        return functional.batch_norm(input, nothing, one, scale, offset, training=False, eps=0.0)

    @torch.no_grad()
    def _count(self, values: Tensor, mean: Tensor, squares: Tensor) -> None:
        """Counts a batch in the running statistics, its variance as an unbiased estimate."""
        assert self.running_mean is not None
        assert self.running_var is not None
        assert self.num_batches_tracked is not None
        self.num_batches_tracked.add_(1)
        weight: Any = self.momentum
        if weight is None:  # all batches count the same
            weight = 1 / self.num_batches_tracked
        variance = squares / (values - 1).clamp(min=1)
        self.running_mean.lerp_(mean.to(self.running_mean), weight)
        self.running_var.lerp_(variance.to(self.running_var), weight)


class SharedMeanOnlyBatchNorm(MeanOnlyBatchNorm):
    """Mean-only batch normalisation by the mean over the images of all processes.

    Args:
        norm: The normalisation of one process; parameters and buffers are taken over from it.
    """

    def __init__(self, norm: MeanOnlyBatchNorm) -> None:
        super().__init__(len(norm.running_mean), norm.shift is not None, norm.momentum)
        _take_over(norm, self)

    def batch_mean(self, x: Tensor) -> Tensor:
        own = x.sum(all_but_channels(x), dtype=precise(x))
        total = summed(torch.cat([own, own.new_full((1,), len(x))]))
        return total[:-1] / (total[-1] * x.shape[2:].numel())


def summed(own: Tensor) -> Tensor:
    """The sum of a tensor over all processes, and of its gradients on the way back.

    It is ``torch.distributed.nn.functional.all_reduce``, which torch 2.13 warns is to go.
    """
    total: Tensor = _Sum.apply(own)  # type: ignore[no-untyped-call]
    return total


class _Sum(torch.autograd.Function):
    """The function of :func:`summed`."""

    @staticmethod
    def forward(ctx: Any, own: Tensor) -> Tensor:
        total = own.clone()
        distributed.all_reduce(total)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return summed(gradient)


class _Moments(torch.autograd.Function):
    """Means of the channels and sums of squared distances from them, of this process's images.

    They are those of ``torch.var_mean``, but no copy in full precision is kept for the gradient.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        if len(x):
            values = x.numel() // x.shape[1]
            variance, mean = torch.var_mean(x.to(precise(x)), all_but_channels(x), correction=0)
            squares = variance * values
        else:
            mean = torch.zeros(x.shape[1], dtype=precise(x), device=x.device)
            squares = torch.zeros_like(mean)
        ctx.save_for_backward(x, mean)
        return mean, squares

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_mean: Tensor, of_squares: Tensor) -> Tensor:
        x, mean = ctx.saved_tensors
        values = max(1, x.numel() // x.shape[1])
        shape = (-1, *(1,) * (x.dim() - 2))
        distances = x - mean.reshape(shape)
        gradient: Tensor = distances * (2 * of_squares).reshape(shape)
        gradient = gradient + (of_mean / values).reshape(shape)
        return gradient.to(x.dtype)


def shared_moments(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Number of values, mean and sum of squared distances from it, per channel, of all processes.

    Partial sums of squares are put together by the distances of partial means, so nothing cancels
    where a mean is large.

    Reference:
        Chan, Golub & LeVeque 1983, Eq. 2.1 (The American Statistician 37).
    """
    mean, squares = _Moments.apply(x)  # type: ignore[no-untyped-call]
    row = torch.cat([mean, squares, mean.new_full((1,), len(x))])
    before = distributed.get_rank()
    after = distributed.get_world_size() - before - 1
    table = summed(functional.pad(row[None], (0, 0, before, after)))  # a row of each process
    means, sums, images = table.tensor_split((len(mean), 2 * len(mean)), dim=1)
    values = images * x.shape[2:].numel()
    total = values.sum(0)
    mean = (values * means).sum(0) / total
    return total, mean, (sums + values * (means - mean) ** 2).sum(0)


def share_statistics(network: nn.Module) -> None:
    """Makes every batch normalisation of a network, of activations too, one of all processes.

    Parameters, buffers and their names stay as they are.
    """
    for parent in list(network.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, _BatchNorm) and not isinstance(child, SharedBatchNorm):
                setattr(parent, name, SharedBatchNorm(child))
            elif type(child) is MeanOnlyBatchNorm:
                setattr(parent, name, SharedMeanOnlyBatchNorm(child))


def has_batch_statistics(network: nn.Module) -> bool:
    """Whether images of a batch have a part in each other's scores while a network trains."""
    return any(isinstance(part, _BatchNorm | MeanOnlyBatchNorm) for part in network.modules())


def _take_over(old: nn.Module, new: nn.Module) -> None:
    """Gives a module the parameters, buffers and mode of another one, whatever it had."""
    for name in [*new._parameters, *new._buffers]:
        setattr(new, name, getattr(old, name))
    new.train(old.training)
