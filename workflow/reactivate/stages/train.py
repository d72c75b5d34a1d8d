"""Train one image network and leave its record; under torchrun, on several devices together."""

import argparse
import hashlib
import shutil
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import save

from reactivate.evidence.records import RECORD, environment, watched
from reactivate.experiment.cell import Cell
from reactivate.experiment.papers import image_settings, modules
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically, write_json, write_rows
from reactivate.foundation.progress import Progress
from reactivate.training.heartbeat import HEARTBEAT, Heartbeat
from reactivate.training.inputs import Share
from reactivate.training.measures import measures
from reactivate.training.memory import keep_freed_memory
from reactivate.training.processes import processes
from reactivate.training.setup import data_identity, make_clock, make_inputs, make_network
from reactivate.training.snapshots import Snapshots, State
from reactivate.training.trainer import HISTORY, SECONDS_BETWEEN_SNAPSHOTS, Trainer

WRITTEN = ("metrics.csv", "history.csv", "predictions.safetensors", "model.safetensors")


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.train --scale S --paper P --dataset D --cell C --seed N``."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scale", "paper", "dataset", "cell"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1, help="also decode pictures")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    keep_freed_memory()
    cell = Cell.parse(arguments.dataset, arguments.cell)
    with processes() as (share, device):
        chosen = image_settings(arguments.scale, arguments.paper, cell)
        data = data_identity(cell.dataset)
        digest = code_digest(*modules(arguments.paper, cell))
        run = Run(cell, chosen, arguments.seed, arguments.out, digest, data)
        run.train(share, device, arguments.threads)
        if share.rank == 0:
            run.write(arguments.scale, arguments.paper)


class Run:
    """One network: its training, and the files it leaves.

    Args:
        cell: What is trained.
        chosen: How.
        seed: Of weights, order and augmentation; with folds, the fold that is left out.
        out: Folder of the files.
        digest: Of the code.
        data: Identity of the dataset.
    """

    def __init__(
        self, cell: Cell, chosen: ImageSettings, seed: int, out: Path, digest: str, data: str
    ) -> None:
        self.cell, self.chosen, self.seed, self.out = cell, chosen, seed, out
        self.digest, self.data = digest, data
        identity = f"{chosen.model_dump_json()} {seed} {digest} {data}"
        self.checkpoints = out / "checkpoints"
        self.snapshots = Snapshots(
            self.checkpoints / "newest", hashlib.sha256(identity.encode()).hexdigest()
        )

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
            inputs = make_inputs(self.cell, self.chosen, self.seed, device, workers)
            trainer = Trainer(
                make_network(self.cell, self.chosen, self.seed).to(device),
                inputs,
                recipe,
                self.chosen.lr,
                make_clock(self.chosen, inputs.steps),
                key=(self.cell.dataset, self.seed),
                share=share,
                snapshots=self.snapshots,
                seconds_between=seconds_between,
            )
            heartbeat = Heartbeat(self.out / HEARTBEAT, trainer.epochs)
            title = f"train {self.cell.dataset} {self.cell.stem} seed {self.seed}"
            with Progress(title, trainer.epochs) as progress:

                def report(state: State) -> None:
                    progress.advance(state.epoch - progress.done, state.history[-1]["train_loss"])
                    if share.rank == 0:
                        heartbeat(state)

                trainer.report = report
                self.state = trainer.fit()
            self.network = trainer.network
            self.scores, self.labels = trainer.scores("test")
            self.ten = trainer.scores("test", views=10)[0] if recipe.ten_crop else None
            self.train_scores = trainer.scores("train") if recipe.measure_train else None
            heartbeat.stop()

    def write(self, scale: str, paper: str) -> None:
        """Leaves metrics, history, predictions, weights and, last, the record."""
        found = measures(self.state, (self.scores, self.labels), self.ten, self.train_scores)
        write_rows(self.out / "metrics.csv", [{"seed": self.seed, **found}])
        write_rows(self.out / "history.csv", self.state.history, HISTORY)
        predictions = {"scores": self.scores, "labels": self.labels}
        if self.ten is not None:
            predictions["scores_ten"] = self.ten
        weights = {k: t.contiguous() for k, t in self.network.cpu().state_dict().items()}
        for name, tensors in (("predictions", predictions), ("model", weights)):
            with write_atomically(self.out / f"{name}.safetensors") as part:
                part.write_bytes(save(tensors))
        record = {
            "paper": paper,
            "scale": scale,
            "cell": asdict(self.cell),
            "seeds": [self.seed],
            "settings": self.chosen.model_dump(),
            "code": self.digest,
            "dataset": {"name": self.cell.dataset, "sha256": self.data},
            **environment(),
            "seconds": round(self.watch.seconds, 3),
            "training_seconds": round(self.state.seconds, 3),
            "resumes": self.state.resumes,
            "warnings": self.watch.warnings,
            "files": {name: sha256(self.out / name) for name in WRITTEN},
        }
        write_json(self.out / RECORD, record)
        shutil.rmtree(self.checkpoints, ignore_errors=True)


if __name__ == "__main__":
    main()
