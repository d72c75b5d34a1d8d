"""Tables for people: their lines, the best number bold, verdicts; and Markdown."""

from collections.abc import Iterable
from dataclasses import dataclass

from reactivate.evidence.tables import ABSENT, COMPUTED, SOURCE, UNTOLD, Layout, Told, Where
from reactivate.experiment.labels import label
from reactivate.experiment.printed import NEVER, Printed
from reactivate.judging.verdicts import Ruling, Verdict

PRINTED = "printed"
BOLD = "Bold: the best mean among numbers of one source and one kind; errors are not considered."
# sign in Markdown, letter in LaTeX, and what both mean
MARKS = {
    Ruling.CONFIRMED: ("✓", "c", "confirmed"),
    Ruling.REPRODUCED: ("✓", "r", "reproduced"),
    Ruling.DIFFERS: ("✗", "d", "differs"),
    Ruling.REFUTED: ("✗", "f", "refuted"),
    Ruling.MISPRINT: ("✎", "m", "a misprint"),
    Ruling.UNDECIDED: ("?", "u", "undecided"),
    Ruling.DEPENDS: ("≈", "e", "depends on the reading"),
    Ruling.NOT_COMPARABLE: ("○", "n", "not comparable"),
    Ruling.NOT_RUN: ("·", "o", "not run"),
}


@dataclass(frozen=True)
class Shown:
    """A number in a table for people: its text, whether it is the best, and the verdict on it."""

    text: str
    is_best: bool = False
    verdict: Ruling | None = None


@dataclass(frozen=True)
class Line:
    """A line of a table for people: the row it belongs to, whose numbers, and the numbers."""

    row: str  # empty below the first line of a row
    source: str
    cells: list[Shown]


def lines_of(layout: Layout, told: dict[Where, Told]) -> list[Line]:
    """The lines of a table: under each printed one ours per protocol that has a number there."""
    best = {source: _best(layout, told, source) for source in (PRINTED, *layout.protocols)}
    lines = []
    for row in layout.rows:
        printed = [
            Shown(
                layout.exhibit.printed_at(row, column),
                (row, column) in best[PRINTED],
                _ruling(told.get((row, column), UNTOLD)),
            )
            for column in layout.columns
        ]
        lines.append(Line(label(row), PRINTED, printed))
        for protocol in layout.protocols:
            if any((row, column, protocol) in layout.entries for column in layout.columns):
                ours = [_ours(layout, row, column, protocol, best) for column in layout.columns]
                source = label(protocol) if protocol == COMPUTED else f"ours, {label(protocol)}"
                lines.append(Line("", source, ours))
    return lines


def _ours(
    layout: Layout, row: str, column: str, protocol: str, best: dict[str, set[Where]]
) -> Shown:
    entry = layout.entries.get((row, column, protocol))
    if entry is None:
        return Shown(ABSENT)
    text = str(entry.measured)
    if protocol == COMPUTED:
        text = Printed.parse(layout.exhibit.printed_at(row, column)).show(entry.measured.mean)
    return Shown(text, (row, column) in best[protocol])


def _ruling(told: Told) -> Ruling | None:
    return Verdict.parse(told.verdict).ruling if told.verdict else None


def _best(layout: Layout, told: dict[Where, Told], source: str) -> set[Where]:
    """Places of the best numbers of a source among those that compete; none where all are equal.

    Rows compete in a column where several measure the same on the same data; where nowhere in
    the table they do, columns compete in a row.
    """
    numbers = {
        (row, column): value
        for row in layout.rows
        for column in layout.columns
        if (value := _value(layout, row, column, source)) is not None
        and told.get((row, column), UNTOLD).better
    }
    by_column = _rivals(numbers, told, axis=1)
    rivals = [group for group in by_column if len(group) > 1]
    if not rivals:
        rivals = [group for group in _rivals(numbers, told, axis=0) if len(group) > 1]
    best = set[Where]()
    for group in rivals:
        choose = min if told[group[0]].better == "lower" else max
        most = choose(numbers[place] for place in group)
        first = {place for place in group if numbers[place] == most}
        best |= first if len(first) < len(group) else set()
    return best


def _rivals(numbers: Iterable[Where], told: dict[Where, Told], axis: int) -> list[list[Where]]:
    """Places by column (axis 1) or row (axis 0), and by what they measure on which data."""
    groups: dict[tuple[str, str, str], list[Where]] = {}
    for place in numbers:
        known = told[place]
        groups.setdefault((place[axis], known.metric, known.data), []).append(place)
    return list(groups.values())


def _value(layout: Layout, row: str, column: str, source: str) -> float | None:
    """A number that can be compared, printed or ours."""
    if source == PRINTED:
        printed = layout.exhibit.printed_at(row, column)
        is_number = layout.exhibit.is_printed(row, column) and printed != NEVER
        return Printed.parse(printed).value if is_number else None
    entry = layout.entries.get((row, column, source))
    if entry is None or not abs(entry.measured.mean) < float("inf"):
        return None
    return entry.measured.mean


def legend(lines: list[Line]) -> list[Ruling]:
    """The verdicts that a table shows, in the order of :data:`MARKS`."""
    met = {cell.verdict for line in lines for cell in line.cells}
    return [ruling for ruling in MARKS if ruling in met]


def markdown(layout: Layout, told: dict[Where, Told], text: str) -> str:
    """A Markdown table with its caption, and what its marks mean."""
    lines = lines_of(layout, told)
    head = [label(layout.exhibit.row_axis), SOURCE, *map(label, layout.columns)]
    rows = [[line.row, line.source, *map(_in_markdown, line.cells)] for line in lines]
    table = [head, ["---"] * len(head), *rows]
    return "\n".join(
        [
            text,
            "",
            *("| " + " | ".join(line) + " |" for line in table),
            "",
            " ".join([bold_note(lines), _marks_note(legend(lines), 0)]).strip(),
            "",
        ]
    )


def _in_markdown(cell: Shown) -> str:
    text = f"**{cell.text}**" if cell.is_best else cell.text
    return text if cell.verdict is None else f"{text} {MARKS[cell.verdict][0]}"


def bold_note(lines: list[Line]) -> str:
    """A sentence on what bold means, where a table has bold numbers."""
    some = any(cell.is_best for line in lines for cell in line.cells)
    return BOLD if some else ""


def _marks_note(shown: list[Ruling], which: int) -> str:
    """What the marks mean; verdicts with the same sign share it."""
    meanings: dict[str, list[str]] = {}
    for ruling in shown:
        meanings.setdefault(MARKS[ruling][which], []).append(MARKS[ruling][2])
    said = "; ".join(f"{sign} {' or '.join(words)}" for sign, words in meanings.items())
    return f"Verdict on the printed number: {said}." if said else ""
