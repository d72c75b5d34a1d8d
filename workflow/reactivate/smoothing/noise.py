"""Gaussian noise that depends on what it is for, not on how it is batched."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from reactivate.foundation.device import generator_on

BLOCK = 100  # samples per random stream


def normal_batches(
    like: Tensor, draws: int, key: Sequence[object], batch: int
) -> Iterator[Tensor]:
    """Standard normal samples shaped like a tensor, in batches.

    Sample i is the same whatever the batch size and however many samples are drawn: every block
    of :data:`BLOCK` samples has a random stream of its own. They are drawn on the device of the
    tensor, so none is ever copied there; another kind of device draws other samples.

    Args:
        like: A tensor of the shape, type and device of a sample.
        draws: Number of samples.
        key: Name of what the samples are for.
        batch: Most samples at a time.

    Returns:
        Tensors ``(at most batch, *like.shape)`` that may be changed in place.

    Example:
        >>> whole, = normal_batches(torch.zeros(3), 5, ["example"], batch=5)
        >>> halves = list(normal_batches(torch.zeros(3), 5, ["example"], batch=3))
        >>> torch.equal(torch.cat(halves), whole)
        True
    """
    if batch < 1:
        raise ValueError(f"batch is {batch}; accepted: 1 or more samples. Change the call")
    waiting: list[Tensor] = []
    for number, first in enumerate(range(0, draws, BLOCK)):
        waiting.append(_block(like, key, number)[: draws - first])
        if sum(map(len, waiting)) >= batch:
            parts = torch.split(_joined(waiting), batch)
            whole = len(parts) - (len(parts[-1]) < batch)
            yield from parts[:whole]
            waiting = list(parts[whole:])
    if waiting:
        yield _joined(waiting)


def _joined(parts: list[Tensor]) -> Tensor:
    """Samples that follow one another, as one tensor."""
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _block(like: Tensor, key: Sequence[object], number: int) -> Tensor:
    """The samples of one block, from its own random stream."""
    stream = generator_on(like.device, *key, number)
    shape = (BLOCK, *like.shape)
    return torch.randn(shape, generator=stream, device=like.device, dtype=like.dtype)
