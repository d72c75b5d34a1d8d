"""One pruning: score what remains, mask the lowest, and say what is left of every layer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Generator, Tensor

from reactivate.foundation.registry import unknown_name
from reactivate.patterns.protocols import ProtocolName
from reactivate.pruning.blends import BLENDS, WHERE, importance
from reactivate.pruning.masks import mask_lowest
from reactivate.pruning.posterior import unit_entropy
from reactivate.pruning.schedule import removed
from reactivate.pruning.targets import Target

RANDOM = "random"  # a baseline beside the blends
METHODS = (*BLENDS, RANDOM)
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Removal:
    """A rule that says which parameters go first, how many, and from where.

    Attributes:
        blend: A key of :data:`reactivate.pruning.blends.BLENDS`, or ``random``.
        sparsity: Share of parameters that is gone in the end.
        scope: ``layer``: the same share of every layer; ``network``: one threshold for all.
        protocol: The formulas of the document, or those of the author's program.

    Raises:
        ValueError: The blend is unknown, or the sparsity outside [0, 1).
    """

    blend: str
    sparsity: float
    scope: Literal["layer", "network"] = "layer"
    protocol: ProtocolName = "document"

    def __post_init__(self) -> None:
        if self.blend not in METHODS:
            raise unknown_name("blend", self.blend, list(METHODS), WHERE)
        removed(0, self.sparsity)

    def __call__(
        self,
        targets: Sequence[Target],
        entropies: Mapping[str, Tensor],
        random: Generator,
        done: int = 1,
        total: int = 1,
    ) -> None:
        """Masks parameters until the share of ``done`` out of ``total`` prunings is gone.

        Args:
            targets: Targets that have masks.
            entropies: Entropies of the neurons of every activation that a target feeds.
            random: Random stream of the scores, where they are random.
            done: Number of this pruning, from 1.
            total: Number of all prunings.
        """
        scores = [self._scores(target, entropies[target.activation], random) for target in targets]
        sizes = [target.stored.numel() for target in targets]
        if self.scope == "network":
            mask_lowest(targets, scores, removed(sum(sizes), self.sparsity, done, total))
            return
        for target, score, size in zip(targets, scores, sizes, strict=True):
            mask_lowest([target], [score], removed(size, self.sparsity, done, total))

    def _scores(self, target: Target, entropy: Tensor, random: Generator) -> Tensor:
        """Scores of the parameters that remain, in the order of the mask."""
        kept, weight = target.mask.bool(), target.stored.detach()
        if self.blend == RANDOM:
            count = int(kept.sum())
            return torch.rand(count, dtype=torch.float64, generator=random).to(weight.device)
        entropies = unit_entropy(entropy, target.units)
        return importance(weight, entropies, self.blend, self.protocol, kept)


@dataclass(frozen=True)
class Remains:
    """Size and entropy of a layer after a pruning.

    Attributes:
        layer: Path of the layer in the network.
        size: Parameters of its weight.
        remaining: Parameters of its weight that no mask removes.
        entropy: Least, quartiles and largest entropy of the neurons it feeds, nats.
    """

    layer: str
    size: int
    remaining: int
    entropy: tuple[float, ...]


def remains(target: Target, entropy: Tensor) -> Remains:
    """Size, remaining parameters and entropies of a layer, after a pruning."""
    at = torch.tensor(QUANTILES, dtype=torch.float64, device=entropy.device)
    quantiles = tuple(torch.quantile(entropy.flatten().double(), at).tolist())
    return Remains(target.name, target.mask.numel(), int(target.mask.sum()), quantiles)
