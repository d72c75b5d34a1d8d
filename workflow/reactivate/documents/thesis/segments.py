"""Segments: regions they cross, Lipschitz constants along them, predictions at their ends."""

from itertools import pairwise

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.small_networks import codes, column
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.lipschitz import local_lipschitz


def pieces(network: nn.Sequential, low: float, high: float) -> list[tuple[float, float, Tensor]]:
    """Regions of a network with one input: both ends and the pattern, from left to right."""
    places = SegmentWalk(network).crossings(*column(low, high)).t
    kinks = (low + (high - low) * places).tolist()
    return [
        (a, b, codes(network, column((a + b) / 2))[0]) for a, b in pairwise([low, *kinks, high])
    ]


def segment_constants(network: nn.Sequential, starts: Tensor, ends: Tensor) -> Tensor:
    """Mean Lipschitz constants along segments: the bound of Eq. 4.42 over the distance."""
    walk = SegmentWalk(network)
    lengths, middles = [], []
    for start, end in zip(starts, ends, strict=True):
        inner = walk.crossings(start, end).t
        places = torch.cat([inner.new_zeros(1), inner, inner.new_ones(1)])
        middles.append(torch.lerp(start, end, (places[1:] + places[:-1]).unsqueeze(1) / 2))
        lengths.append(places.diff())
    constants = local_lipschitz(network, torch.cat(middles), chunk=10_000)
    parts = torch.split(constants, [len(part) for part in lengths])
    return torch.stack([own @ length for own, length in zip(parts, lengths, strict=True)])


def ratios(network: nn.Sequential, centre: Tensor, points: Tensor) -> Tensor:
    """Distance of predictions by distance of inputs, ``R(x, y)`` of section 5.1.3, ``(N)``."""
    moved, step = network(points) - network(centre), points - centre
    quotients: Tensor = moved.norm(dim=1) / step.norm(dim=1)
    return quotients
