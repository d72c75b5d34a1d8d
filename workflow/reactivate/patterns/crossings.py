"""Exact transitions of piecewise-linear networks: every crossing of a segment, found by walking.

Along a segment the pre-activations of a piecewise-linear network are piecewise linear. Layer by
layer, the walk keeps the knots between pieces and the values at them: an affine map moves the
values, and a neuron that changes sides between two knots adds a knot where it crosses.
"""

import copy
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from reactivate.activations import names
from reactivate.patterns.breakpoints import ABSTAIN, breakpoints_of, is_piecewise_linear
from reactivate.patterns.chains import blocks_of
from reactivate.patterns.knots import Knots, crossing_knots
from reactivate.patterns.transitions import Transitions

LARGEST = 2**22  # numbers of one layer's values at knots; a segment is cut where there are more
RESOLUTION = 1e-12  # crossings closer than this share of the segment count as one place


@dataclass(frozen=True)
class Crossings:
    """The places where a segment ``x + t (y - x)`` crosses bent hyperplanes, in order of t.

    Attributes:
        t: Place on the segment, float64 ``(F)``, between 0 and 1.
        layer: Index into ``layers``, int64 ``(F)``.
        neuron: Index in its layer, int64 ``(F)``.
        breakpoint: Index of the breakpoint, int64 ``(F)``.
        layers: Names of the layers.
    """

    t: Tensor
    layer: Tensor
    neuron: Tensor
    breakpoint: Tensor
    layers: tuple[str, ...]

    @property
    def flips(self) -> int:
        """Number of changes of single neurons."""
        return len(self.t)

    @property
    def regions(self) -> int:
        """Number of changes of the pattern: several neurons may flip at one place."""
        return int((self.t.diff() > RESOLUTION).sum()) + (len(self.t) > 0)

    @property
    def repeated(self) -> int:
        """Hyperplanes that are crossed more than once, which the thesis' Lemma 10 rules out."""
        planes = torch.stack([self.layer, self.neuron, self.breakpoint], dim=1)
        return int((torch.unique(planes, dim=0, return_counts=True)[1] > 1).sum())


def count_transitions(network: nn.Module, x: Tensor, y: Tensor) -> Transitions:
    """Exact number of transitions of each segment, the limit of the thesis' Eq. 5.1.

    Args:
        network: See :class:`SegmentWalk`.
        x: Starts, ``(S, *)``.
        y: Ends, ``(S, *)``.

    Example:
        >>> network = nn.Sequential(nn.Linear(1, 2, bias=False), nn.ReLU())
        >>> count_transitions(network, -torch.ones(1, 1), 2 * torch.ones(1, 1))
        Transitions(regions=tensor([1]), flips=tensor([2]))
    """
    walk = SegmentWalk(network)
    segments = [walk.crossings(start, end) for start, end in zip(x, y, strict=True)]
    regions = torch.tensor([crossings.regions for crossings in segments], dtype=torch.int64)
    flips = torch.tensor([crossings.flips for crossings in segments], dtype=torch.int64)
    return Transitions(regions, flips)


class SegmentWalk:
    """Finds all crossings of segments with the bent hyperplanes of one network, in float64.

    A neuron flips where it leaves one side of a breakpoint and is next seen on the other; touching
    a breakpoint is no flip, and a neuron that lies on it for a while flips where it leaves it.

    Memory is bounded: where a layer would have more than ``largest`` values at knots, the segment
    is walked in parts.

    Args:
        network: A chain (:func:`reactivate.patterns.chains.blocks_of`) without max pooling whose
            activations are piecewise linear, as ReLU and CReLU are. It is copied, and the copy
            evaluated.
        largest: Numbers held per layer.

    Example:
        >>> network = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
        >>> with torch.no_grad():
        ...     weight, bias = network[0].weight.fill_(4.0), network[0].bias.fill_(-1.0)
        >>> SegmentWalk(network).crossings(torch.zeros(1), torch.ones(1)).t
        tensor([0.2500], dtype=torch.float64)
    """

    def __init__(self, network: nn.Module, largest: int = LARGEST) -> None:
        blocks = blocks_of(copy.deepcopy(network).double().eval())[:-1]
        self.layers = tuple(block.name for block in blocks)
        self.maps = [(block.affine, _piecewise_linear(block.nonlinear)) for block in blocks]
        self.largest = largest

    @torch.no_grad()
    def crossings(self, x: Tensor, y: Tensor) -> Crossings:
        """All crossings between two points, ``(*)`` each."""
        ends = torch.stack([x, y]).double()
        trace = _Trace(self._rows(ends))
        self._walk(0, ends.new_tensor([0.0, 1.0]), ends, trace)
        if not trace.places:
            none = torch.zeros(0, dtype=torch.int64)
            return Crossings(ends.new_zeros(0), none, none, none, self.layers)
        t = torch.cat(trace.places)
        order = t.argsort(stable=True)
        layer, neuron, point = torch.cat(trace.planes)[order].T
        return Crossings(t[order], layer, neuron, point, self.layers)

    def _rows(self, values: Tensor) -> int:
        """How many knots are walked at once: few enough values, but two for a piece."""
        widest = values[0].numel()
        for affine, activation in self.maps:
            z = affine(values)
            values = activation(z)
            widest = max(widest, z[0].numel(), values[0].numel())
        return max(2, self.largest // widest)

    def _walk(self, at: int, t: Tensor, values: Tensor, trace: "_Trace") -> None:
        """Finds the crossings of one layer and, piece by piece, of all that follow."""
        if at == len(self.maps):
            return
        affine, activation = self.maps[at]
        shaped = affine(values)
        z = shaped.flatten(1)
        knots = [Knots.old(t)]
        for number, point in enumerate(breakpoints_of(activation)):
            knots.append(trace.crossed(at, number, t, z, point))
        if at + 1 == len(self.maps):
            return
        for part in Knots.merged(knots).parts(trace.rows):
            refined = part.values(z).reshape(-1, *shaped.shape[1:])
            self._walk(at + 1, part.t, activation(refined), trace)


@dataclass
class _Trace:
    """Crossings so far, and the side of each hyperplane on which its neuron was last seen."""

    rows: int
    places: list[Tensor] = field(default_factory=list)
    planes: list[Tensor] = field(default_factory=list)  # layer, neuron, breakpoint of each
    side: dict[tuple[int, int], Tensor] = field(default_factory=dict)

    def crossed(self, layer: int, number: int, t: Tensor, z: Tensor, point: float) -> Knots:
        """Adds the crossings of one breakpoint of a layer, and returns their knots."""
        never = torch.full(z.shape[1:], ABSTAIN, dtype=torch.int8, device=z.device)
        before = self.side.get((layer, number), never)
        knots, self.side[layer, number] = crossing_knots(t, z, point, before)
        place = knots.neuron.new_tensor([layer, 0, number]).repeat(len(knots.t), 1)
        place[:, 1] = knots.neuron
        self.places.append(knots.t)
        self.planes.append(place)
        return knots


def _piecewise_linear(module: nn.Module | None) -> nn.Module:
    """The module, if it is an activation that is affine between breakpoints."""
    if module is None or not is_piecewise_linear(module):
        accepted = ", ".join(names(lambda traits: traits.piecewise_linear))
        raise ValueError(
            f"{module} is not piecewise linear in each of its inputs alone; accepted: {accepted}. "
            "Use estimate_transitions for this network"
        )
    return module
