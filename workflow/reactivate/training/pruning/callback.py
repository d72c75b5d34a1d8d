"""Prune a network while it trains, and leave what every pruning left of it."""

from dataclasses import asdict
from pathlib import Path

from torch import Tensor

from reactivate.experiment.recipes import Pruning
from reactivate.foundation.files import write_rows
from reactivate.pruning.costs import savings
from reactivate.pruning.pruner import RECORDS, Pruner
from reactivate.pruning.removal import Removal
from reactivate.pruning.surgery import remove_units
from reactivate.training.callbacks import Callback, Left
from reactivate.training.pruning.plan import make_plan
from reactivate.training.trainer import Trainer

MASKS = "masks.csv"
TIMED = 64  # images of a batch whose forward pass is timed


class PruningWhileTraining(Callback):
    """Removes parameters as a recipe says; in the end what was masked is 0 in the weights.

    Args:
        pruning: What is removed, when, and by which score.
    """

    works_alone = True

    def __init__(self, pruning: Pruning) -> None:
        self.pruning = pruning

    def on_start(self, trainer: Trainer) -> None:
        """Puts masks of ones on the network."""
        said = self.pruning
        self.images: Tensor = next(iter(trainer.inputs.measured("test", 1))).x[:TIMED]
        removal = Removal(said.blend, said.sparsity, said.scope, said.protocol)
        plan = make_plan(said, trainer.clock)
        self.pruner = Pruner(trainer.network, self.images[:1], removal, plan, trainer.key)

    def on_step(self, trainer: Trainer) -> None:
        """Prunes after those steps that the plan names."""
        self.pruner.step()

    def on_end(self, trainer: Trainer) -> None:
        """Makes zeros of what is masked."""
        self.pruner.finish(trainer.network)

    def state_dict(self) -> dict[str, Tensor]:
        """Counts of patterns, and the rows of prunings so far; masks are in the network."""
        return self.pruner.state_dict()

    def load_state_dict(self, tensors: dict[str, Tensor]) -> None:
        """Goes on counting and pruning after the steps that were finished."""
        self.pruner.load_state_dict(tensors)

    def leave(self, trainer: Trainer, out: Path) -> Left:
        """Writes a row per pruning and layer; the record tells what a smaller network saves."""
        write_rows(out / MASKS, self.pruner.records(trainer.inputs.steps), RECORDS)
        saved = savings(trainer.network, remove_units(trainer.network), self.images)
        speed_up = {
            "theoretical": saved.theoretical,
            "counted": saved.counted,
            "measured": saved.measured,
        }
        return Left((MASKS,), {"savings": {**asdict(saved), "speed_up": speed_up}})
