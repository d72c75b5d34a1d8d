"""The one way in which stages measure a trained network: their arguments and their files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
import torch

from reactivate.evidence.details import Computing, checksums, read_file
from reactivate.evidence.networks import NetworkRun, best_device
from reactivate.evidence.records import (
    Measures,
    Record,
    Stopwatch,
    making,
    verify_record,
    watched,
    write_record,
)
from reactivate.evidence.requests import Request
from reactivate.experiment.arithmetic import load_arithmetic
from reactivate.experiment.measurements import AnyMeasurement
from reactivate.experiment.paths import RECORD, seed_folder
from reactivate.foundation.files import sha256, write_atomically, write_rows
from reactivate.training.precision import choose_tf32, uses_tf32
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
class Probe(Request):
    """One measurement of one trained network."""

    @property
    def network(self) -> NetworkRun:
        """The run of the network that is measured."""
        folder = seed_folder(self.scale, self.paper, self.cell, self.seed)
        nowhere, workers = ("", "", ""), self.threads if self.threads > 1 else 0
        where = self.scale, self.paper, nowhere, self.cell, folder, self.seed
        return NetworkRun(*where, device=best_device(), workers=workers)

    def identity(self, settings: str) -> str:
        """Identity of the measurement: its settings, its code and the network's record."""
        verify_record(self.network.folder / RECORD)
        return f"{settings} {self.code} {sha256(self.network.folder / RECORD)}"

    def write(
        self,
        stage: Measures,
        settings: dict[str, Any],
        readings: Readings,
        watch: Stopwatch,
        device: torch.device,
    ) -> None:
        """Leaves a row per image, the metrics, times if there are any and, last, the record."""
        behind = self.network.folder / RECORD
        _write_table(self.out / IMAGES, readings.images)
        write_rows(self.out / METRICS, [{"seed": self.seed, **readings.metrics}])
        if readings.times is not None:
            _write_table(self.out / TIMES, readings.times)
        record = Record(
            stage=stage,
            paper=self.paper,
            scale=self.scale,
            cell=self.cell,
            measurement=self.measurement,
            seeds=[self.seed],
            settings=settings,
            code=self.code,
            data=verify_record(behind).data,
            read=[read_file(behind)],
            computing=Computing(device=device.type, tf32=uses_tf32(device)),
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
    probe = Probe.from_arguments(stage, description, measures=True)
    asked = probe.resolved.measurement(probe.measurement)
    if not isinstance(asked, form):
        raise ValueError(
            f"the measurement {probe.measurement} is for the stage {asked.stage}; accepted: one "
            f"for {stage}. Name another of config/papers with --measurement"
        )
    choose_tf32(load_arithmetic().tf32)
    with watched() as watch, processes() as (_, device):
        readings = measure(probe, asked, device)
    probe.write(stage, asked.model_dump(), readings, watch, device)
    return probe
