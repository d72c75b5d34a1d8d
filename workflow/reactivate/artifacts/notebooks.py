"""Notebooks, executed from what is published, as pages beside it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from reactivate.auditing.findings import Finding
from reactivate.evidence.publication import SUMS, read_sums, write_sums
from reactivate.experiment.loading import load_scales, paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.foundation.files import read_json, sha256, write_json

NOTEBOOKS = PUBLISHED / "notebooks"
SOURCES = NOTEBOOKS / "made_from.json"  # audits that the stories were told from
TEMPLATE = "--template=page", "--TemplateExporter.extra_template_basedirs=notebooks"


def execute(papers: tuple[str, ...] | None = None) -> list[Path]:
    """Executes the notebooks of papers from what is published, and publishes their pages.

    Args:
        papers: Which papers; None: all that are configured.

    Returns:
        The pages.

    Raises:
        ValueError: A notebook does not run; the last line that it said is told.
    """
    NOTEBOOKS.mkdir(parents=True, exist_ok=True)
    pages = []
    for paper in papers or paper_names():
        with TemporaryDirectory(prefix="reactivate-") as folder:
            story = Path(folder, f"{paper}.ipynb")
            told = "-k", "python3", "-p", "evidence", "published"
            _run(paper, "papermill", f"notebooks/{paper}.ipynb", str(story), *told)
            out = f"--output-dir={NOTEBOOKS.absolute()}"
            _run(paper, "nbconvert", "--to", "html", *TEMPLATE, out, str(story))
        pages.append(NOTEBOOKS / f"{paper}.html")
    write_json(SOURCES, _audits())
    write_sums(NOTEBOOKS)
    return pages


def _run(paper: str, *words: str) -> None:
    command = [sys.executable, "-m", *words]
    paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise ValueError(
            f"notebooks/{paper}.ipynb cannot be executed: {said[0]}; see: "
            f"snakemake results/notebooks/{paper}.html"
        )


def _audits() -> dict[str, str]:
    """The published audits, each with its checksum."""
    files = [audit_file(scale, "csv", PUBLISHED) for scale in load_scales()]
    return {file.as_posix(): sha256(file) for file in files if file.exists()}


def notebook_findings() -> Iterator[Finding]:
    """What is the matter with published notebooks; nothing where none are published."""
    if not (NOTEBOOKS / SUMS).exists():
        return
    listed = read_sums(NOTEBOOKS)
    for path, expected in listed.items():
        actual = sha256(path) if path.exists() else ""
        if actual != expected:
            said = f"sha256 is {actual or 'missing'}, but {NOTEBOOKS / SUMS} has {expected}"
            yield Finding("tampered" if actual else "missing", path, said)
    for path in sorted(NOTEBOOKS.iterdir()):
        if path not in listed and path.name != SUMS:
            yield Finding("unvouched", path, f"{NOTEBOOKS / SUMS} does not list it")
    if SOURCES.exists() and read_json(SOURCES) != _audits():
        said = "they tell of older audits; execute them with: reactivate publish --notebooks"
        yield Finding("stale", NOTEBOOKS, said)
