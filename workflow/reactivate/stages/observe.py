"""Train one image network as the stage train does, and record what its neurons do meanwhile."""

import argparse
import hashlib
import json
from pathlib import Path

import torch
from torch import nn

from reactivate.evidence.records import RECORD
from reactivate.experiment.analysis import observation
from reactivate.experiment.cell import Cell
from reactivate.experiment.observations import Observation
from reactivate.experiment.papers import image_settings, modules
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically, write_json
from reactivate.stages.train import Run
from reactivate.training.inputs import ALONE, Share
from reactivate.training.memory import keep_freed_memory
from reactivate.training.observing.moments import moments
from reactivate.training.observing.recorder import Recorder
from reactivate.training.observing.scene import make_scene
from reactivate.training.observing.snapshots import ObservedSnapshots
from reactivate.training.observing.tables import tables_of
from reactivate.training.processes import processes
from reactivate.training.setup import data_identity, make_clock, make_inputs
from reactivate.training.trainer import SECONDS_BETWEEN_SNAPSHOTS

STAGE = "observe"


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.observe --scale S --paper P --cell C ...``, as train."""
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
        run = ObservedRun(
            cell,
            image_settings(scale, paper, cell),
            arguments.seed,
            arguments.out,
            code_digest(*modules(paper, cell, STAGE)),
            data_identity(cell.dataset),
            observation(scale, paper, cell.recipe),
        )
        run.train(ALONE, device, arguments.threads)
        run.write(scale, paper)


class ObservedRun(Run):
    """One network that is looked at while it trains; it ends with the weights of an unseen one.

    Args:
        cell, chosen, seed, out, digest, data: Of the run.
        seen: What is looked at, and when.
    """

    def __init__(
        self,
        cell: Cell,
        chosen: ImageSettings,
        seed: int,
        out: Path,
        digest: str,
        data: str,
        seen: Observation,
    ) -> None:
        super().__init__(cell, chosen, seed, out, digest, data)
        self.seen = seen
        identity = f"{self.snapshots.identity} {seen.model_dump_json()}"
        self.observed = self.snapshots = ObservedSnapshots(
            self.snapshots.path, hashlib.sha256(identity.encode()).hexdigest(), self._recorder
        )

    def _recorder(self, network: nn.Module) -> Recorder:
        device = next(network.parameters()).device
        inputs = make_inputs(self.cell, self.chosen, self.seed, device, workers=0)
        self.clock = make_clock(self.chosen, inputs.steps)
        scene = make_scene(self.seen, inputs, self.cell.dataset)
        return Recorder(network, scene, moments(self.seen, self.clock), self.seen.each_step)

    def train(
        self,
        share: Share,
        device: torch.device,
        workers: int,
        seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS,
    ) -> None:
        """Trains to the end and looks once more."""
        super().train(share, device, workers, seconds_between)
        self.observed.recorder.look(self.network)

    def write(self, scale: str, paper: str) -> None:
        """Leaves what a run leaves, and the tables of what was seen."""
        tables = tables_of(self.observed.recorder, self.clock)
        for name, table in tables.items():
            with write_atomically(self.out / f"{name}.csv") as part:
                table.to_csv(part, index=False)
        super().write(scale, paper)
        record = json.loads((self.out / RECORD).read_text(encoding="utf-8"))
        record["stage"] = STAGE
        record["observation"] = self.seen.model_dump()
        record["files"] |= {f"{name}.csv": sha256(self.out / f"{name}.csv") for name in tables}
        write_json(self.out / RECORD, record)


if __name__ == "__main__":
    main()
