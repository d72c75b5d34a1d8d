"""The evidence a run leaves: code, data, packages, machine, time, and the sums of its files."""

import json
import platform
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reactivate.foundation.digests import loaded_modules
from reactivate.foundation.files import sha256

PACKAGES = ("torch", "numpy", "scipy", "pandas", "safetensors", "snakemake")
RECORD = "run.json"


@dataclass
class Stopwatch:
    """What is measured while a run goes on."""

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


def environment() -> dict[str, Any]:
    """Commit, modules, packages and machine: what one needs to know to run it again.

    Nobody waits for torch here who did without it: then there is no GPU to tell of.
    """
    torch = sys.modules.get("torch")
    return {
        "git": git_state(),
        "modules": loaded_modules(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "cpu": _cpu(),
            "gpu": torch.cuda.get_device_name() if torch and torch.cuda.is_available() else None,
            "threads": torch.get_num_threads() if torch else 1,
        },
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def git_state() -> dict[str, Any]:
    """Commit, and whether tracked files differ from it; both None outside a repository."""
    commit = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain", "--untracked-files=no")
    return {"commit": commit, "dirty": None if changes is None else bool(changes)}


def changed_paths(folder: Path) -> set[Path] | None:
    """Files of a folder that differ from the committed ones; None where nothing is committed."""
    names = _git("diff", "--name-only", "--relative", "-z", "HEAD", "--", str(folder))
    return None if names is None else {Path(name) for name in names.split("\0") if name}


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((x.split(":")[1].strip() for x in lines if x.startswith("model name")), "unknown")


def verify_record(path: Path, only_present: bool = False) -> dict[str, Any]:
    """Reads a ``run.json`` and checks that the files it vouches for are unchanged.

    Args:
        path: The record.
        only_present: Files that are not there are passed over (published records come without
            weights).

    Raises:
        ValueError: A file is missing or has another checksum.
    """
    record = _read_record(path)
    for name, expected in record["files"].items():
        file = path.parent / name
        if only_present and not file.exists():
            continue
        found = sha256(file) if file.exists() else "missing"
        if found != expected:
            raise ValueError(
                f"{file}: sha256 is {found}, but {path} recorded {expected}; the file was changed "
                f"or lost after the run. Delete {path.parent} and run it again"
            )
    return record


def _read_record(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(
            f"{path} cannot be read ({error}); it was changed after the run. "
            f"Delete {path.parent} and run it again"
        ) from None
    if not isinstance(record, dict) or not isinstance(record.get("files"), dict):
        raise ValueError(
            f"{path} names no files; it is not the record of a run. "
            f"Delete {path.parent} and run it again"
        )
    return record
