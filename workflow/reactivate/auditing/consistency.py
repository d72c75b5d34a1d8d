"""Consistency of an audit: it says what its tables say, and of every claim exactly once."""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from reactivate.auditing.assurances import here
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.findings import Finding
from reactivate.auditing.judged_tables import told_of
from reactivate.auditing.rows import Row, judged_fields
from reactivate.evidence import tables
from reactivate.evidence.judgements import Judgements
from reactivate.evidence.provenance import Provenance
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.paths import RESULTS, audit_file
from reactivate.foundation.files import read_json

Line = dict[str, str]
JUDGED_FIELDS = ("verdict", "reason", "effect", "low", "high", "n", "cases", "parts")


@dataclass
class Comparison:
    """The audit of a scale beside what it was made from."""

    scale: str
    root: Path
    contents: dict[Path, Provenance | Judgements]  # of files that are sound
    doubtful: set[Path]  # files that are not what was recorded
    differing: dict[Path, list[str]] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """All disagreements of the audit with its sources; none if there is no audit."""
        path = audit_file(self.scale, "csv", self.root)
        if not path.exists() or path in self.doubtful:
            return
        with path.open(newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        try:
            self._compare(path, lines)
        except KeyError as error:
            yield Finding("tampered", path, f"it has no column {error}")
            return
        twice = [claim for claim, n in Counter(line["claim"] for line in lines).items() if n > 1]
        if twice:
            yield Finding("tampered", path, f"{twice[0]} is there twice")
        for accused, said in self.differing.items():
            more = f", and {len(said) - 1} more claims" if len(said) > 1 else ""
            yield self._accuse(path, accused, f"{said[0]}{more}")
        counts = path.with_suffix(".verdicts.json")
        sound = not (twice or self.differing or counts in self.doubtful)
        if sound and counts.exists() and _object(counts) != _counted(lines):
            yield Finding("tampered", counts, f"its counts are not those of {path.name}")
        yield from self._against_configuration(path, {line["claim"]: line for line in lines})

    def _compare(self, path: Path, lines: list[Line]) -> None:
        page = path.with_suffix(".json")
        told = _claims(page) if page.exists() and page not in self.doubtful else None
        if told == {}:
            self.differing[page] = ["it holds no claims"]
            told = None
        for line in lines:
            source, facts = self._facts(line)
            other = line if told is None else told.get(line["claim"], {})
            for name in line.keys() & other.keys() or ["claim"]:
                if line[name] != other.get(name):
                    lies = page if facts.get(name) == line[name] else path
                    self._note(lies, line["claim"], name, line[name], other.get(name, "nothing"))
            if line == other or told is None:
                for name, fact in facts.items():
                    if line[name] != fact:
                        self._note(source, line["claim"], name, fact, line[name])
        missing = (told or {}).keys() - {line["claim"] for line in lines}
        for claim in sorted(missing):
            self.differing.setdefault(path, []).append(f"{claim} is only in {page.name}")

    def _note(self, accused: Path, claim: str, name: str, one: str, other: str) -> None:
        said = f"{claim} has {name} {one!r} in one and {other!r} in another of its files"
        self.differing.setdefault(accused, []).append(said)

    def _facts(self, line: Line) -> tuple[Path, Line]:
        """The file that a line was made from, and the facts that it tells of the claim."""
        source = here(line["provenance"], self.root)
        content = self.contents.get(source)
        if content is None:
            return source, {}
        _, _, *place = line["claim"].split("/")
        if isinstance(content, Judgements):
            judged = content.claims.get(place[0])
            if judged is None:
                return source, {}
            told = judged_fields(judged.reached)
            return source, {name: told[name] for name in JUDGED_FIELDS}
        for cell in content.cells:
            if cell.place == (*place, line["protocol"]):
                error = cell.standard_error
                return source, {
                    "ours": repr(cell.mean),
                    "spread": "" if error is None else repr(error),
                    "printed": cell.printed,
                }
        return source, {}

    def _accuse(self, path: Path, accused: Path, said: str) -> Finding:
        """The finding against the audit or a table; a table that is as written is believed."""
        if accused.parent == path.parent:
            return Finding("tampered", accused, said)
        content = self.contents[accused]
        if isinstance(content, Judgements):
            sound = self.root == RESULTS
        else:
            sound = gives_its_table(content)
        if sound and self.root == RESULTS:
            return Finding("stale", path, f"older than {accused}: {said}")
        return Finding("tampered", path if sound else accused, said)

    def _against_configuration(self, path: Path, lines: dict[str, Line]) -> Iterator[Finding]:
        expected = configured_claims()
        lacking = [claim for claim in expected if claim not in lines]
        gone = [claim for claim in lines if claim not in expected]
        changed = [c for c in lines if c in expected and lines[c]["printed"] != expected[c]]
        for claims, said in (
            (lacking, f"it lacks {{}} of {len(expected)} claims of config/papers"),
            (gone, "{} of its claims are no longer in config/papers"),
            (changed, "{} of its claims are printed otherwise in config/papers"),
        ):
            if claims:
                yield Finding("stale", path, f"{said.format(len(claims))}, e.g. {claims[0]}")


def _counted(lines: list[Line]) -> dict[str, dict[str, int]]:
    """Counts of the verdicts of an audit; none if one of them is no verdict."""
    try:
        return verdict_counts((line["claim"], line["verdict"]) for line in lines)
    except ValueError:
        return {}


def configured_claims() -> dict[str, str]:
    """Every claim of all documents, and what is printed."""
    claims = {}
    for name in paper_names():
        paper = load_paper(name)
        for key, exhibit in paper.tables.items():
            for row in exhibit.row_names:
                for column in exhibit.column_names:
                    if exhibit.is_printed(row, column):
                        printed = exhibit.printed_at(row, column)
                        claims[f"{name}/{key}/{row}/{column}"] = printed
        claims |= {f"{name}/claims/{key}": claim.says for key, claim in paper.claims.items()}
    return claims


def table_sum(content: Provenance) -> str | None:
    """The checksum of the csv that the numbers of an exhibit's provenance give.

    None for a figure, whose numbers are in its csv alone; empty if the numbers deny each other.
    """
    paper = load_paper(content.paper)
    exhibit = paper.exhibits.get(content.exhibit)
    if not isinstance(exhibit, Grid):
        return None
    entries = []
    for cell in content.cells:
        entry = tables.Entry(*cell.place, cell.values, cell.how, cell.dataset)
        if (repr(entry.measured.mean), entry.measured.n) != (repr(cell.mean), cell.n):
            return ""
        entries.append(entry)
    told = told_of(paper, exhibit, content.verdicts)
    text: str = tables.Layout(exhibit, entries).tidy(told).to_csv(index=False)
    return sha256(text.encode()).hexdigest()


def gives_its_table(content: Provenance) -> bool:
    """Whether the numbers of a table's provenance are those in the table that it vouches for."""
    return table_sum(content) in (None, content.files.get("csv"))


def _object(path: Path) -> dict[str, Any]:
    """The object in a JSON file; an empty one if the file was damaged."""
    try:
        return read_json(path)
    except ValueError:
        return {}


def _claims(page: Path) -> dict[str, Line]:
    """The claims of an ``audit.json``, with what is empty and left out there."""
    lines = _object(page).get("claims", [])
    empty = dict.fromkeys((column.name for column in fields(Row)), "")
    return {
        line["claim"]: empty | {key: str(value) for key, value in line.items()} for line in lines
    }
