"""Keep the records of an observed training with its state."""

from collections.abc import Callable
from dataclasses import dataclass, field

from torch import nn
from torch.optim import Optimizer

from reactivate.training.observing.recorder import Recorder
from reactivate.training.snapshots import Snapshots, State


@dataclass(frozen=True)
class ObservedSnapshots(Snapshots):
    """Snapshots of a network and of what was recorded of it, in one file.

    The recorder is made for the network that a training hands over when it starts, and looks on
    from then.

    Args:
        make: Makes the recorder of a network.
    """

    make: Callable[[nn.Module], Recorder]
    made: list[Recorder] = field(default_factory=list)

    @property
    def recorder(self) -> Recorder:
        """Of the network that is trained."""
        return self.made[0]

    def save(self, state: State, network: nn.Module, optimizer: Optimizer) -> None:
        super().save(state, self._both(network), optimizer)

    def load(self, network: nn.Module, optimizer: Optimizer) -> State | None:
        self.made[:] = [self.make(network)]
        state = super().load(self._both(network), optimizer)
        self.recorder.attach(network, optimizer)
        return state

    def _both(self, network: nn.Module) -> nn.Module:
        return nn.ModuleDict({"trained": network, "recorder": self.recorder})
