"""Train one image network while parameters are removed; leave what the stage train leaves."""

import argparse
import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor, nn

from reactivate.evidence.records import RECORD
from reactivate.experiment.cell import Cell
from reactivate.experiment.papers import image_settings, modules
from reactivate.experiment.recipes import Pruned
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_json, write_rows
from reactivate.pruning.costs import savings
from reactivate.pruning.pruner import RECORDS, Pruner
from reactivate.pruning.removal import Removal
from reactivate.pruning.schedule import make_plan
from reactivate.pruning.surgery import remove_units
from reactivate.stages.train import Run
from reactivate.training.inputs import ALONE, Share
from reactivate.training.memory import keep_freed_memory
from reactivate.training.processes import processes
from reactivate.training.pruning.snapshots import PrunedSnapshots
from reactivate.training.setup import data_identity, make_clock, make_inputs
from reactivate.training.trainer import SECONDS_BETWEEN_SNAPSHOTS

STAGE = "prune"
MASKS = "masks.csv"
TIMED = 64  # images of a batch whose forward pass is timed


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.prune --scale S --paper P --cell C ...``, as train."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scale", "paper", "dataset", "cell"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    keep_freed_memory()
    scale, paper = arguments.scale, arguments.paper
    cell = Cell.parse(arguments.dataset, arguments.cell)
    with processes() as (_, device):
        run = PrunedRun(
            cell,
            image_settings(scale, paper, cell),
            arguments.seed,
            arguments.out,
            code_digest(*modules(paper, cell, STAGE)),
            data_identity(cell.dataset),
        )
        run.train(ALONE, device, arguments.threads)
        run.write(scale, paper)


class PrunedRun(Run):
    """One network that loses parameters while it trains; what is masked is 0 in its weights.

    Args:
        cell, chosen, seed, out, digest, data: Of the run; the recipe says what is pruned.
    """

    def __init__(
        self, cell: Cell, chosen: ImageSettings, seed: int, out: Path, digest: str, data: str
    ) -> None:
        super().__init__(cell, chosen, seed, out, digest, data)
        if not isinstance(chosen.recipe, Pruned):
            raise ValueError(
                f"recipe {cell.recipe} has stage {chosen.recipe.stage}; accepted: prune. "
                "Change its stage and give it `pruning`"
            )
        self.pruning = chosen.recipe.pruning
        identity = f"{self.snapshots.identity} {self.pruning.model_dump_json()}"
        self.pruned = self.snapshots = PrunedSnapshots(
            self.snapshots.path, hashlib.sha256(identity.encode()).hexdigest(), self._pruner
        )

    def _pruner(self, network: nn.Module) -> Pruner:
        device = next(network.parameters()).device
        inputs = make_inputs(self.cell, self.chosen, self.seed, device, workers=0)
        self.images: Tensor = next(iter(inputs.measured("test", 1))).x[:TIMED]
        self.steps, settings = inputs.steps, self.pruning
        return Pruner(
            network,
            self.images[:1],
            Removal(settings.blend, settings.sparsity, settings.scope, settings.protocol),
            make_plan(settings, make_clock(self.chosen, inputs.steps)),
            key=(self.cell.dataset, self.seed),
        )

    def train(
        self,
        share: Share,
        device: torch.device,
        workers: int,
        seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS,
    ) -> None:
        """Trains to the end, makes zeros of what is masked and removes units without weights."""
        super().train(share, device, workers, seconds_between)
        self.pruned.pruner.finish(self.network)
        small = remove_units(self.network)
        self.savings = savings(self.network, small, self.images)

    def write(self, scale: str, paper: str) -> None:
        """Leaves what a run leaves, and what every pruning left of each layer."""
        write_rows(self.out / MASKS, self.pruned.pruner.records(self.steps), RECORDS)
        super().write(scale, paper)
        record = json.loads((self.out / RECORD).read_text(encoding="utf-8"))
        record["stage"] = STAGE
        saved = self.savings
        speed_up = {"theoretical": saved.theoretical, "counted": saved.counted}
        record["savings"] = {**asdict(saved), "speed_up": speed_up | {"measured": saved.measured}}
        record["files"] |= {MASKS: sha256(self.out / MASKS)}
        write_json(self.out / RECORD, record)


if __name__ == "__main__":
    main()
