"""Prune a network while it trains."""

from contextlib import ExitStack

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from reactivate.foundation.seeding import generator
from reactivate.patterns.entropy import PatternCounts
from reactivate.patterns.preactivations import watching
from reactivate.pruning.masks import make_permanent, start_masks
from reactivate.pruning.posterior import neuron_entropy
from reactivate.pruning.removal import QUANTILES, Removal, remains
from reactivate.pruning.schedule import Plan
from reactivate.pruning.targets import find_targets

ENTROPIES = [f"entropy_{100 * share:g}" for share in QUANTILES]
RECORDS = ["pruning", "step", "epoch", "layer", "size", "remaining", *ENTROPIES]


class Tally(nn.Module):
    """Counts of patterns that are kept with the state of a training.

    Args:
        breakpoints: Of the activation.
        neurons: Shape of its input, without the batch.
    """

    counts: Tensor

    def __init__(self, breakpoints: tuple[float, ...], neurons: tuple[int, ...]) -> None:
        super().__init__()
        self.breakpoints = breakpoints
        empty = torch.zeros(len(breakpoints) + 1, *neurons, dtype=torch.int64)
        self.register_buffer("counts", empty)

    def update(self, z: Tensor) -> None:
        """Adds the pre-activations of points, ``(N, *neurons)``."""
        batch = PatternCounts(self.breakpoints)
        batch.update(z)
        self.counts += batch.counts


class Pruner(nn.Module):
    """Counts patterns in the batches before each pruning, then removes the least important.

    Everything it needs to go on is in buffers whose size is known from the start, and in the
    masks of the network, so that an interrupted run ends with the same network and records.

    Reference:
        Jiang 2024, Algorithm 1 (PhD thesis, Lancaster); entropy is counted while training, as
        section 5.4.3 suggests.

    Args:
        network: That will be trained; it gets masks.
        x: Some inputs, to find out which activation each layer feeds.
        removal: What goes first, and how much in the end.
        plan: When.
        key: Of random scores.
    """

    step: Tensor
    left: Tensor
    quantiles: Tensor

    def __init__(
        self, network: nn.Module, x: Tensor, removal: Removal, plan: Plan, key: tuple[object, ...]
    ) -> None:
        super().__init__()
        self.removal, self.plan, self.key = removal, plan, key
        self.targets = find_targets(network, x, removal.protocol == "authors_code")
        start_masks(self.targets)
        uses = {t.activation: Tally(t.breakpoints, t.neurons) for t in self.targets}
        self.tallies = nn.ModuleList(uses.values())
        self.of_use = uses
        shape = len(plan.moments), len(self.targets)
        self.register_buffer("step", torch.zeros((), dtype=torch.int64))  # finished ones
        self.register_buffer("left", torch.zeros(shape, dtype=torch.int64))
        unknown = torch.full((*shape, len(QUANTILES)), torch.nan, dtype=torch.float64)
        self.register_buffer("quantiles", unknown)
        self.finished = 0  # steps; the buffer says it to a resumed run
        self.watch = ExitStack()
        self.to(x.device)

    def attach(self, network: nn.Module, optimizer: Optimizer) -> None:
        """Counts and prunes from now on."""
        self.finished = int(self.step)
        self.watch.enter_context(watching(network, self._count))
        optimizer.register_step_post_hook(lambda *_: self._after_step())

    def finish(self, network: nn.Module) -> None:
        """Stops counting; masks become zeros of the weights."""
        self.watch.close()
        make_permanent(network)

    def _count(self, use: str, activation: nn.Module, z: Tensor) -> None:
        if use in self.of_use and activation.training and self.plan.counts(self.finished):
            self.of_use[use].update(z)

    def _after_step(self) -> None:
        self.finished += 1
        self.step.fill_(self.finished)
        if self.finished in self.plan.moments:
            self.prune(self.plan.moments.index(self.finished))

    def prune(self, number: int) -> None:
        """Removes the share of a pruning, counted from 0, and forgets what was counted."""
        protocol = self.removal.protocol
        entropies = {use: neuron_entropy(t.counts, protocol) for use, t in self.of_use.items()}
        random = generator(*self.key, "pruning", number)
        self.removal(self.targets, entropies, random, number + 1, len(self.plan.moments))
        for place, target in enumerate(self.targets):
            found = remains(target, entropies[target.activation])
            self.left[number, place] = found.remaining
            self.quantiles[number, place] = torch.tensor(found.entropy, dtype=torch.float64)
        for tally in self.of_use.values():
            tally.counts.zero_()

    def records(self, epoch: int) -> list[dict[str, float | int | str]]:
        """A row per pruning that was reached and layer; the columns are :data:`RECORDS`.

        Args:
            epoch: Steps of an epoch of the run.
        """
        rows = []
        for number, moment in enumerate(self.plan.moments):
            for place, target in enumerate(self.targets if moment <= self.finished else ()):
                size, left = target.stored.numel(), int(self.left[number, place])
                entropies = [round(value, 6) for value in self.quantiles[number, place].tolist()]
                when = number + 1, moment, round(moment / epoch, 6)
                values = [*when, target.name, size, left, *entropies]
                rows.append(dict(zip(RECORDS, values, strict=True)))
        return rows
