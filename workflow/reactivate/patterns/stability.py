"""Float and fixed neurons of a set of points, found in one pass over batches."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn

from reactivate.patterns.breakpoints import ABSTAIN, breakpoints_of, encode
from reactivate.patterns.preactivations import visit_batches


class Stability:
    """Record of which neurons of a layer kept one pattern over all points seen so far.

    A neuron is *fixed* if it has the same pattern for all points and *float* otherwise. Where a
    point lies on its breakpoint a neuron has no pattern, so one such point makes it float: this
    keeps both parts of Lemma 8 true. A single point fixes all neurons that do not abstain.

    Keeps the first code and one bool per neuron, however many points there are.

    Reference:
        Jiang 2024, Definition 4 as its sentence says (PhD thesis, Lancaster).

    Departs from the paper:
        The two formulas of Definition 4 are exchanged against its sentence.

    Example:
        >>> stability = Stability()
        >>> stability.update(torch.tensor([[0, 1, 1], [0, 0, 1]], dtype=torch.int8))
        >>> stability.update(torch.tensor([[0, 1, -1]], dtype=torch.int8))
        >>> stability.fixed, stability.pattern
        (tensor([ True, False, False]), tensor([ 0, -1, -1], dtype=torch.int8))
    """

    def __init__(self) -> None:
        self.points = 0
        self.first: Tensor | None = None
        self.changed: Tensor | None = None

    def update(self, codes: Tensor) -> None:
        """Takes the codes of more points into account, ``(N, neurons)``."""
        if len(codes) == 0:
            return
        if self.first is None or self.changed is None:
            self.first = codes[0].clone()
            self.changed = self.first == ABSTAIN
        self.changed |= (codes != self.first).any(dim=0)
        self.points += len(codes)

    @property
    def floating(self) -> Tensor:
        """Float neurons, I^T: bools ``(neurons)``; empty before the first point."""
        return torch.zeros(0, dtype=torch.bool) if self.changed is None else self.changed.clone()

    @property
    def fixed(self) -> Tensor:
        """Fixed neurons, I^X: bools ``(neurons)``; empty before the first point."""
        return ~self.floating

    @property
    def pattern(self) -> Tensor:
        """The code that each fixed neuron has, ``(neurons)``; -1 for float neurons."""
        if self.first is None:
            return torch.zeros(0, dtype=torch.int8)
        return self.first.masked_fill(self.floating, ABSTAIN)


def stabilities(
    network: nn.Module, batches: Iterable[Tensor], breakpoints: Sequence[float] | None = None
) -> dict[str, Stability]:
    """Float and fixed neurons of each layer for the points of all batches.

    Args:
        network: Any network whose activations are modules; it is evaluated and left as it was.
        batches: Points, each ``(N, *)``.
        breakpoints: Breakpoints of all activations; None for each activation's own.

    Example:
        >>> from reactivate.models.mlp import MLP
        >>> layers = stabilities(MLP(hidden=(4,)), [torch.zeros(1, 1), torch.zeros(2, 1)])
        >>> layers["1.activation"].points, int(layers["1.activation"].fixed.sum())
        (3, 4)
    """
    layers: dict[str, Stability] = {}

    def visit(name: str, activation: nn.Module, z: Tensor) -> None:
        codes = encode(z.flatten(1), breakpoints or breakpoints_of(activation))
        layers.setdefault(name, Stability()).update(codes)

    visit_batches(network, batches, visit)
    return layers
