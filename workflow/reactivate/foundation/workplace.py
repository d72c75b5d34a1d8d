"""Where a stage works: in the project's folder, or where a storage plugin keeps copies of results.

Snakemake's storage plugins give a rule local copies below a folder of their own, such as
``.snakemake/storage/s3/bucket/results/…``. A stage then works in that folder, so ``results/…`` and
``data/prepared/…`` name the copies, and records keep these names. What belongs to the project
stays where it is.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reactivate.foundation.room import CHECKPOINTS

PROJECT = (
    "REACTIVATE_PROJECT"  # set while a stage works elsewhere; processes it starts know it too
)


def of_project(path: str | Path) -> Path:
    """A path of the project, wherever the stage works.

    Example:
        >>> of_project("config/metrics.yaml").as_posix()
        'config/metrics.yaml'
    """
    return Path(os.environ.get(PROJECT, "")) / path


def checkpoints(out: Path) -> Path:
    """The folder for what an unfinished run keeps: its own, or one below the variable's.

    Snakemake and its storage plugins do not know these files; on a machine that is thrown away
    after a job they last only in a place of their own, such as a mounted disk.

    Example:
        >>> checkpoints(Path("results/smoke/gmp/runs/yacht/cell")).as_posix()
        'results/smoke/gmp/runs/yacht/cell/checkpoints'
    """
    place = os.environ.get(CHECKPOINTS)
    return of_project(Path(place).expanduser()) / out if place else out / "checkpoints"


def work_in(folder: Path) -> None:
    """Works in a folder from now on; what is imported later is still found."""
    project = Path.cwd()
    os.environ[PROJECT] = str(project)
    sys.path[:] = [str(project / entry) for entry in sys.path]
    if "PYTHONPATH" in os.environ:
        entries = os.environ["PYTHONPATH"].split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(str(project / entry) for entry in entries)
    os.chdir(folder)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Works in a folder while the block runs, as :func:`work_in` does."""
    before, path, environment = Path.cwd(), sys.path[:], dict(os.environ)
    try:
        work_in(folder)
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
