"""The one entry of all stages that train an image network: arguments, training, files, record."""

import argparse
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import torch

from reactivate.evidence.records import RECORD, Stopwatch, environment, watched
from reactivate.experiment.papers import ImageSettings, image_settings, modules
from reactivate.experiment.runs import Cell
from reactivate.foundation.digests import code_digest
from reactivate.foundation.files import sha256, write_json
from reactivate.training.callbacks import Left
from reactivate.training.memory import keep_freed_memory
from reactivate.training.processes import processes
from reactivate.training.run import Run, Treatment
from reactivate.training.setup import data_identity


@dataclass(frozen=True)
class Request:
    """The run that the command line asks a stage for."""

    stage: str
    scale: str
    paper: str
    cell: Cell
    seed: int
    out: Path
    threads: int

    @classmethod
    def from_arguments(cls, stage: str, description: str | None) -> Self:
        """Reads the command line, with ``description`` for its help."""
        parser = argparse.ArgumentParser(description=description)
        for name in ("scale", "paper", "dataset", "cell"):
            parser.add_argument(f"--{name}", required=True)
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--threads", type=int, default=1, help="also decode pictures")
        given = parser.parse_args()
        cell = Cell.parse(given.dataset, given.cell)
        return cls(stage, given.scale, given.paper, cell, given.seed, given.out, given.threads)

    @property
    def settings(self) -> ImageSettings:
        """The recipe of the cell after the limits of the scale."""
        return image_settings(self.scale, self.paper, self.cell)


def train_as_asked(
    stage: str, description: str | None, treat: Callable[[Request], Treatment]
) -> None:
    """Trains the network that the command line names, and leaves its files and record.

    Args:
        stage: The stage that is run.
        description: Help of the command.
        treat: Tells what the stage does to a network while it trains.
    """
    asked = Request.from_arguments(stage, description)
    torch.set_num_threads(asked.threads)
    keep_freed_memory()
    with processes() as (share, device):
        run = Run(
            asked.cell,
            asked.settings,
            asked.seed,
            asked.out,
            code_digest(*modules(asked.paper, asked.cell, stage)),
            data_identity(asked.cell.dataset),
            stage,
            treat(asked),
        )
        with watched() as watch:
            run.train(share, device, asked.threads)
        if share.rank == 0:
            leave(run, scale=asked.scale, paper=asked.paper, watch=watch)


def leave(run: Run, *, scale: str, paper: str, watch: Stopwatch) -> None:
    """Writes the files of a finished run and, last, its record; then snapshots can go."""
    record = make_record(run, scale=scale, paper=paper, watch=watch, left=run.write())
    write_json(run.out / RECORD, record)
    run.forget()


def make_record(
    run: Run, *, scale: str, paper: str, watch: Stopwatch, left: Left
) -> dict[str, Any]:
    """All that is to be known of a run: what it was, what made it, and what it left."""
    return {
        "paper": paper,
        "scale": scale,
        "stage": run.stage,
        "cell": asdict(run.cell),
        "seeds": [run.seed],
        "settings": run.chosen.model_dump(),
        "code": run.digest,
        "dataset": {"name": run.cell.dataset, "sha256": run.data},
        **environment(),
        "seconds": round(watch.seconds, 3),
        "training_seconds": round(run.state.seconds, 3),
        "resumes": run.state.resumes,
        "warnings": watch.warnings,
        **left.entries,
        "files": {name: sha256(run.out / name) for name in left.files},
    }
