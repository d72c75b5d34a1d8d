"""Movement of the characteristic boundaries of a batch of networks while they are trained."""

from collections.abc import Collection
from dataclasses import dataclass, field

from torch import Tensor

from reactivate.documents.gmp.characteristic import boundary
from reactivate.documents.gmp.theorem3 import angle_between
from reactivate.models.batched_mlp import BatchedMLP


@dataclass
class Evolution:
    """Recorder of how far the boundaries have moved and turned after every step.

    Args:
        model: The networks before training.
        inputs: Their training inputs, ``(B, N, n)``.
        kept: Networks whose spatial locations are kept.
        every: Steps between locations that are kept.

    Attributes:
        moves: The largest distance ``max_i |phi_i(t+1) - phi_i(t)|``, by network and step.
        turns: The largest angle between a unit's direction before and after a step, in radians,
            by network and step.
        locations: Locations ``(H, n)`` of every network that is kept, before training and after
            every so many steps.
    """

    model: BatchedMLP
    inputs: Tensor
    kept: Collection[int]
    every: int = 1
    moves: list[list[float]] = field(init=False)
    turns: list[list[float]] = field(init=False)
    locations: dict[int, list[Tensor]] = field(init=False)
    _direction: Tensor = field(init=False)
    _location: Tensor = field(init=False)

    def __post_init__(self) -> None:
        networks = len(self.inputs)
        self.moves = [[] for _ in range(networks)]
        self.turns = [[] for _ in range(networks)]
        first = boundary(self.model.hidden, self.inputs)
        self._direction, self._location = first.direction, first.location
        self.locations = {n: [first.location[n].clone()] for n in self.kept}

    def of(self, network: int) -> tuple[list[float], list[float], list[Tensor]]:
        """Moves, turns and locations of one network that is kept."""
        return self.moves[network], self.turns[network], self.locations[network]

    def __call__(self, model: BatchedMLP, alive: list[int]) -> None:
        now = boundary(model.hidden, self.inputs[alive])
        direction, location = now.direction, now.location
        turned = angle_between(direction, self._direction[alive]).amax(dim=1)
        moved = (location - self._location[alive]).norm(dim=-1).amax(dim=1)
        for n, turn, move in zip(alive, turned.tolist(), moved.tolist(), strict=True):
            self.turns[n].append(turn)
            self.moves[n].append(move)
        self._direction[alive], self._location[alive] = direction, location
        for place, n in enumerate(alive):
            if n in self.locations and len(self.moves[n]) % self.every == 0:
                self.locations[n].append(location[place])
