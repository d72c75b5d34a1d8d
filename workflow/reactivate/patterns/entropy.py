"""Neuron entropy, from counts of patterns that are kept while batches pass by."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log

import torch
from torch import Tensor, nn

from reactivate.patterns.breakpoints import breakpoints_of, checked
from reactivate.patterns.preactivations import visit_batches


class PatternCounts:
    """Counts of how often each neuron of a layer had each pattern.

    Points on a breakpoint are not counted. Keeps ``q + 1`` integers per neuron, however many
    points there are.

    Args:
        breakpoints: ``gamma_1 < ... < gamma_q`` of the layer's activation.

    Example:
        >>> counts = PatternCounts((0.0,))
        >>> counts.update(torch.tensor([[-1.0, 2.0], [3.0, 0.0]]))
        >>> counts.update(torch.tensor([[-5.0, 4.0]]))
        >>> counts.points, counts.counts
        (3, tensor([[2, 0],
            [1, 2]]))
    """

    def __init__(self, breakpoints: Sequence[float]) -> None:
        self.breakpoints = checked(breakpoints)
        self.points = 0
        self.counts = torch.zeros(len(self.breakpoints) + 1, 0, dtype=torch.int64)

    def update(self, z: Tensor) -> None:
        """Adds the pre-activations of points, ``(N, *neurons)``."""
        if self.points == 0:
            shape = len(self.breakpoints) + 1, *z.shape[1:]
            self.counts = torch.zeros(shape, dtype=torch.int64, device=z.device)
        self.points += len(z)
        below: Tensor | None = None  # the next breakpoint
        for code, point in reversed(list(enumerate(self.breakpoints, start=1))):
            self.counts[code] += _tally(_indicate(torch.gt, z, point), below)
            below = _indicate(torch.lt, z, point)
        assert below is not None
        self.counts[0] += _tally(below, None)

    def entropy(self) -> Tensor:
        """Entropy of each neuron in nats, float64 ``(*neurons)``."""
        return entropy_of(self.counts)


def _indicate(compare: Callable[..., Tensor], z: Tensor, point: float) -> Tensor:
    """A comparison as floats, 1 where it holds: torch compares and adds these fastest."""
    kind = z.dtype if z.dtype in (torch.float32, torch.float64) else torch.float32
    return compare(z, point, out=torch.empty_like(z, dtype=kind))


def _tally(above: Tensor, below: Tensor | None) -> Tensor:
    """Sums over a batch; float32 adds up 16 million points without rounding."""
    return (above if below is None else above.mul_(below)).sum(dim=0).long()


def entropy_of(counts: Tensor) -> Tensor:
    """Entropy ``-sum_k p_k log p_k`` in nats of the shares of each pattern.

    ``0 log 0`` is 0, and so is the entropy of a neuron without counts: it always abstained, so
    nothing about it is uncertain.

    Reference:
        Jiang 2024, Definition 6, Eq. 5.21 (PhD thesis, Lancaster).

    Args:
        counts: ``(patterns, *neurons)``.

    Returns:
        float64 ``(*neurons)``, at most ``log(patterns)``.

    Example:
        >>> entropy_of(torch.tensor([[5, 3, 0], [5, 0, 0]]))
        tensor([0.6931, 0.0000, 0.0000], dtype=torch.float64)
    """
    total = counts.sum(dim=0).clamp(min=1)
    parts: Tensor = torch.special.entr(counts.double() / total)
    return parts.sum(dim=0)


def count_patterns(
    network: nn.Module, batches: Iterable[Tensor], breakpoints: Sequence[float] | None = None
) -> dict[str, PatternCounts]:
    """Counts the patterns of every neuron of each layer over all batches.

    Args:
        network: Any network whose activations are modules; it is evaluated and left as it was.
        batches: Points, each ``(N, *)``.
        breakpoints: Breakpoints of all activations; None for each activation's own.

    Example:
        >>> from reactivate.models.mlp import MLP
        >>> layers = count_patterns(MLP(), torch.linspace(-1, 1, 10).reshape(5, 2, 1))
        >>> layers["1.activation"].points, tuple(layers["1.activation"].entropy().shape)
        (10, (100,))
    """
    layers: dict[str, PatternCounts] = {}

    def visit(name: str, activation: nn.Module, z: Tensor) -> None:
        if name not in layers:
            layers[name] = PatternCounts(breakpoints or breakpoints_of(activation))
        layers[name].update(z)

    visit_batches(network, batches, visit)
    return layers


@dataclass(frozen=True)
class LayerEntropy:
    """Neuron entropy of a layer in a few numbers.

    Attributes:
        neurons: Neurons of the layer.
        mean: Mean over neurons, nats.
        variance: Variance over neurons (divided by their number).
        constant: Share of neurons with entropy 0: the same pattern for every point.
    """

    neurons: int
    mean: float
    variance: float
    constant: float


def summarize(entropy: Tensor) -> LayerEntropy:
    """Mean, variance and share of zeros over the neurons of a layer.

    Example:
        >>> summarize(torch.tensor([0.0, 0.5]))
        LayerEntropy(neurons=2, mean=0.25, variance=0.0625, constant=0.5)
    """
    values = entropy.double()
    constant = float((values == 0).double().mean())
    return LayerEntropy(
        values.numel(), float(values.mean()), float(values.var(correction=0)), constant
    )


def histogram(entropy: Tensor, patterns: int = 2, bins: int = 50) -> tuple[Tensor, Tensor]:
    """Neurons per interval of entropy from 0 to ``log(patterns)``.

    Args:
        entropy: Entropies of any neurons.
        patterns: Patterns of a neuron, q + 1.
        bins: Intervals; the last one includes its upper end.

    Returns:
        Counts, int64 ``(bins)``, and edges, float64 ``(bins + 1)``.

    Example:
        >>> histogram(torch.tensor([0.0, 0.1, 0.69]), bins=2)[0]
        tensor([2, 1])
    """
    edges = torch.linspace(0, log(patterns), bins + 1, dtype=torch.float64)
    inner = edges[1:-1].contiguous()
    places = torch.searchsorted(inner, entropy.flatten().double().cpu(), right=True)
    return torch.bincount(places, minlength=bins), edges
