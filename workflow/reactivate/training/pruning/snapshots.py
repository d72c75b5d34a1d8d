"""Keep masks, counts and records of a pruned training with its state."""

from collections.abc import Callable
from dataclasses import dataclass, field

from torch import nn
from torch.optim import Optimizer

from reactivate.pruning.pruner import Pruner
from reactivate.training.snapshots import Snapshots, State


@dataclass(frozen=True)
class PrunedSnapshots(Snapshots):
    """Snapshots of a network and of what prunes it, in one file.

    The pruner is made for the network that a training hands over when it starts, and prunes from
    then on.

    Args:
        make: Makes the pruner of a network.
    """

    make: Callable[[nn.Module], Pruner]
    made: list[Pruner] = field(default_factory=list)

    @property
    def pruner(self) -> Pruner:
        """Of the network that is trained."""
        return self.made[0]

    def save(self, state: State, network: nn.Module, optimizer: Optimizer) -> None:
        super().save(state, self._both(network), optimizer)

    def load(self, network: nn.Module, optimizer: Optimizer) -> State | None:
        self.made[:] = [self.make(network)]
        state = super().load(self._both(network), optimizer)
        self.pruner.attach(network, optimizer)
        return state

    def _both(self, network: nn.Module) -> nn.Module:
        return nn.ModuleDict({"trained": network, "pruner": self.pruner})
