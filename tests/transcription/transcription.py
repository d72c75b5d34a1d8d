"""A second transcription of every printed table: parsed from the documents' text, not typed.

The first one is typed into ``config/papers``. Where the text of the documents is at hand, claim
by claim is compared; elsewhere the digest of what was parsed, exhibit by exhibit. After a change
of a description in ``tests/documents/{paper}/printed.py``: ``python
tests/transcription/transcription.py`` writes its digest anew.
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from reactivate.experiment.experiment import forget
from reactivate.experiment.loading import load_paper

ROOT = Path(__file__).parents[2]
TEXTS = ROOT.parent / "shared" / "papers"
DOCUMENTS = ROOT / "tests" / "documents"  # by key: printed.py, and printed.json, its digest
NUMBER = re.compile(r"-?\d+(\.\d+)?(±\d+(\.\d+)?)?[MG]?|\d+/\d+|[✓×–]")
MARKUP = re.compile(r"</?i>|[$\s]|\\mathbf|[{}]")
SIGNS = {"\\pm": "±", "\\checkmark": "✓", "\\setminus": ""}

Claims = dict[str, str]  # claim -> printed


def keep(row: str, column: str) -> tuple[str, str]:
    """The place of a number in most tables: its line's row and its field's column."""
    return row, column


@dataclass(frozen=True)
class Table:
    """Where the numbers of a table are in the text of a document, and what each of them is.

    Attributes:
        exhibit: ``paper/exhibit``.
        caption: How the line of its caption begins; no other line begins so.
        head: How the line above the first one of ``lines`` begins.
        columns: What the fields after the label are.
        lines: For each line its label, to be sure of the place, and its row (None: no claims);
            ``other_exhibit/row`` for rows that are claims of another exhibit.
        captioned: Whether the table comes below its caption or above it.
        labels: How many fields are the label.
        place: Row and column of a claim, from those of the text.
        misread: What the extraction made of a sign, and the sign.
    """

    exhibit: str
    caption: str
    head: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, str | None], ...]
    captioned: str = "above"
    labels: int = 1
    place: Callable[[str, str], tuple[str, str]] = keep
    misread: dict[str, str] = field(default_factory=dict)

    def parse(self, text: str) -> Iterator[tuple[str, str]]:
        """Every claim of the table and its printed number."""
        for line, (label, row) in zip(self._found(text), self.lines, strict=True):
            fields = [part.strip() for part in line.split("\t")]
            found = " ".join(filter(None, fields[: self.labels]))
            if found != label:
                raise ValueError(f"{self.exhibit}: {found!r} stands where {label!r} should")
            if row is not None:
                yield from self._claims(row, fields[self.labels :], line)

    def _found(self, text: str) -> list[str]:
        lines = text.splitlines()
        (caption,) = [i for i, line in enumerate(lines) if line.startswith(self.caption)]
        heads = [i for i, line in enumerate(lines) if line.startswith(self.head)]
        if self.captioned == "above":
            head = min(i for i in heads if i > caption)
        else:
            head = max(i for i in heads if i < caption)
        return lines[head + 1 : head + 1 + len(self.lines)]

    def _claims(self, row: str, fields: list[str], line: str) -> Iterator[tuple[str, str]]:
        numbers = [self._clean(part) for part in fields]
        if any(numbers[len(self.columns) :]):
            raise ValueError(f"{self.exhibit}: {line!r} has more numbers than columns")
        for column, number in zip(self.columns, numbers, strict=False):
            if number and not NUMBER.fullmatch(number):
                raise ValueError(f"{self.exhibit}: {number!r} in {line!r} is no number")
            if number:
                where, name = self.place(row, column)
                paper, _, exhibit = self.exhibit.partition("/")
                inside = where if "/" in where else f"{exhibit}/{where}"
                yield f"{paper}/{inside}/{name}", number

    def _clean(self, part: str) -> str:
        for written, sign in SIGNS.items():
            part = part.replace(written, sign)
        part = MARKUP.sub("", part)
        return self.misread.get(part, part)


@dataclass(frozen=True)
class Fraction:
    """A number of a formula: numerator and denominator by a pattern that matches once."""

    claim: str
    pattern: str

    def parse(self, text: str) -> Iterator[tuple[str, str]]:
        """The claim and its printed fraction."""
        ((numerator, denominator),) = re.findall(self.pattern, text)
        yield self.claim, f"{numerator}/{denominator}"


@dataclass(frozen=True)
class Document:
    """A document whose tables are described: see the printed.py of its folder."""

    key: str

    @property
    def digest(self) -> Path:
        """The file with the digests of what was parsed."""
        return DOCUMENTS / self.key / "printed.json"

    @property
    def known(self) -> dict[str, str]:
        """The digests of what was parsed, by exhibit."""
        return dict(json.loads(self.digest.read_text(encoding="utf-8")))

    @cached_property
    def _described(self) -> ModuleType:
        path = DOCUMENTS / self.key / "printed.py"
        spec = spec_from_file_location(f"printed_{self.key}", path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    @property
    def lost(self) -> dict[str, str]:
        """Claims whose number the extraction lost, and why."""
        return getattr(self._described, "LOST", {})

    def text(self, texts: Path = TEXTS) -> str:
        """The extracted text."""
        (path,) = texts.glob(f"{self._described.TEXT}.txt")
        return path.read_text(encoding="utf-8")

    def parsed(self, texts: Path = TEXTS) -> Claims:
        """The second transcription of all its tables."""
        found: Claims = {}
        text = self.text(texts)
        tables = self._described.TABLES
        for claim, number in (pair for table in tables for pair in table.parse(text)):
            if claim in found:
                raise ValueError(f"{claim} is parsed twice")
            found[claim] = number
        return found


def documents() -> list[Document]:
    """All that are described."""
    return [Document(path.parent.name) for path in sorted(DOCUMENTS.glob("*/printed.py"))]


def typed(paper: str, project: Path = ROOT) -> Claims:
    """The first transcription: what is typed into the configuration."""
    forget()
    with chdir(project):
        tables = load_paper(paper).tables
    forget()
    return {
        f"{paper}/{name}/{row}/{column}": number
        for name, table in tables.items()
        for row, numbers in table.printed.items()
        for column, number in zip(table.column_names, numbers, strict=True)
        if number
    }


def differences(first: Claims, second: Claims, lost: dict[str, str]) -> list[str]:
    """Claims in which the two transcriptions differ, with what each has.

    Args:
        first: What is typed.
        second: What is parsed.
        lost: Claims whose number is not in the text, and why.
    """
    expected = {claim: number for claim, number in first.items() if claim not in lost}
    wrong = [
        f"{claim}: typed {expected.get(claim, 'nothing')}, "
        f"the text has {second.get(claim, 'nothing')}"
        for claim in sorted({*expected, *second})
        if expected.get(claim) != second.get(claim)
    ]
    return wrong + [f"{claim}: lost, but no claim" for claim in lost if claim not in first]


def digests(claims: Claims, lost: dict[str, str]) -> dict[str, str]:
    """A digest of each exhibit: of its claims and their printed numbers, but for lost ones."""
    lines: dict[str, list[str]] = {}
    for claim, number in sorted(claims.items()):
        if claim not in lost:
            lines.setdefault(claim.rsplit("/", 2)[0], []).append(f"{claim}\t{number}\n")
    return {
        exhibit: hashlib.sha256("".join(found).encode()).hexdigest()
        for exhibit, found in sorted(lines.items())
    }


def exhibits_that_differ(claims: Claims, known: dict[str, str], lost: dict[str, str]) -> list[str]:
    """Exhibits whose typed numbers are not those that were parsed once."""
    found = digests(claims, lost)
    return sorted(name for name in {*found, *known} if found.get(name) != known.get(name))


if __name__ == "__main__":
    sys.modules["transcription"] = sys.modules["__main__"]  # what the descriptions import
    for document in documents():
        written = json.dumps(digests(document.parsed(), {}), indent=1)
        document.digest.write_text(written + "\n", encoding="utf-8")
