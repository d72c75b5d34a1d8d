"""Snakemake's memory of outputs: taken along with them as plain JSON, checked, put back."""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import Field, RootModel

from reactivate.experiment.paths import PREPARED, RESULTS
from reactivate.foundation.configuration import Strict, validate
from reactivate.foundation.files import write_json

METADATA = Path(".snakemake/metadata")
INCOMPLETE = Path(".snakemake/incomplete")
ARCHIVE = "snakemake.json"  # in the folder of a scale


class Memory(Strict):
    """Snakemake's memory of an output, by which it decides whether to make it again.

    Nothing here is ever run. Snakemake's records also hold the shell command and the environment,
    for its reports; these are left out, and an archive that has them is refused.
    """

    rule: str
    input: list[str]
    log: list[str]
    params: list[str]
    code: str | None  # the rule's command as the Snakefile has it; compared as text
    record_format_version: int
    software_stack_hash: str = Field(pattern="^[0-9a-f]{32}$")
    starttime: float
    endtime: float = Field(ge=0)
    incomplete: Literal[False]
    input_checksums: dict[str, str]


class Archive(RootModel[dict[str, Memory]]):
    """Snakemake's memory of all outputs of a scale, by output."""


def archive_path(scale: str) -> Path:
    """Path of the memory of a scale's outputs, which is kept among them."""
    return RESULTS / scale / ARCHIVE


def record_path(output: str, folder: Path = METADATA) -> Path:
    """Path at which Snakemake's file backend keeps the record of an output.

    Example:
        >>> record_path("results/a.csv", Path("m")).as_posix()
        'm/cmVzdWx0cy9hLmNzdg=='
    """
    name = urlsafe_b64encode(output.encode()).decode()
    longest = 254  # of a file name, less the mark
    parts = [name[i : i + longest] for i in range(0, len(name), longest)]
    return folder.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])


def recorded_outputs(folder: Path = METADATA) -> Iterator[str]:
    """Every output of which Snakemake's folder has a record; inverse of :func:`record_path`."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            parts = path.relative_to(folder).parts
            yield urlsafe_b64decode("".join(part.removeprefix("@") for part in parts)).decode()


def belongs(output: str, scale: str) -> bool:
    """Whether an output is a file of a scale or of the prepared data, and nowhere else.

    Example:
        >>> belongs("results/smoke/audit.csv", "smoke"), belongs("results/smoke/../x", "smoke")
        (True, False)
    """
    path = PurePosixPath(output)
    inside = any(path.is_relative_to(folder) for folder in (RESULTS / scale, PREPARED))
    return inside and ".." not in path.parts


def write_archive(scale: str) -> list[str]:
    """Writes what Snakemake remembers of a scale's outputs; returns these outputs.

    Raises:
        ValueError: An output is unfinished, or Snakemake remembers none.
    """
    unfinished = [o for o in recorded_outputs(INCOMPLETE) if o.startswith(f"{RESULTS / scale}/")]
    if unfinished:
        raise ValueError(
            f"{unfinished[0]} is unfinished: a job that makes it runs or was killed. "
            "Let snakemake finish it first"
        )
    memories = {}
    for output in recorded_outputs():
        if belongs(output, scale) and Path(output).exists():
            record = json.loads(record_path(output).read_text(encoding="utf-8"))
            memories[output] = {key: record[key] for key in Memory.model_fields}
    if not any(output.startswith(f"{RESULTS / scale}/") for output in memories):
        raise ValueError(
            f"Snakemake remembers nothing of {RESULTS / scale} (in {METADATA}), so a clone would "
            f"compute it again; make it with: snakemake {scale}"
        )
    write_json(archive_path(scale), validate(Archive, memories, METADATA).model_dump())
    return list(memories)


def read_archive(scale: str) -> dict[str, Memory]:
    """The archive of a scale, checked: known fields only, and no output outside its folders."""
    path = archive_path(scale)
    if not path.exists():
        raise ValueError(f"{path} does not exist; freeze again where the results were made")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON ({error}); freeze again") from None
    memories = validate(Archive, data, path).root
    for output in memories:
        if not belongs(output, scale):
            raise ValueError(
                f"{path} names {output!r}, which is outside {RESULTS / scale} and {PREPARED}; "
                "nothing was put back. Restore from a remote you trust"
            )
    return memories


def put_back(memories: dict[str, Memory]) -> None:
    """Gives Snakemake its memory, and outputs the times they were made at."""
    now = time.time()
    for output, memory in memories.items():
        if Path(output).is_file():
            write_json(record_path(output), memory.model_dump())
            moment = min(memory.endtime, now)
            os.utime(output, (moment, moment))


def final_outputs(memories: dict[str, Memory]) -> list[str]:
    """One output of every job that no other job reads from: to ask for these is to ask for all."""
    read = {name for memory in memories.values() for name in memory.input}
    jobs: dict[tuple[str, ...], list[str]] = {}
    for output, memory in memories.items():
        jobs.setdefault((memory.rule, *memory.log), []).append(output)
    return [outputs[0] for outputs in jobs.values() if read.isdisjoint(outputs)]
