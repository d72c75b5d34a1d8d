"""Use a network in the mode it has without a trace in it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def untouched(network: nn.Module) -> Iterator[None]:
    """While open, the network may be used in any mode; afterwards its buffers are as before.

    In training mode batch normalisation uses the statistics of the batch and would also count
    them; what is computed inside is computed in that mode, and not counted.

    Example:
        >>> norm = nn.BatchNorm1d(1)
        >>> with untouched(norm):
        ...     scores = norm(torch.tensor([[1.0], [3.0]]))
        >>> norm.running_mean
        tensor([0.])
    """
    learns = any(module.training for module in network.modules())
    kept = [(buffer, buffer.clone()) for buffer in network.buffers()] if learns else []
    try:
        yield
    finally:
        with torch.no_grad():
            for buffer, value in kept:
                buffer.copy_(value)
