"""What "almost surely" asks of a counter-example: weights of an open set, data without atoms."""

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.small_networks import linear_maps, normal

NUDGE = 0.001  # deviation of what is added to every weight and bias


def nudged(
    network: nn.Sequential, stream: torch.Generator, deviation: float = NUDGE
) -> nn.Sequential:
    """A network near another one: normal numbers are added to all weights and biases."""
    near = copy.deepcopy(network)
    with torch.no_grad():
        for layer in linear_maps(near):
            for numbers in (layer.weight, layer.bias):
                numbers.add_(deviation * normal(numbers.shape, stream))
    return near


def nearby(
    network: nn.Sequential, count: int, stream: torch.Generator, deviation: float = NUDGE
) -> list[nn.Sequential]:
    """A network, and others near it: so many in all."""
    return [network, *(nudged(network, stream, deviation) for _ in range(count - 1))]


def mixture(
    centres: Sequence[Sequence[float]], deviation: float, count: int, stream: torch.Generator
) -> Tensor:
    """Points of normal clouds around centres that are equally likely, ``(count, n)``.

    The distribution has no atoms, and every open set of the input space has some of it.
    """
    places = torch.tensor(centres, dtype=torch.float64)
    chosen = places[torch.randint(len(places), (count,), generator=stream)]
    return chosen + deviation * normal(chosen.shape, stream)
