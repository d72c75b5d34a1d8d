"""Importance that a layer's parameters have after data: the entropy of the neurons they feed."""

import torch
from torch import Tensor

from reactivate.patterns.entropy import entropy_of
from reactivate.patterns.protocols import ProtocolName


def coded_entropy(counts: Tensor) -> Tensor:
    """Entropy as the author's program computes it: ``-p_0 ln p_0`` once per pattern.

    With two patterns that is ``-2 p_0 ln p_0``: at most 0.736, where ``p_0`` is 0.368, and not
    the same for a neuron that is mostly on as for one that is mostly off.

    Reference:
        The author's program: OrangeBai/AP_Prune b477fcd.

    Args:
        counts: ``(patterns, *neurons)``.

    Returns:
        float64 ``(*neurons)``.

    Example:
        >>> coded_entropy(torch.tensor([[5, 9, 1], [5, 1, 9]]))
        tensor([0.6931, 0.1896, 0.4605], dtype=torch.float64)
    """
    share = counts[0].double() / counts.sum(dim=0).clamp(min=1)
    part: Tensor = torch.special.entr(share)
    return len(counts) * part


def neuron_entropy(counts: Tensor, protocol: ProtocolName = "document") -> Tensor:
    """Entropy of every neuron, by the thesis' Definition 6 or as its author's program has it."""
    return entropy_of(counts) if protocol == "document" else coded_entropy(counts)


def unit_entropy(entropy: Tensor, units: int) -> Tensor:
    """Mean entropy of the neurons of each unit or channel, ``(units)``.

    All parameters of unit ``k``, row ``k`` of the weight, have this posterior importance. Eq. 5.26
    as printed averages over the units too and gives every row the same.

    Reference:
        Jiang 2024, Eq. 5.26 and 5.28 (PhD thesis, Lancaster).

    Args:
        entropy: Entropy of the neurons, ``(units, *)`` or flattened.
        units: Number of rows of the weight.

    Example:
        >>> unit_entropy(torch.tensor([[0.1, 0.3], [0.5, 0.7]]), 2)
        tensor([0.2000, 0.6000])
    """
    return entropy.reshape(units, -1).mean(dim=1)


def spread(units: Tensor, weight: Tensor) -> Tensor:
    """Importance of each unit, repeated for all its parameters, shaped like ``weight``."""
    return units.reshape(-1, *(1,) * (weight.dim() - 1)).expand_as(weight)
