"""The way from a claim back to what it rests on: numbers, records, data, code, command, time."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from reactivate.auditing.cells import Placed, by_place
from reactivate.auditing.comparisons import compared
from reactivate.auditing.rows import Row
from reactivate.evidence.judgements import Judgements, read_judgements
from reactivate.evidence.provenance import Provenance, ShownCell, read_provenance
from reactivate.evidence.records import Record, read_record
from reactivate.evidence.versions import whole_sum
from reactivate.experiment.experiment import EVERYTHING, EXISTING
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.paths import RECORD, RESULTS, analysis_folder, audit_file, checks_file
from reactivate.experiment.statements import Check
from reactivate.foundation.files import read_json

Content = TypeVar("Content")
COLUMNS = [field.name for field in fields(Row)]


@dataclass(frozen=True)
class Link:
    """A record that a claim rests on: that of a run, of an analysis, or of a judgement."""

    path: str  # of its file, below results/ wherever it was read
    sha256: str  # as recorded by what was made from it
    record: Record


@dataclass(frozen=True)
class Number:
    """Our number for a claim under one protocol."""

    protocol: str
    values: tuple[float, ...]  # one per seed
    mean: float
    standard_error: float | None
    n: int
    how: str  # it was computed, where nothing was trained
    records: tuple[Link, ...]


@dataclass(frozen=True)
class Chain:
    """A claim and everything its verdict rests on; nothing, if it was not run."""

    row: Row
    protocol: str  # what the protocol of the row means
    numbers: tuple[Number, ...]  # the judged protocol first; none for a statement in words
    records: tuple[Link, ...]  # that the verdict was judged from
    command: str  # makes those records again; empty if there are none

    @property
    def seconds(self) -> float:
        """The time that making the records took."""
        return sum(link.record.times.seconds for link in self.records)


def chain(scale: str, claim: str, root: Path = RESULTS) -> Chain:
    """The chain from a claim to everything that it rests on at a scale.

    Args:
        scale: The scale of the audit.
        claim: ``paper/exhibit/row/column`` or ``paper/claims/name``.
        root: ``RESULTS``, or ``PUBLISHED`` for what was published.

    Raises:
        ValueError: There is no such audit, no such claim in it, or a record is missing.
    """
    return Ledger(scale, root).chain(claim)


@dataclass(frozen=True)
class Ledger:
    """The audit of a scale, of one paper or of all, and the files behind it, each read once."""

    scale: str
    root: Path = RESULTS
    paper: str | None = None
    made_with: str | None = None  # the reach of whoever makes the audit; else its file tells

    @property
    def papers(self) -> tuple[str, ...]:
        """The papers that are audited."""
        return paper_names() if self.paper is None else (self.paper,)

    def file(self, ending: str) -> Path:
        """A file of the audit."""
        return audit_file(self.scale, ending, self.root, self.paper)

    @cached_property
    def rows(self) -> dict[str, Row]:
        """All claims with their verdicts."""
        path = self.file("csv")
        if not path.exists():
            made = audit_file(self.scale, "csv", paper=self.paper)
            raise ValueError(f"{path} does not exist; make it with: snakemake {made}")
        with path.open(newline="", encoding="utf-8") as file:
            return {row.claim: row for row in _rows(csv.reader(file))}

    @cached_property
    def agreed(self) -> list[dict[str, str]]:
        """How far the order of each table is the printed one; of none, if no file tells."""
        path = self.file("agreement.csv")
        if not path.exists():
            return []
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    @cached_property
    def reach(self) -> str:
        """The part of the scale that the machine of this audit could run."""
        if self.made_with is not None:
            return self.made_with
        path = self.file("json")
        return str(read_json(path).get("reach", EVERYTHING)) if path.exists() else EVERYTHING

    def chain(self, claim: str) -> Chain:
        """The chain from one claim to everything that it rests on."""
        if claim not in self.rows:
            raise self._unknown(claim)
        row = self.rows[claim]
        paper, exhibit, *place = claim.split("/")
        if exhibit == "claims":
            numbers: tuple[Number, ...] = ()
            records = self._of_statement(row, paper, place[0])
        else:
            numbers = self._numbers(row, *place)
            records = next((n.records for n in numbers if n.protocol == row.protocol), ())
        return Chain(
            row,
            _protocol(paper, row.protocol),
            numbers,
            records,
            self.command(records),
        )

    def _unknown(self, claim: str) -> ValueError:
        """Error for an unknown claim: names those of its exhibit, or else the exhibits."""
        exhibit = "/".join(claim.split("/")[:2])
        known = [name for name in self.rows if name.startswith(f"{exhibit}/")]
        exhibits = dict.fromkeys("/".join([*name.split("/")[:2], "..."]) for name in self.rows)
        close = get_close_matches(claim, self.rows)
        accepted = ", ".join(known or exhibits)
        meant = f"did you mean {' or '.join(close)}?" if close else f"accepted: {accepted}."
        return ValueError(f"unknown claim {claim!r}; {meant} All are in {self.file('csv')}")

    def command(self, links: tuple[Link, ...]) -> str:
        """The command that makes records again, though they are there."""
        if not links:
            return ""
        reach = "" if self.reach in (EVERYTHING, EXISTING) else f" --config reach={self.reach}"
        return f"snakemake --force{reach} -- {' '.join(dict.fromkeys(k.path for k in links))}"

    def link(self, path: str, checksum: str) -> Link:
        """The record of a run or of an analysis, and the checksum that was recorded of it."""
        return Link(path, checksum, self._read(self.here(path), read_record))

    def provenance(self, path: Path) -> Provenance:
        """The provenance of an exhibit, from its file below the root."""
        return self._read(path, read_provenance)

    def judgements(self, paper: str) -> Judgements | None:
        """The judgements of functions on a paper's statements; None if there are none."""
        path = checks_file(self.scale, paper, self.root)
        asked = load_paper(paper).looked_into and path.exists()
        return self._read(path, read_judgements) if asked else None

    def _numbers(self, row: Row, place: str, column: str) -> tuple[Number, ...]:
        if not row.provenance:
            return ()
        cells = self._placed(row.provenance).get((place, column), [])
        cells = sorted(cells, key=lambda cell: cell.protocol != row.protocol)
        return tuple(
            Number(
                cell.protocol,
                tuple(cell.values),
                cell.mean,
                cell.standard_error,
                cell.n,
                cell.how,
                self._links(cell),
            )
            for cell in cells
        )

    def _of_statement(self, row: Row, paper: str, name: str) -> tuple[Link, ...]:
        statement = load_paper(paper).claims.get(name)
        check = None if statement is None else statement.check
        if not row.provenance or check is None:
            return ()
        if check.function is not None or check.judge is not None:
            return self._checked(row, paper, name, check)
        rows, columns = compared(load_paper(paper).trained[str(check.exhibit)], check)
        links = [
            link
            for cell in self._cells(row.provenance)
            if cell.row in rows and cell.column in columns and cell.protocol == row.protocol
            for link in self._links(cell)
        ]
        return tuple({link.path: link for link in links}.values())

    def _checked(self, row: Row, paper: str, name: str, check: Check) -> tuple[Link, ...]:
        """The judgement of a function, and the analysis it was judged from."""
        path = self.here(row.provenance)
        judged = self._read(path, read_judgements).record(name)
        links = (Link(row.provenance, self._sum(path), judged),)
        if check.judge is None:
            return links
        analysed = analysis_folder(self.scale, paper, str(check.exhibit)) / RECORD
        here = self.here(analysed.as_posix())
        if not here.exists():  # the scale does not run what the statement speaks of
            return links
        return (*links, self.link(analysed.as_posix(), self._sum(here)))

    def _cells(self, provenance: str) -> list[ShownCell]:
        return self.provenance(self.here(provenance)).cells

    def _placed(self, provenance: str) -> Placed:
        if provenance not in self._by_place:
            self._by_place[provenance] = by_place(self._cells(provenance))
        return self._by_place[provenance]

    def _links(self, cell: ShownCell) -> tuple[Link, ...]:
        return tuple(self.link(kept.record, kept.sha256) for kept in cell.records)

    def here(self, path: str) -> Path:
        """The place where a file that was recorded below results/ is read."""
        if path not in self._places:
            self._places[path] = self.root / Path(path).relative_to(RESULTS)
        return self._places[path]

    def _sum(self, path: Path) -> str:
        """The checksum of a file, on which many claims may rest."""
        if path not in self._sums:
            self._sums[path] = whole_sum(path)
        return self._sums[path]

    @cached_property
    def _places(self) -> dict[str, Path]:
        return {}

    @cached_property
    def _by_place(self) -> dict[str, Placed]:
        return {}

    @cached_property
    def _sums(self) -> dict[Path, str]:
        return {}

    @cached_property
    def _contents(self) -> dict[Path, object]:
        return {}

    def _read(self, path: Path, reader: Callable[[Path], Content]) -> Content:
        """The checked content of a file that the audit rests on.

        Raises:
            ValueError: The file is missing, or not as it was left.
        """
        if path not in self._contents:
            if not path.exists():
                raise ValueError(
                    f"{path} is missing, though the audit of {self.scale} rests on it; "
                    f"accepted: all files that were published or made. Bring it back, "
                    f"or make it again with: snakemake {audit_file(self.scale, 'html')}"
                )
            self._contents[path] = reader(path)
        return self._contents[path]  # type: ignore[return-value]  # each file has one reader


def _rows(lines: Iterator[list[str]]) -> Iterator[Row]:
    """The lines of ``audit.csv``; columns that an older audit did not have are empty."""
    head = next(lines, [])
    width = len(head)
    places = [head.index(name) if name in head else width for name in COLUMNS]
    for line in filter(None, lines):
        given = [*line[:width], *([""] * (width - len(line))), ""]
        yield Row(*[given[place] for place in places])


def _protocol(paper: str, name: str) -> str:
    """What a protocol means, if the paper explains it."""
    known = load_paper(paper).protocols.get(name)
    return "" if known is None else known.says
