"""Activation patterns of points, and the regions that share them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from reactivate.patterns.breakpoints import ABSTAIN, breakpoints_of, encode
from reactivate.patterns.preactivations import visit_batches


@dataclass(frozen=True)
class Patterns:
    """Activation patterns of points.

    A neuron is one number of a layer's pre-activations: every position of every channel.

    Attributes:
        codes: ``(N, neurons)`` int8: 0 to q, or -1 where the point lies on a breakpoint.
        layers: Neurons of each layer, in forward order, by the name of its activation.
    """

    codes: Tensor
    layers: Mapping[str, int]

    def layer(self, name: str) -> Tensor:
        """Codes of one layer, ``(N, neurons of the layer)``."""
        names = list(self.layers)
        start = sum(self.layers[before] for before in names[: names.index(name)])
        return self.codes[:, start : start + self.layers[name]]


def patterns_of(
    network: nn.Module,
    x: Tensor,
    breakpoints: Sequence[float] | None = None,
    batch_size: int = 512,
) -> Patterns:
    """Activation pattern of every point.

    Reference:
        Jiang 2024, Definition 1, Eq. 4.8 (PhD thesis, Lancaster).

    Args:
        network: Any network whose activations are modules; it is evaluated and left as it was.
        x: Points, ``(N, *)``.
        breakpoints: Breakpoints of all activations; None for each activation's own.
        batch_size: Points per forward pass.

    Example:
        >>> network = nn.Sequential(nn.Linear(1, 2), nn.ReLU())
        >>> with torch.no_grad():
        ...     weight = network[0].weight.copy_(torch.tensor([[1.0], [-1.0]]))
        ...     bias = network[0].bias.zero_()
        >>> patterns_of(network, torch.tensor([[3.0], [0.0]])).codes
        tensor([[ 1,  0],
                [-1, -1]], dtype=torch.int8)
    """
    rows: dict[str, list[Tensor]] = {}

    def visit(name: str, activation: nn.Module, z: Tensor) -> None:
        codes = encode(z.flatten(1), breakpoints or breakpoints_of(activation))
        rows.setdefault(name, []).append(codes)

    visit_batches(network, torch.split(x, batch_size), visit)
    layers = {name: torch.cat(parts) for name, parts in rows.items()}
    codes = torch.cat(list(layers.values()), dim=1)
    return Patterns(codes, {name: part.shape[1] for name, part in layers.items()})


def same_region(a: Tensor, b: Tensor) -> Tensor:
    """Whether points lie in one activation region.

    A point on a breakpoint lies in no region, not even in its own (Lemma 1).

    Args:
        a: Codes ``(*, neurons)``.
        b: Codes that broadcast with ``a``.

    Returns:
        Bools ``(*)``.
    """
    return ((a == b) & (a != ABSTAIN)).all(dim=-1)


def hyperplanes_between(a: Tensor, b: Tensor) -> Tensor:
    """Number of bent hyperplanes H_ijk that have the two points on different sides.

    Args:
        a: Codes ``(*, neurons)``.
        b: Codes that broadcast with ``a``.

    Returns:
        Integers ``(*)``, -1 where one of the two points lies on a hyperplane.
    """
    apart = (a - b).abs().sum(dim=-1)
    hit = ((a == ABSTAIN) | (b == ABSTAIN)).any(dim=-1)
    return apart.masked_fill(hit, -1)


def adjacent_regions(a: Tensor, b: Tensor) -> Tensor:
    """Whether points lie in adjacent regions: exactly one hyperplane is between them.

    This is what Definition 2 says; it does not ask whether the two regions touch.

    Reference:
        Jiang 2024, Definition 2 and Lemma 7 (PhD thesis, Lancaster).
    """
    return hyperplanes_between(a, b) == 1


def within(codes: Tensor, pattern: Tensor, neurons: Tensor) -> Tensor:
    """Whether points lie in the region of an incomplete pattern.

    Only the chosen neurons constrain the points; a chosen neuron that abstains in the pattern
    constrains to nothing at all.

    Reference:
        Jiang 2024, Definition 3 (PhD thesis, Lancaster).

    Args:
        codes: Codes of points, ``(*, neurons)``.
        pattern: Codes of one pattern, ``(neurons)``.
        neurons: The subset I^c: bools ``(neurons)`` or indices.

    Example:
        >>> pattern = torch.tensor([1, 0, 1], dtype=torch.int8)
        >>> points = torch.tensor([[1, 1, 1], [0, 0, 1]], dtype=torch.int8)
        >>> within(points, pattern, torch.tensor([0, 2]))
        tensor([ True, False])
    """
    return same_region(codes[..., neurons], pattern[neurons])


def region_numbers(codes: Tensor) -> Tensor:
    """Number of the region of every point: 0, 1, ... in the order of patterns; -1 for none.

    Args:
        codes: ``(N, neurons)``.

    Example:
        >>> region_numbers(torch.tensor([[0, 1], [0, 0], [0, 1], [0, -1]], dtype=torch.int8))
        tensor([ 1,  0,  1, -1])
    """
    inside = (codes != ABSTAIN).all(dim=1)
    numbers = torch.full((len(codes),), -1, dtype=torch.int64, device=codes.device)
    if bool(inside.any()):
        numbers[inside] = torch.unique(codes[inside], dim=0, return_inverse=True)[1]
    return numbers
