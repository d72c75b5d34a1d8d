"""Judge every claim again from published evidence, without running anything."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from reactivate.artifacts.rebuilding import copy_whole
from reactivate.commands.parsing import Parser
from reactivate.evidence.records import read_record
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.loading import load_scale, paper_names
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS, VALUES, audit_file
from reactivate.foundation.files import sha256


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate judge``."""
    parser.add_scale()
    parser.add_argument(
        "--draw", action="store_true", help="draw figures again that older code has drawn"
    )
    parser.examples("reactivate judge --scale laptop", "reactivate judge --scale laptop --draw")
    parser.set_defaults(run=lambda a: judge(a.scale, a.draw))


def judge(scale: str, draw: bool = False) -> None:
    """Writes the audit of a scale from published exhibits, analyses and records.

    Published files come into ``results/`` where nothing is; then every claim is looked into and
    judged by the code of this tree. What was not published counts as not run.

    Args:
        scale: The scale.
        draw: Whether to draw figures again that other code has drawn, from their csv.

    Raises:
        ValueError: Nothing is published at this scale.
    """
    from reactivate.stages.audit import audit  # they import torch, for which no other
    from reactivate.stages.check import check  # command should wait
    from reactivate.stages.join import join

    load_scale(scale)
    source = audit_file(scale, "json", PUBLISHED)
    if not source.exists():
        raise ValueError(f"{source} does not exist; accepted: a scale that was published")
    with lent(scale, paper_names()):
        if draw:
            print(f"drawn again: {_redrawn(scale)} figures")
        for paper in paper_names():
            if Experiment.load(scale, EXISTING).paper(paper).looked_into:
                check(scale, paper, EXISTING)
            audit(scale, paper, EXISTING)
        join(scale, EXISTING)
    print(f"judged again: {audit_file(scale, 'html')}")


def _redrawn(scale: str) -> int:
    """Draws all figures of a scale again that other code has drawn; how many they are."""
    from reactivate.stages.plot import redraw

    experiment = Experiment.load(scale, EXISTING)
    figures = [
        experiment.exhibit(paper, name)
        for paper in experiment.papers
        for name, exhibit in experiment.paper(paper).exhibits.items()
        if not isinstance(exhibit, Grid)
    ]
    drawn = 0
    for figure in figures:
        try:
            drawn += redraw(figure)
        except KeyError as error:
            said = f"its csv has no column {error}, which the picture of this tree needs"
            print(f"left as it was: {figure.file('png')}: {said}")
    return drawn


@contextmanager
def lent(scale: str, papers: Iterable[str], *, kept: bool = True) -> Iterator[None]:
    """Brings what is published of papers into ``results/`` where nothing is.

    The values of analyses, which are published as the csv of their figures, are there while the
    block runs; those that are not the recorded ones to the last bit are removed after it.

    Args:
        scale: The scale.
        papers: The papers.
        kept: Whether the other files stay after the block; else it leaves nothing behind.
    """
    brought: list[Path] = []  # files, and before each of them the folders that were made for it
    values: list[Path] = []
    folders = [PUBLISHED / scale / paper for paper in papers]
    try:
        for file in sorted(file for folder in folders for file in folder.rglob("*")):
            if file.is_file():
                brought += _bring(file, RESULTS / file.relative_to(PUBLISHED))
        values += _lend_values(scale)
        yield
    finally:
        for path in () if kept else (*values, *reversed(brought)):
            if not path.is_dir():
                path.unlink(missing_ok=True)
            elif not any(path.iterdir()):  # somebody else may have written there
                path.rmdir()
        for file in values:
            if file.exists() and sha256(file) != read_record(file.with_name(RECORD)).files[VALUES]:
                file.unlink()


def _lend_values(scale: str) -> Iterator[Path]:
    """Brings the values of analyses, which are published as the csv of their figures."""
    for record in sorted((RESULTS / scale).glob(f"*/analyse/*/{RECORD}")):
        values, files = record.parent / VALUES, read_record(record).files
        drawn = record.parents[2] / f"{record.parent.name}.csv"
        if VALUES in files and drawn.exists() and not values.exists():
            _bring(drawn, values)
            yield values


def _bring(file: Path, to: Path) -> list[Path]:
    """Copies a file to where nothing is yet; what that made: folders, outer ones first, and it."""
    if to.exists():
        return []
    made = [folder for folder in reversed(to.parents) if not folder.exists()]
    copy_whole(file, to)
    return [*made, to]
