"""Transition density: how often the activation pattern changes along a segment, by sampling."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from reactivate.patterns.breakpoints import ABSTAIN, breakpoints_of, encode
from reactivate.patterns.preactivations import visit_batches

INTERIOR = 512  # points of section 5.2.1.1 between the two ends


@dataclass(frozen=True)
class Transitions:
    """Numbers of changes along segments.

    Attributes:
        regions: Changes of the pattern, int64 ``(S)``: the transition density, at most one for
            each pair of neighbouring points.
        flips: Changes of single neurons, int64 ``(S)``: at least as many.
    """

    regions: Tensor
    flips: Tensor


def segment_points(x: Tensor, y: Tensor, interior: int = INTERIOR) -> Tensor:
    """Equally spaced points from ``x`` to ``y``, both included.

    ``x_i = i / (interior + 1) (y - x) + x``, Eq. 5.20.

    Args:
        x: Starts, ``(S, *)``.
        y: Ends, ``(S, *)``.
        interior: Points between the ends.

    Returns:
        ``(S, interior + 2, *)``.

    Example:
        >>> segment_points(torch.zeros(1, 1), torch.ones(1, 1), interior=3).flatten()
        tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    steps = torch.arange(1, interior + 1, dtype=x.dtype, device=x.device) / (interior + 1)
    steps = steps.reshape(-1, *(1,) * (x.dim() - 1))
    inner = steps * (y - x).unsqueeze(1) + x.unsqueeze(1)
    return torch.cat([x.unsqueeze(1), inner, y.unsqueeze(1)], dim=1)


def estimate_transitions(
    network: nn.Module,
    x: Tensor,
    y: Tensor,
    interior: int = INTERIOR,
    breakpoints: Sequence[float] | None = None,
    batch_size: int = 2056,
) -> Transitions:
    """Transitions between neighbouring points of each segment.

    ``regions`` is the printed estimate: it cannot exceed ``interior + 1`` (513), which networks
    of 2304 neurons reach; ``flips`` counts every neuron that changes in a step.
    :func:`reactivate.patterns.crossings.count_transitions` counts exactly. A neuron that abstains
    at a point keeps the pattern it had before.

    Reference:
        Jiang 2024, Eq. 5.1, 5.2 and 5.20 (PhD thesis, Lancaster).

    Args:
        network: Any network whose activations are modules; it is evaluated and left as it was.
        x: Starts, ``(S, *)``.
        y: Ends, ``(S, *)``.
        interior: Points between the ends.
        breakpoints: Breakpoints of all activations; None for each activation's own.
        batch_size: Points per forward pass, but at least one segment.

    Example:
        >>> network = nn.Sequential(nn.Linear(1, 2, bias=False), nn.ReLU())
        >>> estimate_transitions(network, -torch.ones(1, 1), 2 * torch.ones(1, 1))
        Transitions(regions=tensor([1]), flips=tensor([2]))
    """
    together = max(1, batch_size // (interior + 2))
    none = torch.zeros(0, dtype=torch.int64, device=x.device)
    parts = [(none, none)]
    for start in range(0, len(x), together):
        part = slice(start, start + together)
        parts.append(_sampled(network, segment_points(x[part], y[part], interior), breakpoints))
    regions, flips = (torch.cat(counts) for counts in zip(*parts, strict=True))
    return Transitions(regions, flips)


def _sampled(
    network: nn.Module, points: Tensor, breakpoints: Sequence[float] | None
) -> tuple[Tensor, Tensor]:
    """Changes of the pattern and of neurons along sequences of points, ``(S, P, *)``."""
    sequences, length = points.shape[:2]
    moved = torch.zeros(sequences, length - 1, dtype=torch.bool, device=points.device)
    flips = torch.zeros(sequences, dtype=torch.int64, device=points.device)

    def visit(_: str, activation: nn.Module, z: Tensor) -> None:
        codes = encode(z.flatten(1), breakpoints or breakpoints_of(activation))
        codes = carried(codes.reshape(sequences, length, -1))
        changed = codes[:, 1:] != codes[:, :-1]
        moved.logical_or_(changed.any(dim=2))
        flips.add_(changed.sum(dim=(1, 2)))

    visit_batches(network, [points.flatten(0, 1)], visit)
    return moved.sum(dim=1), flips


def carried(codes: Tensor) -> Tensor:
    """Replaces abstentions by the neuron's code before, or by its first code if there is none.

    A neuron that crosses its breakpoint exactly at a point changes once, one that only touches it
    does not change, and one that always abstains stays so.

    Args:
        codes: ``(S, points, neurons)``.

    Example:
        >>> carried(torch.tensor([-1, 0, -1, 1]).reshape(1, 4, 1)).flatten()
        tensor([0, 0, 0, 1])
    """
    if not codes.numel() or int(codes.amin()) != ABSTAIN:
        return codes
    abstaining = (codes == ABSTAIN).flatten(0, 1).any(dim=0)
    part = codes[..., abstaining]
    decided = part != ABSTAIN
    places = torch.arange(part.shape[1], device=codes.device)[:, None]
    last = places.where(decided, -1).cummax(dim=1).values
    first = decided.to(torch.int8).argmax(dim=1, keepdim=True)
    filled = codes.clone()
    filled[..., abstaining] = part.gather(1, last.maximum(first))
    return filled
