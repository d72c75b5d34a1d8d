"""Gaussian noise that depends on what it is for, not on how it is batched."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from reactivate.foundation.seeding import generator

BLOCK = 100  # samples per random stream


def normal_batches(
    like: Tensor, draws: int, key: Sequence[object], batch: int
) -> Iterator[Tensor]:
    """Standard normal samples shaped like a tensor, in batches.

    Sample i is the same whatever the batch size and however many samples are drawn: every block
    of :data:`BLOCK` samples has a random stream of its own. They are drawn on the CPU and moved,
    so they do not depend on the device either.

    Args:
        like: A tensor of the shape, type and device of a sample.
        draws: Number of samples.
        key: Name of what the samples are for.
        batch: Most samples at a time.

    Returns:
        Tensors ``(at most batch, *like.shape)``.

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
            *whole, rest = torch.split(torch.cat(waiting), batch)
            yield from (part.to(like.device) for part in whole)
            waiting = [rest]
    if waiting:
        yield torch.cat(waiting).to(like.device)


def _block(like: Tensor, key: Sequence[object], number: int) -> Tensor:
    """The samples of one block, from its own random stream."""
    stream = generator(*key, number)
    return torch.randn((BLOCK, *like.shape), generator=stream, dtype=like.dtype)
