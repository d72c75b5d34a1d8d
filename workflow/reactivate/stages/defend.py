"""Train one image network with a defence and leave the files that the stage train leaves."""

import argparse
import json
from pathlib import Path

import torch

from reactivate.evidence.records import RECORD, watched
from reactivate.experiment.cell import Cell
from reactivate.experiment.papers import image_settings, modules
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_json
from reactivate.foundation.progress import Progress
from reactivate.stages.train import Run
from reactivate.training.defending.setup import make_defence, make_defended
from reactivate.training.defending.trainer import DefendedTrainer
from reactivate.training.heartbeat import HEARTBEAT, Heartbeat
from reactivate.training.inputs import ALONE, Share
from reactivate.training.memory import keep_freed_memory
from reactivate.training.processes import processes
from reactivate.training.setup import data_identity, make_clock
from reactivate.training.snapshots import State
from reactivate.training.trainer import SECONDS_BETWEEN_SNAPSHOTS

STAGE = "defend"


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.defend --scale S --paper P --cell C ...``, as train."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scale", "paper", "dataset", "cell"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1, help="also decode pictures")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    keep_freed_memory()
    scale, paper = arguments.scale, arguments.paper
    cell = Cell.parse(arguments.dataset, arguments.cell)
    with processes() as (_, device):
        run = DefendedRun(
            cell,
            image_settings(scale, paper, cell),
            arguments.seed,
            arguments.out,
            code_digest(*modules(paper, cell, STAGE)),
            data_identity(cell.dataset),
        )
        run.train(ALONE, device, arguments.threads)
        run.write(scale, paper)


class DefendedRun(Run):
    """One network that is trained with the defence of its recipe, for images from 0 to 1.

    Its weights are those of a :class:`reactivate.defences.standardise.Standardised`.
    """

    def train(
        self,
        share: Share,
        device: torch.device,
        workers: int,
        seconds_between: float = SECONDS_BETWEEN_SNAPSHOTS,
    ) -> None:
        """Trains to the end, from the newest snapshot if there is one, and measures."""
        recipe = self.chosen.recipe
        with watched() as self.watch:
            network, inputs = make_defended(self.cell, self.chosen, self.seed, device, workers)
            trainer = DefendedTrainer(
                network,
                inputs,
                recipe,
                self.chosen.lr,
                make_clock(self.chosen, inputs.steps),
                key=(self.cell.dataset, self.seed),
                share=share,
                snapshots=self.snapshots,
                seconds_between=seconds_between,
                defence=make_defence(recipe),
            )
            self.state = self._fit(trainer)
            self.network = trainer.network
            self.scores, self.labels = trainer.scores("test")
            self.ten = trainer.scores("test", views=10)[0] if recipe.ten_crop else None
            self.train_scores = trainer.scores("train") if recipe.measure_train else None

    def _fit(self, trainer: DefendedTrainer) -> State:
        """Trains and tells how it goes."""
        heartbeat = Heartbeat(self.out / HEARTBEAT, trainer.epochs)
        title = f"defend {self.cell.dataset} {self.cell.stem} seed {self.seed}"
        with Progress(title, trainer.epochs) as progress:

            def report(state: State) -> None:
                progress.advance(state.epoch - progress.done, state.history[-1]["train_loss"])
                heartbeat(state)

            trainer.report = report
            state = trainer.fit()
        heartbeat.stop()
        return state

    def write(self, scale: str, paper: str) -> None:
        """Leaves what a run leaves; the record names the stage."""
        super().write(scale, paper)
        record = json.loads((self.out / RECORD).read_text(encoding="utf-8"))
        record["stage"] = STAGE
        write_json(self.out / RECORD, record)


if __name__ == "__main__":
    main()
