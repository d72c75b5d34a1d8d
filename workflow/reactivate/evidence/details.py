"""The parts of a record, each with its own form: checksums, files, data, durations, extras."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from reactivate.experiment.arithmetic import Compilation
from reactivate.foundation.configuration import Strict
from reactivate.foundation.files import sha256

TEXTS = ("nan", "inf", "-inf")  # numbers that JSON has not


def _number(value: Any) -> Any:
    return float(value) if value in TEXTS else value


Real = Annotated[float, BeforeValidator(_number)]
Checksum = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
# of a prepared dataset; or, of a folder of the user's, the digest of what the catalog says of it
DataChecksum = Annotated[str, Field(pattern="^([0-9a-f]{64}|[0-9a-f]{16})$")]
# a name and no path: a record vouches for nothing outside its folder
FileName = Annotated[str, Field(pattern=r"^\w+(\.\w+)*$")]
FileSums = dict[FileName, Checksum]


class ReadFile(Strict):
    """A file that something was made from, and the checksum it had."""

    file: str
    sha256: Checksum


def checksums(folder: Path, names: Iterable[str]) -> FileSums:
    """The checksums of files in a folder, as a record keeps them."""
    return {name: sha256(folder / name) for name in names}


def read_file(path: Path) -> ReadFile:
    """A file that something is made from, with its checksum of now."""
    return ReadFile(file=path.as_posix(), sha256=sha256(path))


class Data(Strict):
    """The dataset behind a run."""

    name: str
    sha256: DataChecksum


class Division(Strict):
    """The division of the batches of a training; none by itself changes more than rounding.

    Attributes:
        processes: Number of processes that divided every batch among them.
        micro_batch: The most images that a process passed at once; None for all that it had.
        statistics: What batch normalisation took its statistics of, if there is any: the whole
            ``batch``, as printed, or each ``micro_batch`` of all processes, which the documents
            do not do.
    """

    processes: int = 1
    micro_batch: int | None = None
    statistics: Literal["batch", "micro_batch"] | None = None


class Computing(Strict):
    """The arithmetic of a run: on a device of another kind the same settings give other noise.

    Attributes:
        device: Kind of device: ``cpu`` or ``cuda``.
        precision: Type of numbers in which networks pass images on: ``float32``, ``bfloat16`` or
            ``float16``; weights are float32.
        tf32: Whether float32 numbers were multiplied with 10 bits of mantissa.
        compiled: How torch compiled training steps; none if it did not.
    """

    device: str
    precision: str = "float32"
    tf32: bool
    compiled: Compilation = "none"


class Durations(Strict):
    """The time that a run took, and how often it was interrupted and went on."""

    seconds: float = Field(ge=0)
    training_seconds: float | None  # of the seconds, and of those before it was interrupted
    resumes: int = Field(ge=0)


class Tried(Strict):
    """A learning rate that a sweep tried on one fold, and the error it gave."""

    seed: int
    lr: float
    fold: int | None
    rmse: Real


class SpeedUp(Strict):
    """The factor by which pruning makes a network faster, counted in three ways."""

    theoretical: float
    counted: float
    measured: float


class Shrinkage(Strict):
    """The size and the speed of a network before and after units without weights were removed."""

    parameters: int
    parameters_left: int
    non_zero: int
    multiply_adds: int
    multiply_adds_left: int
    multiply_adds_non_zero: int
    seconds: float
    seconds_left: float
    speed_up: SpeedUp
