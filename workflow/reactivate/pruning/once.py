"""Pruning of a network in one call."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from torch import Tensor, nn

from reactivate.foundation.seeding import generator
from reactivate.patterns.entropy import count_patterns
from reactivate.patterns.protocols import ProtocolName
from reactivate.pruning.masks import detach_products, start_masks
from reactivate.pruning.posterior import neuron_entropy
from reactivate.pruning.removal import Remains, Removal, remains
from reactivate.pruning.targets import find_targets

Batch = Tensor | tuple[Tensor, ...] | list[Tensor]  # inputs, or inputs and what is not read


@dataclass(frozen=True)
class Report:
    """Report of what a pruning left of a network.

    Attributes:
        layers: Remains of the pruned layers, in the order in which they are used.
    """

    layers: tuple[Remains, ...]

    @property
    def size(self) -> int:
        """Parameters of all pruned layers."""
        return sum(layer.size for layer in self.layers)

    @property
    def remaining(self) -> int:
        """Parameters of the pruned layers that no mask removes."""
        return sum(layer.remaining for layer in self.layers)

    @property
    def sparsity(self) -> float:
        """Share of the pruned layers' parameters that is masked."""
        return 1 - self.remaining / self.size


def prune(
    network: nn.Module,
    data: Iterable[Batch],
    sparsity: float,
    blend: str = "entropy_weighted",
    *,
    scope: Literal["layer", "network"] = "layer",
    protocol: ProtocolName = "document",
) -> tuple[nn.Module, Report]:
    """A copy of a network without its least important parameters, and what is left of it.

    Neuron entropy is taken over the data, blended with the weights, and the lowest scores of
    every layer but the last are masked (``torch.nn.utils.prune``). The masks stay in force while
    the copy is trained on; call again with a higher sparsity to prune in steps, and
    :func:`reactivate.pruning.surgery.remove_units` in the end.

    Reference:
        Jiang 2024, section 5.4 and Algorithm 1, ``Prune`` (PhD thesis, Lancaster).

    Args:
        network: Any network whose activations are modules; left as it is.
        data: Batches of inputs, or of inputs and labels, as a ``DataLoader`` yields them.
        sparsity: Share of parameters to remove, at least 0 and less than 1.
        blend: A key of :data:`reactivate.pruning.blends.BLENDS`, or ``random``.
        scope: ``layer``: the same share of every layer; ``network``: one threshold for all.
        protocol: ``document``, or ``authors_code`` for the formulas of the author's program.

    Raises:
        ValueError: The sparsity or the blend is not known, there is no data, or the network has
            no layer that can be pruned.

    Example:
        >>> import torch
        >>> network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        >>> pruned, report = prune(network, [torch.randn(50, 4)], sparsity=0.75)
        >>> report.remaining, report.size
        (8, 32)
        >>> int((pruned[0].weight == 0).sum())
        24
    """
    removal = Removal(blend, sparsity, scope, protocol)
    batches = (_inputs(batch) for batch in data)
    first = next(batches, None)
    if first is None:
        raise ValueError(
            "data has no batch, so no entropy can be taken from it; accepted: one batch of "
            "inputs or more. Change the call"
        )
    detach_products(network)
    pruned = deepcopy(network)
    targets = find_targets(pruned, first[:1], protocol == "authors_code")
    start_masks(targets)
    counted = count_patterns(pruned, chain([first], batches))
    entropies = {name: neuron_entropy(seen.counts, protocol) for name, seen in counted.items()}
    removal(targets, entropies, generator("prune", blend, sparsity))
    left = tuple(remains(target, entropies[target.activation]) for target in targets)
    return pruned, Report(left)


def _inputs(batch: Batch) -> Tensor:
    """The inputs of a batch that may have labels too."""
    return batch if isinstance(batch, Tensor) else batch[0]
