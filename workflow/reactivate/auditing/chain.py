"""From a claim back to what it rests on: numbers, records, data, code, commit, command, time."""

import csv
import json
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from reactivate.auditing.orders import compared
from reactivate.auditing.rows import Row
from reactivate.evidence.records import RECORD
from reactivate.experiment.experiment import EVERYTHING
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paths import RESULTS, analysis_folder, audit_file
from reactivate.experiment.statements import Check
from reactivate.foundation.files import sha256


@dataclass(frozen=True)
class Record:
    """What a run, an analysis or a check of a statement says of itself."""

    path: str  # of its file, below results/ wherever it was read
    sha256: str  # as recorded by what was made from it
    made_by: str  # a stage, or a function
    seeds: tuple[int, ...]
    seconds: float
    code: str  # digest of the code that made it
    commit: str | None
    dirty: bool | None  # whether tracked files differed from the commit
    dataset: str | None
    dataset_sha256: str | None
    python: str
    packages: dict[str, str]
    machine: dict[str, Any]
    warnings: tuple[str, ...]
    read: tuple[tuple[str, str], ...]  # files that it was made from, and their sha256


@dataclass(frozen=True)
class Number:
    """Our number for a claim under one protocol."""

    protocol: str
    values: tuple[float | str, ...]  # one per seed; "inf" and "nan" are texts in JSON
    mean: float | str
    standard_error: float | None
    n: int
    how: str  # it was computed, where nothing was trained
    records: tuple[Record, ...]


@dataclass(frozen=True)
class Chain:
    """A claim and everything its verdict rests on; nothing, if it was not run."""

    row: Row
    protocol: str  # what the protocol of the row means
    numbers: tuple[Number, ...]  # the judged protocol first; none for a statement in words
    records: tuple[Record, ...]  # that the verdict was judged from
    command: str  # makes those records again; empty if there are none
    seconds: float  # that making them took


def chain(scale: str, claim: str, root: Path = RESULTS) -> Chain:
    """Everything that a claim rests on at a scale.

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
    """The audit of a scale and the files behind it, each read once."""

    scale: str
    root: Path = RESULTS

    @cached_property
    def rows(self) -> dict[str, Row]:
        """All claims with their verdicts."""
        path = audit_file(self.scale, "csv", self.root)
        if not path.exists():
            made = audit_file(self.scale, "csv")
            raise ValueError(f"{path} does not exist; make it with: snakemake {made}")
        with path.open(newline="", encoding="utf-8") as file:
            return {line["claim"]: _row(line) for line in csv.DictReader(file)}

    @cached_property
    def reach(self) -> str:
        """What the machine of this audit could run of the scale."""
        path = audit_file(self.scale, "json", self.root)
        return str(self.read(path).get("reach", EVERYTHING)) if path.exists() else EVERYTHING

    def chain(self, claim: str) -> Chain:
        """Everything that one claim rests on."""
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
            load_paper(paper).protocols.get(row.protocol, ""),
            numbers,
            records,
            self.command(records),
            sum(record.seconds for record in records),
        )

    def _unknown(self, claim: str) -> ValueError:
        """Names the claims of the same exhibit, or where there is none, the exhibits."""
        exhibit = "/".join(claim.split("/")[:2])
        known = [name for name in self.rows if name.startswith(f"{exhibit}/")]
        exhibits = dict.fromkeys("/".join([*name.split("/")[:2], "..."]) for name in self.rows)
        close = get_close_matches(claim, self.rows)
        meant = f"did you mean {', '.join(close)}? " if close else ""
        return ValueError(
            f"unknown claim {claim!r}; {meant}accepted: {', '.join(known or exhibits)}. "
            f"All are in {audit_file(self.scale, 'csv', self.root)}"
        )

    def command(self, records: tuple[Record, ...]) -> str:
        """What makes records again, though they are there."""
        if not records:
            return ""
        reach = "" if self.reach == EVERYTHING else f" --config reach={self.reach}"
        return f"snakemake --force{reach} -- {' '.join(dict.fromkeys(r.path for r in records))}"

    def record(self, path: str, checksum: str) -> Record:
        """The record of a run or of an analysis."""
        found = self.read(self._here(path))
        trained = found.get("settings", {}).get("recipe", {}).get("stage")
        made_by = found.get("function") or found.get("stage") or trained or ""
        return _record(path, checksum, made_by, found, found)

    def _numbers(self, row: Row, place: str, column: str) -> tuple[Number, ...]:
        if not row.provenance:
            return ()
        here = (place, column)
        cells = [c for c in self._cells(row.provenance) if (c["row"], c["column"]) == here]
        cells.sort(key=lambda cell: bool(cell["protocol"] != row.protocol))
        return tuple(
            Number(
                cell["protocol"],
                tuple(cell["values"]),
                cell["mean"],
                cell["standard_error"],
                cell["n"],
                cell["how"],
                self._records(cell),
            )
            for cell in cells
        )

    def _of_statement(self, row: Row, paper: str, name: str) -> tuple[Record, ...]:
        if not row.provenance:
            return ()
        statement = load_paper(paper).claims.get(name)
        check = None if statement is None else statement.check
        if check is None or check.function is not None or check.judge is not None:
            return self._checked(row, paper, name, check)
        rows, columns = compared(load_paper(paper).trained[str(check.exhibit)], check)
        records = [
            record
            for cell in self._cells(row.provenance)
            if cell["row"] in rows
            and cell["column"] in columns
            and cell["protocol"] == row.protocol
            for record in self._records(cell)
        ]
        return tuple({record.path: record for record in records}.values())

    def _checked(self, row: Row, paper: str, name: str, check: Check | None) -> tuple[Record, ...]:
        """The judgement of a function, and the analysis it was judged from."""
        path = self._here(row.provenance)
        found = self.read(path)
        judged = found["claims"][name]
        records = (_record(row.provenance, sha256(path), judged["function"], judged, found),)
        if check is None or check.judge is None:
            return records
        analysed = analysis_folder(self.scale, paper, str(check.exhibit)) / RECORD
        here = self._here(analysed.as_posix())
        if not here.exists():  # the scale does not run what the statement speaks of
            return records
        return (*records, self.record(analysed.as_posix(), sha256(here)))

    def _cells(self, provenance: str) -> list[dict[str, Any]]:
        cells: list[dict[str, Any]] = self.read(self._here(provenance))["cells"]
        return cells

    def _records(self, cell: dict[str, Any]) -> tuple[Record, ...]:
        return tuple(self.record(r["record"], r["sha256"]) for r in cell["records"])

    def _here(self, path: str) -> Path:
        """Where a file that was recorded below results/ is read."""
        return self.root / Path(path).relative_to(RESULTS)

    @cached_property
    def _files(self) -> dict[Path, dict[str, Any]]:
        return {}

    def read(self, path: Path) -> dict[str, Any]:
        """What a JSON file holds.

        Raises:
            ValueError: The file is missing.
        """
        if path not in self._files:
            if not path.exists():
                raise ValueError(
                    f"{path} is missing, though the audit of {self.scale} rests on it; "
                    f"accepted: all files that were published or made. Bring it back, "
                    f"or make it again with: snakemake {audit_file(self.scale, 'html')}"
                )
            self._files[path] = json.loads(path.read_text(encoding="utf-8"))
        return self._files[path]


def _record(
    path: str, checksum: str, made_by: str, made: dict[str, Any], where: dict[str, Any]
) -> Record:
    """What was made, and the commit, packages and machine it was made with."""
    data = made.get("dataset") or {}
    return Record(
        path=path,
        sha256=checksum,
        made_by=made_by,
        seeds=tuple(made.get("seeds", [])),
        seconds=float(made["seconds"]),
        code=made["code"],
        commit=where["git"]["commit"],
        dirty=where["git"]["dirty"],
        dataset=data.get("name"),
        dataset_sha256=data.get("sha256"),
        python=where["python"],
        packages=where["packages"],
        machine=where["machine"],
        warnings=tuple(made["warnings"]),
        read=tuple((r["file"], r["sha256"]) for r in made.get("read", [])),
    )


def _row(line: dict[str, str]) -> Row:
    """A line of ``audit.csv``; columns that an older audit did not have are empty."""
    known = {field.name: line.get(field.name, "") for field in fields(Row)}
    return Row(**{**known, "n": int(line["n"])})  # type: ignore[arg-type]
