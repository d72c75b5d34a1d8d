"""The block of README.md on tables that were read in several ways, generated from published/."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from reactivate.auditing.chain import Ledger
from reactivate.auditing.comparisons import readings_of
from reactivate.auditing.rows import BETWEEN_PARTS, Row
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.paper import Paper
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.judging.verdicts import Ruling, Verdict

LEGEND = (
    "A row that is named is reproduced in this column under this reading; with *not* it differs; "
    "in brackets it is one or the other, as the printed ± is a deviation or a standard error. Of "
    "the others it cannot be told."
)
SELECTED = "*only by selection on the test split*"
LEGEND_OF_SELECTED = (
    "The last line names what a reading that selects on the test split reproduces and every other "
    "reading was run for and differs from: of these numbers alone it can be said that they fit "
    "such a selection."
)
TOLD = {Ruling.REPRODUCED: "{}", Ruling.DEPENDS: "({})", Ruling.DIFFERS: "not {}"}
MARKS = {"on_test_split": "selects on the test split", "afterwards": "added afterwards"}

Verdicts = dict[tuple[str, str], dict[str, Verdict]]  # row and column -> reading -> its verdict


def readings_block(root: Path = PUBLISHED) -> str:
    """Tables with several readings at the printed scale: which of them gives which number."""
    if not audit_file(PRINTED_SCALE, "csv", root).exists():
        return ""
    rows = Ledger(PRINTED_SCALE, root).rows
    papers = [load_paper(name) for name in paper_names()]
    tables = [
        line for paper in papers for name in paper.trained for line in _table(paper, name, rows)
    ]
    return "\n".join([LEGEND, *tables]) if tables else ""


def verdicts_of(paper: Paper, name: str, rows: Mapping[str, Row]) -> Verdicts:
    """The verdict on every printed number of a table under each of its readings."""
    form = paper.trained[name]
    places = [(row, column) for row in form.row_names for column in form.column_names]
    claims = {place: rows.get("/".join((paper.paper, name, *place))) for place in places}
    known = readings_of(paper, form.protocols)
    return {place: _by_reading(row, known) for place, row in claims.items() if row is not None}


def _by_reading(row: Row, known: list[str]) -> dict[str, Verdict]:
    """Verdicts that the audit keeps beside the one over all readings, if there were several."""
    parts = [part.split(": ", 2) for part in row.parts.split(BETWEEN_PARTS) if part]
    return {name: Verdict.parse(said) for name, said, _ in parts if name in known}


def _table(paper: Paper, name: str, rows: Mapping[str, Row]) -> Iterator[str]:
    form, verdicts = paper.trained[name], verdicts_of(paper, name, rows)
    read = {reading for found in verdicts.values() for reading in found}
    if len(read) < 2:
        return
    yield ""
    yield f"**{form.locator}** of `{paper.paper}`. {form.title}"
    yield ""
    yield f"| reading | {' | '.join(form.column_names)} | reproduced |"
    yield f"| --- |{' --- |' * (len(form.column_names) + 1)}"
    for reading in (protocol for protocol in form.protocols if protocol in read):
        cells = [_cell(form, column, reading, verdicts) for column in form.column_names]
        given = [found[reading].ruling for found in verdicts.values() if reading in found]
        count = f"{given.count(Ruling.REPRODUCED)} of {len(given)}"
        yield f"| {' | '.join([_named(paper, reading), *cells, count])} |"
    selecting = {reading for reading in read if paper.protocols[reading].on_test_split}
    if selecting:
        yield from _selected(form, verdicts, selecting)


def _selected(form: Trained, verdicts: Verdicts, selecting: set[str]) -> Iterator[str]:
    """The line of the numbers that only readings with a selection on the test split give."""
    others = set(form.protocols) - selecting
    found = [place for place, given in verdicts.items() if _only(given, selecting, others)]
    cells = [
        ", ".join(row for row in form.row_names if (row, column) in found)
        for column in form.column_names
    ]
    yield f"| {' | '.join([SELECTED, *cells, f'{len(found)} of {len(verdicts)}'])} |"
    yield ""
    yield LEGEND_OF_SELECTED


def _only(given: dict[str, Verdict], selecting: set[str], others: set[str]) -> bool:
    """Whether a reading that selects gives a number, and each of the others another one."""
    gives = [given[name].ruling for name in selecting & given.keys()]
    differ = {name for name in others & given.keys() if given[name].ruling is Ruling.DIFFERS}
    return Ruling.REPRODUCED in gives and differ == others


def _named(paper: Paper, reading: str) -> str:
    protocol = paper.protocols[reading]
    marks = [words for mark, words in MARKS.items() if getattr(protocol, mark)]
    return f"`{reading}`{''.join(f', {words}' for words in marks)}"


def _cell(form: Trained, column: str, reading: str, verdicts: Verdicts) -> str:
    """The rows of a column that a reading reproduces or not, without those that are open."""
    found = {row: verdicts.get((row, column), {}).get(reading) for row in form.row_names}
    told = [
        TOLD[verdict.ruling].format(row)
        for row, verdict in found.items()
        if verdict is not None and verdict.ruling in TOLD
    ]
    return ", ".join(told)
