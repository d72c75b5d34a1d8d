"""Everything above the leaves of a publication, made again from them by the stages' own code.

Leaves are what was measured and looked into: the files of runs, measurements and analyses with
their records, judgements, and of figures the picture, how it was drawn and, of curves, the csv.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from reactivate.artifacts.readme import renewed
from reactivate.artifacts.replacing import TEXTS
from reactivate.auditing.agreement import agreements
from reactivate.auditing.chain import Ledger
from reactivate.auditing.writing import write_page, write_verdicts
from reactivate.evidence.provenance import read_provenance
from reactivate.evidence.versions import whole_content
from reactivate.experiment.catalog.catalog import catalog
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.exhibits import Analysis, Best, Curves, Figure, Grid, Quoted
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.paths import RECORD, RESULTS, VALUES
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.foundation.files import write_atomically
from reactivate.foundation.workplace import of_project, working_in

PROCESSES = 2
TABLE = ("csv", "md", "tex")
PICTURE = ("csv", "png", "svg")


def rebuild(place: Path, scales: list[str], shown: list[str] | None = None) -> None:
    """Makes exhibits, audits and texts again from the leaves below ``results/`` of a folder.

    Args:
        place: The folder; README.md and docs/answers.md are written there too.
        scales: The scales whose leaves are there.
        shown: Scales of which the page is made again; the audits of those that are not among
            ``scales`` are there. By default the same.
    """
    _each(partial(_judge, place), scales)
    _each(partial(_show, place), scales if shown is None else shown)  # pages show other scales
    with working_in(place):
        for path in TEXTS:
            if of_project(path).exists():
                text = of_project(path).read_text(encoding="utf-8")
                path.parent.mkdir(exist_ok=True)
                path.write_text(renewed(text, RESULTS, path), encoding="utf-8")


def _each(work: "partial[None]", scales: list[str]) -> None:
    """Works on all scales, as many at a time as there are processes."""
    if len(scales) == 1:
        work(scales[0])
        return
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork")) as pool:
        list(pool.map(work, scales))


def bring(source: Path, to: Path) -> None:
    """Copies the leaves of a scale: all but its list of sums, audits and what tables show."""
    for file in sorted(source.rglob("*")):
        name = file.relative_to(source)
        if file.is_file() and is_brought(name, source):
            copy_whole(file, to / name)


def copy_whole(file: Path, to: Path) -> None:
    """Copies a file; one that was thinned for publication as it was before."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(whole_content(file))


def is_brought(name: Path, source: Path) -> bool:
    """Whether a file of a scale is a leaf, or holds one: how a figure was drawn, or a vote."""
    if len(name.parts) != 2:  # of a run or an analysis; or of the audit of all papers
        return len(name.parts) > 2
    exhibit, _, ending = name.name.partition(".")
    is_drawn = (source / name.parent / f"{exhibit}.png").exists()
    return ending in ("png", "svg", "provenance.json") or (is_drawn and ending == "csv")


def _judge(place: Path, scale: str) -> None:
    """Makes the exhibits of a scale again, and all files of its audit but the page."""
    from reactivate.stages.audit import judge

    with working_in(place), nothing_supplied():
        experiment = Experiment.load(scale, EXISTING)
        for paper in experiment.papers:
            remake(experiment, paper)
        rows = [row for paper in experiment.papers for row in judge(experiment, paper)]
        write_verdicts(experiment, rows, list(map(vars, agreements(rows))), Ledger(scale))


def _show(place: Path, scale: str) -> None:
    with working_in(place), nothing_supplied():
        write_page(Ledger(scale))


@contextmanager
def nothing_supplied() -> Iterator[None]:
    """No data of the user's is at hand while the block runs: a publication knows of none."""
    asked = [entry.variable for entry in catalog().values() if isinstance(entry, FolderSet)]
    supplied = {name: os.environ.pop(name) for name in asked if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(supplied)


def remake(experiment: Experiment, paper: str) -> None:
    """Makes every exhibit of a paper again from the leaves below ``results/``.

    An exhibit of which there is nothing to show is removed.
    """
    every = [experiment.exhibit(paper, name) for name in experiment.paper(paper).exhibits]
    every.sort(key=lambda exhibit: isinstance(exhibit.form, Best))  # made from other tables
    for exhibit in every:
        made = _tabulated(exhibit) if isinstance(exhibit.form, Grid) else _stated(exhibit)
        if not made:
            for ending in {*TABLE, *PICTURE, "provenance.json"}:
                exhibit.file(ending).unlink(missing_ok=True)


def _tabulated(exhibit: RunExhibit) -> bool:
    from reactivate.stages.tabulate import tabulate

    if isinstance(exhibit.form, Quoted):
        return False
    return tabulate(exhibit.scale, exhibit.paper.paper, exhibit.name, EXISTING)


def _stated(exhibit: RunExhibit) -> bool:
    """Writes the csv and the provenance of a figure again; whether there is one."""
    from reactivate.stages.plot import draw, write_shown

    source = exhibit.file("provenance.json")
    drawn = read_provenance(source).record if source.exists() else None
    if drawn is None:
        return False
    if isinstance(exhibit.form, Analysis):
        values = exhibit.analysis_folder / VALUES
        if values.exists():
            numbers = values.read_bytes()
        elif (values.parent / RECORD).exists():  # they are published as the csv of the figure
            numbers = exhibit.file("csv").read_bytes()
        else:
            return False
    elif isinstance(exhibit.form, Figure):
        numbers = draw(exhibit).numbers
    else:
        assert isinstance(exhibit.form, Curves)  # epochs of their runs are not published
        numbers = exhibit.file("csv").read_bytes()
    with write_atomically(exhibit.file("csv")) as part:
        part.write_bytes(numbers)
    write_shown(exhibit, drawn)
    return True
