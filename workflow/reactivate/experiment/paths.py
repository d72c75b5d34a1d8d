"""Paths of all results: the folder of every run, and the name of every file."""

import os
from pathlib import Path

from reactivate.experiment.cell import Cell

RESULTS = Path("results")
PREPARED = Path("data/prepared")
STREAMED = Path("data/streamed")  # of sets too large to be prepared
PUBLISHED = Path("published")
RECORD = "run.json"  # of a run, an analysis or a measurement
VALUES = "values.csv"  # of an analysis


def run_folder(scale: str, paper: str, cell: Cell, root: Path = RESULTS) -> Path:
    """Folder of a cell's records.

    Example:
        >>> run_folder("laptop", "gmp", Cell("boston", "mlp100", "relu", "gmp", "cv")).as_posix()
        'results/laptop/gmp/runs/boston/mlp100-relu-gmp-cv'
    """
    return root.joinpath(scale, paper, "runs", cell.dataset, cell.stem)


def seed_folder(scale: str, paper: str, cell: Cell, seed: int, root: Path = RESULTS) -> Path:
    """Folder of one image network's records."""
    return run_folder(scale, paper, cell, root) / f"seed{seed}"


def measurement_folder(
    scale: str,
    paper: str,
    stage: str,
    cell: Cell,
    measurement: str,
    seed: int,
    root: Path = RESULTS,
) -> Path:
    """Folder of what one image network was measured with after its training.

    Example:
        >>> cell = Cell("cifar10", "vgg16", "relu", "bn", "noise")
        >>> measurement_folder("paper", "thesis", "certify", cell, "plain", 0).as_posix()
        'results/paper/thesis/certify/cifar10/vgg16-relu-bn-noise/plain/seed0'
    """
    of_cell = (scale, paper, stage, cell.dataset, cell.stem)
    return root.joinpath(*of_cell, measurement, f"seed{seed}")


def observation_folder(
    scale: str, paper: str, cell: Cell, seed: int, root: Path = RESULTS
) -> Path:
    """Folder of what was observed while an image network trained."""
    return root / scale / paper / "observe" / cell.dataset / cell.stem / f"seed{seed}"


def analysis_folder(scale: str, paper: str, exhibit: str, root: Path = RESULTS) -> Path:
    """Folder of what was computed for an exhibit without training."""
    return root / scale / paper / "analyse" / exhibit


def checks_file(scale: str, paper: str, root: Path = RESULTS) -> Path:
    """File of the judgements of those statements of a paper that a function checks."""
    return root / scale / paper / "analyse" / "claims.json"


def exhibit_file(scale: str, paper: str, exhibit: str, ending: str, root: Path = RESULTS) -> Path:
    """File of an exhibit: ``csv``, ``md``, ``tex``, ``png``, ``provenance.json``."""
    return root / scale / paper / f"{exhibit}.{ending}"


def audit_file(scale: str, ending: str, root: Path = RESULTS, paper: str | None = None) -> Path:
    """A file of the audit of a scale, of one paper or of all: ``csv``, ``json`` or ``html``.

    Example:
        >>> audit_file("laptop", "html", paper="gmp").as_posix()
        'results/laptop/gmp/audit.html'
    """
    return root / scale / (paper or "") / f"audit.{ending}"


def check_results(root: Path = RESULTS) -> None:
    """Stops before anything is computed whose results could not be written.

    Raises:
        ValueError: ``results`` is a file, or a folder that cannot be written to.
    """
    if root.exists() and not root.is_dir():
        raise ValueError(f"{root} is a file, but results are written below it; move it away")
    folder = root if root.exists() else root.absolute().parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{folder} cannot be written to; make it writable, results are put there")


def dataset_file(dataset: str) -> Path:
    """Prepared tensors of a dataset; its checksum is in the ``.sha256`` sibling."""
    return PREPARED / f"{dataset}.safetensors"


def streamed_folder(dataset: str) -> Path:
    """Folder of the listing of a set that is streamed and, if it was packed, of its archives."""
    return STREAMED / dataset
