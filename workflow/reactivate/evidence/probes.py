"""The one way in which stages measure a trained network: what they are called with and leave."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import pandas as pd
import torch

from reactivate.evidence.details import checksums, read_file
from reactivate.evidence.records import (
    RECORD,
    Measures,
    Record,
    Stopwatch,
    making,
    verify_record,
    watched,
    write_record,
)
from reactivate.experiment.analysis import NetworkRun
from reactivate.experiment.measurements import AnyMeasurement
from reactivate.experiment.papers import measurement, modules
from reactivate.experiment.runs import Cell, seed_folder
from reactivate.foundation.digests import code_digest
from reactivate.foundation.files import sha256, write_atomically, write_rows
from reactivate.training.memory import keep_freed_memory
from reactivate.training.processes import processes

IMAGES, METRICS, TIMES = "images.csv", "metrics.csv", "times.csv"
WRITTEN = (IMAGES, METRICS)  # and vouched for: times are never the same twice
Asked = TypeVar("Asked", bound=AnyMeasurement)


@dataclass(frozen=True)
class Readings:
    """The outcome of a measurement.

    Attributes:
        images: One row or more for each image.
        metrics: The numbers that tables show.
        times: Seconds for each image, where they were taken.
    """

    images: pd.DataFrame
    metrics: dict[str, float]
    times: pd.DataFrame | None = None


@dataclass(frozen=True)
class Probe:
    """One measurement of one trained network."""

    stage: Measures
    scale: str
    paper: str
    cell: Cell
    seed: int
    measurement: str
    out: Path

    @classmethod
    def from_arguments(cls, stage: Measures, description: str | None) -> Self:
        """The measurement that the command line names; also sets how many threads torch uses."""
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
        """Digest of the code that measures this cell."""
        return code_digest(*modules(self.paper, self.cell, self.stage))

    def identity(self, settings: str) -> str:
        """Everything that decides the rows: settings, code and the network's record."""
        verify_record(self.network.folder / RECORD)
        return f"{settings} {self.digest} {sha256(self.network.folder / RECORD)}"

    def write(self, settings: dict[str, Any], readings: Readings, watch: Stopwatch) -> None:
        """Leaves a row per image, the metrics, times if there are any and, last, the record."""
        behind = self.network.folder / RECORD
        _write_table(self.out / IMAGES, readings.images)
        write_rows(self.out / METRICS, [{"seed": self.seed, **readings.metrics}])
        if readings.times is not None:
            _write_table(self.out / TIMES, readings.times)
        record = Record(
            stage=self.stage,
            paper=self.paper,
            scale=self.scale,
            cell=self.cell,
            measurement=self.measurement,
            seeds=[self.seed],
            settings=settings,
            code=self.digest,
            data=verify_record(behind).data,
            read=[read_file(behind)],
            files=checksums(self.out, WRITTEN),
            **making(watch),
        )
        write_record(self.out, record)


def _write_table(path: Path, table: pd.DataFrame) -> None:
    with write_atomically(path) as part:
        table.to_csv(part, index=False)


def carry_out(
    stage: Measures,
    description: str | None,
    form: type[Asked],
    measure: Callable[[Probe, Asked, torch.device], Readings],
) -> Probe:
    """Measures what the command line names, and leaves files and record.

    Args:
        stage: The stage that is called.
        description: What its ``--help`` says.
        form: The kind of measurement that it knows.
        measure: Computes the readings on a device.

    Raises:
        ValueError: The measurement is of another stage.
    """
    probe = Probe.from_arguments(stage, description)
    asked = measurement(probe.scale, probe.paper, probe.measurement)
    if not isinstance(asked, form):
        raise ValueError(
            f"the measurement {probe.measurement} is for the stage {asked.stage}; accepted: one "
            f"for {stage}. Name another of config/papers with --measurement"
        )
    with watched() as watch, processes() as (_, device):
        readings = measure(probe, asked, device)
    probe.write(asked.model_dump(), readings, watch)
    return probe
