"""Published runs, drawn at random, are trained again and compared byte by byte."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory
from typing import get_args

import reactivate
from reactivate.auditing.differences import difference
from reactivate.auditing.findings import Finding
from reactivate.evidence.histories import CURVE, thinned_history
from reactivate.evidence.records import Record, Trains, read_record
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS

DATA = Path("data")


def trained_runs(scales: list[str]) -> dict[Path, Record]:
    """Published records of trainings that the configuration still has, by their paths."""
    found = {}
    for scale in scales:
        for path in sorted((PUBLISHED / scale).rglob(RECORD)):
            record = read_record(path)
            if record.stage in get_args(Trains) and _is_configured(record):
                found[path] = record
    return found


def _is_configured(record: Record) -> bool:
    assert record.cell is not None
    try:
        Experiment.load(record.scale).cell(record.paper, record.cell)
    except ValueError:
        return False
    return True


def drawn(runs: Mapping[Path, Record], count: int) -> list[Path]:
    """Some of the runs, which nobody can foresee; one that took half the time twice as often.

    Raises:
        ValueError: None can be drawn.
    """
    if not runs:
        raise ValueError(
            f"there is no run to train again below {PUBLISHED}; accepted: publications with runs "
            "that config/papers still has"
        )
    source = SystemRandom()
    # the smallest of exponential times: a draw without replacement by these weights
    times = {p: source.expovariate(1 / max(r.times.seconds, 1e-3)) for p, r in runs.items()}
    return sorted(runs, key=lambda path: times[path])[:count]


def repeat(path: Path, record: Record) -> Iterator[Finding]:
    """Trains a published run again in a folder of its own; yields what came out otherwise.

    Raises:
        ValueError: It cannot be trained here; the reason that the stage gave is told.
    """
    with TemporaryDirectory(prefix="reactivate-") as folder:
        place = Path(folder)
        if DATA.exists():
            (place / DATA).symlink_to(DATA.absolute())
        out = place / RESULTS / path.parent.relative_to(PUBLISHED)
        done = subprocess.run(
            _command(record, out, place), env=_environment(), capture_output=True, text=True
        )
        if done.returncode:
            said = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
            raise ValueError(f"{path.parent} cannot be trained again: {said[0]}")
        again = read_record(out / RECORD)
        for name, expected in record.files.items():
            if again.files.get(name) != expected:
                yield Finding("unrepeated", path.parent / name, _told(path, out, name))
        curve = path.with_name(CURVE)  # some epochs of a history, which the record vouches for
        if curve.exists() and curve.read_text(encoding="utf-8") != thinned_history(out):
            yield Finding("unrepeated", curve, "the history that was made again gives another")


def _command(record: Record, out: Path, place: Path) -> list[str]:
    assert record.cell is not None
    named = {
        "scale": record.scale,
        "paper": record.paper,
        "dataset": record.cell.dataset,
        "cell": record.cell.stem,
        "out": str(out),
        "root": str(place),
    }
    if record.stage != "sweep":
        (seed,) = record.seeds
        named |= {"seed": str(seed), "threads": str(record.environment.machine.threads)}
    options = [word for name, value in named.items() for word in (f"--{name}", value)]
    return [sys.executable, "-m", f"reactivate.stages.{record.stage}", *options]


def _environment() -> dict[str, str]:
    """The environment of this process, in which the same package is found."""
    package = str(Path(reactivate.__file__).parents[1])
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([package, *([known] if known else [])])}


def _told(path: Path, out: Path, name: str) -> str:
    there = path.parent / name
    if not there.exists() or not (out / name).exists():
        return f"{path} has another checksum of it than the run that was trained again"
    return difference(there, there.read_bytes(), (out / name).read_bytes())
