"""The record that a stage leaves of what it made: one form, one reader, one writer."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, get_args

from pydantic import BeforeValidator, Field, JsonValue, field_validator, model_validator

from reactivate.evidence.details import (
    Computing,
    Data,
    Division,
    Durations,
    FileSums,
    ReadFile,
    Shrinkage,
    Tried,
)
from reactivate.evidence.environment import Environment, present_environment
from reactivate.evidence.versions import VERSION, read_versioned, record_of_version1
from reactivate.experiment.cell import Cell
from reactivate.experiment.observations import Observation
from reactivate.experiment.paths import RECORD
from reactivate.foundation.configuration import Strict
from reactivate.foundation.digests import loaded_modules
from reactivate.foundation.files import sha256, strict_json, write_json

Trains = Literal["sweep", "train", "prune", "defend", "detect", "segment", "observe"]
Measures = Literal["attack", "certify", "reconstruct"]
Shows = Literal["analyse", "plot", "check"]
Stage = Literal[Trains, Measures, Shows]
TRAINED = ("cell", "data", "seeds", "settings", "files")
MEASURED = (*TRAINED, "measurement", "read")
# what the record of a stage cannot be without; a figure's files stand in its provenance
NEEDED = {
    **dict.fromkeys(get_args(Trains), TRAINED),
    **dict.fromkeys(get_args(Measures), MEASURED),
    "analyse": ("exhibit", "function", "files"),
    "plot": ("exhibit", "function"),
    "check": ("function",),
}


class Record(Strict):
    """The account of a job: what it made from what, by which code, where and in what time.

    Attributes:
        stage: The stage that wrote it.
        exhibit, function: What was computed or drawn, and by which function; of no training.
        cell, seeds: What was trained or measured.
        measurement: What was asked of the trained network.
        settings: Recipe or arguments after the scale's limits; None where nothing can be set.
        code: Digest of the code that the stage uses there.
        modules: The modules of the package that were loaded, and the hash of each.
        data: The dataset; of an analysis, datasets are among the files it read.
        read: The files it was made from.
        computing: Kind of device, and precision, of a training or measurement of an image
            network; older records do not tell.
        division: How batches of an image network were divided; None if they were not.
        tuning, savings, observation: Of a sweep, a pruning and an observed training.
    """

    version: Literal[2] = VERSION
    stage: Stage
    paper: str
    scale: str
    exhibit: str | None = None
    function: str | None = None
    cell: Cell | None = None
    measurement: str | None = None
    seeds: list[int] = Field(default_factory=list)
    settings: Annotated[dict[str, JsonValue] | None, BeforeValidator(strict_json)] = None
    code: str
    modules: dict[str, str]
    data: Data | None = None
    read: list[ReadFile] = Field(default_factory=list)
    environment: Environment
    computing: Computing | None = None
    division: Division | None = None
    times: Durations
    warnings: list[str]
    tuning: list[Tried] | None = None
    savings: Shrinkage | None = None
    observation: Observation | None = None
    files: FileSums

    @field_validator("cell", mode="before")
    @classmethod
    def _coordinates(cls, value: Any) -> Any:
        """A cell as JSON holds it."""
        if not isinstance(value, dict):
            return value
        try:
            return Cell(**value)
        except TypeError:
            expected = ", ".join(Cell.__dataclass_fields__)
            raise ValueError(f"it is {value!r}; accepted: {expected}, each a text") from None

    @model_validator(mode="after")
    def _complete(self) -> "Record":
        lacking = [name for name in NEEDED[self.stage] if getattr(self, name) in (None, [], {})]
        if lacking:
            names = ", ".join(lacking)
            raise ValueError(f"{names} is empty, but the stage {self.stage} leaves it filled")
        return self

    @property
    def made_by(self) -> str:
        """The function that made what the record is of, or else the stage that did."""
        return self.function or self.stage


def read_record(path: Path) -> Record:
    """The record in a ``run.json``, of whatever version.

    Raises:
        ValueError: It is not as a stage leaves it; file, key and value are named.
    """
    remedy = f"Delete {path.parent} and run it again"
    return read_versioned(Record, path, record_of_version1, remedy)


def write_record(folder: Path, record: Record) -> None:
    """Writes the record of a folder; to be called last, after the files that it vouches for."""
    write_json(folder / RECORD, record.model_dump())


def verify_record(path: Path, only_present: bool = False) -> Record:
    """Reads a ``run.json`` and checks that the files it vouches for are unchanged.

    Args:
        path: The record.
        only_present: Files that are not there are passed over (published records come without
            weights).

    Raises:
        ValueError: A file is missing or has another checksum.
    """
    record = read_record(path)
    for name, expected in record.files.items():
        file = path.parent / name
        if only_present and not file.exists():
            continue
        actual = sha256(file) if file.exists() else "missing"
        if actual != expected:
            raise ValueError(
                f"{file}: sha256 is {actual}, but {path} recorded {expected}; the file was "
                f"changed or lost after the run. Delete {path.parent} and run it again"
            )
    return record


@dataclass
class Stopwatch:
    """The time and the warnings of a block, when it has ended."""

    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)


@contextmanager
def watched() -> Iterator[Stopwatch]:
    """Measures the block's time and collects its warnings."""
    watch = Stopwatch()
    start = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield watch
    watch.seconds = time.monotonic() - start
    watch.warnings = sorted({f"{w.category.__name__}: {w.message}" for w in caught})


class Making(TypedDict):
    """The fields of a record that tell how something was made, whatever it is."""

    modules: dict[str, str]
    environment: Environment
    times: Durations
    warnings: list[str]


def making(watch: Stopwatch, training: float | None = None, resumes: int = 0) -> Making:
    """The making of something by this process, for ``Record(..., **making(watch))``.

    Args:
        watch: The stopwatch of the work, when it has ended.
        training: Seconds of training, those before an interruption included.
        resumes: How often the work was interrupted and went on.
    """
    worked = None if training is None else round(training, 3)
    seconds = round(watch.seconds, 3)
    return {
        "modules": loaded_modules(),
        "environment": present_environment(),
        "times": Durations(seconds=seconds, training_seconds=worked, resumes=resumes),
        "warnings": watch.warnings,
    }
