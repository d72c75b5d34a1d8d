"""Prune a network while it trains."""

from contextlib import ExitStack

import torch
from torch import Tensor, nn

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
    """Counts how often each neuron had each pattern; they are kept with the state of a training.

    Args:
        breakpoints: Points that separate the linear pieces of the activation.
        neurons: Shape of the activation's input, without the batch.
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

    A training loop makes it before the first step, calls :meth:`step` after every step of its
    optimizer and :meth:`finish` in the end. All that it needs to go on is in its state, whose
    tensors have fixed sizes, and in the masks of the network; so a run that is interrupted and
    restores both ends with the same network and records.

    Reference:
        Jiang 2024, Algorithm 1 (PhD thesis, Lancaster); entropy is counted while training, as
        section 5.4.3 suggests.

    Args:
        network: The network that will be trained; it gets masks.
        x: Some inputs, to find out which activation each layer feeds.
        removal: What goes first, and how much in the end.
        plan: The steps after which something goes.
        key: Names the stream of random scores.

    Example:
        >>> from reactivate.pruning.schedule import Plan
        >>> network = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
        >>> optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
        >>> halved = Removal("weight", sparsity=0.5)
        >>> pruner = Pruner(network, torch.ones(1, 2), halved, Plan((1,), window=1), key=("toy",))
        >>> network(torch.ones(3, 2)).sum().backward()
        >>> optimizer.step()
        >>> pruner.step()
        >>> pruner.finish(network)
        >>> int((network[0].weight == 0).sum())
        4
    """

    left: Tensor
    quantiles: Tensor

    def __init__(
        self, network: nn.Module, x: Tensor, removal: Removal, plan: Plan, key: tuple[object, ...]
    ) -> None:
        super().__init__()
        self.removal, self.plan, self.key = removal, plan, key
        self.finished = 0  # steps
        self.targets = find_targets(network, x, removal.protocol == "authors_code")
        start_masks(self.targets)
        uses = {t.activation: Tally(t.breakpoints, t.neurons) for t in self.targets}
        self.tallies = nn.ModuleList(uses.values())
        self.of_use = uses
        shape = len(plan.moments), len(self.targets)
        self.register_buffer("left", torch.zeros(shape, dtype=torch.int64))
        unknown = torch.full((*shape, len(QUANTILES)), torch.nan, dtype=torch.float64)
        self.register_buffer("quantiles", unknown)
        self.to(x.device)
        self.watch = ExitStack()
        self.watch.enter_context(watching(network, self._count))

    def get_extra_state(self) -> Tensor:
        """The number of finished steps, which is kept with the buffers."""
        return torch.tensor(self.finished)

    def set_extra_state(self, state: Tensor) -> None:
        """Goes on after as many steps as were finished when the state was kept."""
        self.finished = int(state)

    def step(self) -> None:
        """Counts a finished step of the optimizer, and prunes if the plan says so."""
        self.finished += 1
        if self.finished in self.plan.moments:
            self.prune(self.plan.moments.index(self.finished))

    def finish(self, network: nn.Module) -> None:
        """Stops counting; masks become zeros of the weights."""
        self.watch.close()
        make_permanent(network)

    def _count(self, use: str, activation: nn.Module, z: Tensor) -> None:
        if use in self.of_use and activation.training and self.plan.counts(self.finished):
            self.of_use[use].update(z)

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
        """One row per layer and pruning that was reached; the columns are :data:`RECORDS`.

        Args:
            epoch: Number of steps of an epoch of the run.
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
