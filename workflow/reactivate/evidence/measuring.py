"""What the stages that measure a trained network share: what they are called with and leave."""

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import pandas as pd
import torch

from reactivate.evidence.records import RECORD, Stopwatch, environment, verify_record
from reactivate.experiment.analysis import NetworkRun
from reactivate.experiment.papers import modules
from reactivate.experiment.runs import Cell, seed_folder
from reactivate.foundation.digests import code_digest
from reactivate.foundation.files import sha256, write_atomically, write_json, write_rows
from reactivate.training.memory import keep_freed_memory

IMAGES, METRICS = "images.csv", "metrics.csv"
WRITTEN = (IMAGES, METRICS)


@dataclass(frozen=True)
class Task:
    """One measurement of one trained network."""

    stage: str
    scale: str
    paper: str
    cell: Cell
    seed: int
    measurement: str
    out: Path

    @classmethod
    def from_arguments(cls, stage: str, description: str | None) -> Self:
        """From the command line; also sets how many threads torch may use."""
        parser = argparse.ArgumentParser(description=description)
        for name in ("scale", "paper", "dataset", "cell", "measurement"):
            parser.add_argument(f"--{name}", required=True)
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--threads", type=int, default=1)
        given = parser.parse_args()
        torch.set_num_threads(given.threads)
        keep_freed_memory()
        cell = Cell.parse(given.dataset, given.cell)
        return cls(stage, given.scale, given.paper, cell, given.seed, given.measurement, given.out)

    @property
    def network(self) -> NetworkRun:
        """The run of the network that is measured."""
        folder = seed_folder(self.scale, self.paper, self.cell, self.seed)
        nowhere = ("", "", "")
        return NetworkRun(self.scale, self.paper, nowhere, self.cell, folder, self.seed)

    @property
    def digest(self) -> str:
        """Of the code."""
        return code_digest(*modules(self.paper, self.cell, self.stage))

    def identity(self, settings: str) -> str:
        """Of everything that decides the rows: settings, code and the network's record."""
        verify_record(self.network.folder / RECORD)
        return f"{settings} {self.digest} {sha256(self.network.folder / RECORD)}"

    def write(
        self,
        settings: dict[str, Any],
        images: pd.DataFrame,
        metrics: dict[str, float],
        watch: Stopwatch,
    ) -> None:
        """Leaves a row per image, the metrics and, last, the record."""
        behind = self.network.folder / RECORD
        with write_atomically(self.out / IMAGES) as part:
            images.to_csv(part, index=False)
        write_rows(self.out / METRICS, [{"seed": self.seed, **metrics}])
        record = {
            "paper": self.paper,
            "scale": self.scale,
            "stage": self.stage,
            "measurement": self.measurement,
            "cell": asdict(self.cell),
            "seeds": [self.seed],
            "settings": settings,
            "code": self.digest,
            "dataset": verify_record(behind)["dataset"],
            "read": [{"file": behind.as_posix(), "sha256": sha256(behind)}],
            **environment(),
            "seconds": round(watch.seconds, 3),
            "warnings": watch.warnings,
            "files": {name: sha256(self.out / name) for name in WRITTEN},
        }
        write_json(self.out / RECORD, record)
