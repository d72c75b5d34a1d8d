"""Knots of a piecewise-linear function along a segment, and those that a breakpoint adds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from reactivate.patterns.breakpoints import ABSTAIN, encode
from reactivate.patterns.transitions import carried


@dataclass(frozen=True)
class Knots:
    """Places on a segment, given by the knots of the layer before.

    Attributes:
        t: Place on the segment, float64 ``(K)``.
        base: The old knot at or before it, int64 ``(K)``.
        weight: Share of the way from there to the next old knot, float64 ``(K)``.
        neuron: The neuron that crosses a breakpoint there; -1 for an old knot.
        point: The breakpoint that it crosses, float64 ``(K)``.
    """

    t: Tensor
    base: Tensor
    weight: Tensor
    neuron: Tensor
    point: Tensor

    @classmethod
    def old(cls, t: Tensor) -> "Knots":
        """The knots of the layer before, unchanged."""
        base, zeros = torch.arange(len(t), device=t.device), torch.zeros_like(t)
        return cls(t, base, zeros, torch.full_like(base, -1), zeros)

    @classmethod
    def merged(cls, knots: Sequence["Knots"]) -> "Knots":
        """All knots in order; of several at one place the first that was given."""
        together = cls(*map(torch.cat, zip(*(vars(part).values() for part in knots), strict=True)))
        together = together.take(together.t.argsort(stable=True))
        return together.take(together.t.diff(prepend=together.t.new_tensor([-1.0])) > 0)

    def take(self, index: Tensor | slice) -> "Knots":
        """Some of the knots."""
        return Knots(*(part[index] for part in vars(self).values()))

    def parts(self, rows: int) -> Iterator["Knots"]:
        """Runs of at most ``rows`` knots, each starting with the last knot of the one before."""
        for start in range(0, max(1, len(self.t) - 1), rows - 1):
            yield self.take(slice(start, start + rows))

    def values(self, z: Tensor) -> Tensor:
        """Pre-activations at the knots, ``(K, neurons)``, from those at old knots."""
        weight = self.weight[:, None]
        following = (self.base + 1).clamp(max=len(z) - 1)
        # as a sum of two products it never leaves the side that both ends are on
        rows = (1 - weight) * z[self.base] + weight * z[following]
        crossing = (self.neuron >= 0).nonzero().flatten()
        rows[crossing, self.neuron[crossing]] = self.point[crossing]
        return rows


def crossing_knots(t: Tensor, z: Tensor, point: float, before: Tensor) -> tuple[Knots, Tensor]:
    """Knots where neurons that are linear between other knots cross a breakpoint.

    A neuron crosses where it leaves one side and is next seen on the other: touching the
    breakpoint is no crossing, and after lying on it for a while the place is where it leaves it.

    Args:
        t: Knots, ``(K)``.
        z: Pre-activations at the knots, ``(K, neurons)``.
        point: The breakpoint.
        before: Side on which each neuron was last seen before the first knot, int8 ``(neurons)``;
            -1 for never.

    Returns:
        A knot per crossing, in order, and the side on which each neuron was last seen.

    Example:
        >>> z = torch.tensor([[-1.0, 1.0], [3.0, 1.0]])
        >>> never = torch.tensor([-1, -1], dtype=torch.int8)
        >>> knots, side = crossing_knots(torch.tensor([0.0, 1.0]), z, 0.0, never)
        >>> knots.t, knots.neuron, side
        (tensor([0.2500]), tensor([0]), tensor([1, 1], dtype=torch.int8))
    """
    sides = encode(z, (point,))
    if sides.numel() and int(sides.amin()) == ABSTAIN:
        sides = carried(torch.cat([before[None], sides])[None])[0, 1:]
    base, neuron = (sides[1:] != sides[:-1]).nonzero().T
    left, right = z[base, neuron] - point, z[base + 1, neuron] - point
    weight = left / (left - right)  # 0 where the neuron leaves the breakpoint at a knot
    place = (t[base] + weight * (t[base + 1] - t[base])).minimum(t[base + 1])
    return Knots(place, base, weight, neuron, torch.full_like(place, point)), sides[-1]
