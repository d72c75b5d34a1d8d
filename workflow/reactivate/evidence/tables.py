"""An exhibit's numbers: ours beside the printed ones, a line each, and the caption of them."""

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from reactivate.evidence.measured import Measured
from reactivate.experiment.exhibits import Grid, Trained
from reactivate.experiment.labels import label
from reactivate.experiment.printed import Printed

COMPUTED = "computed"  # the protocol of numbers that follow from definitions
ABSENT = "–"
SOURCE = "source"  # head of the column that says whose number a line has
TIDY = [
    *("row", "column", "row_label", "column_label", "protocol", "metric", "unit", "better"),
    *("printed", "printed_value", "printed_spread", "value", "standard_error", "low", "high"),
    *("n", "dataset", "how", "verdict"),
]
Where = tuple[str, str]  # row and column


@dataclass(frozen=True)
class Told:
    """What a number of a table measures, which others it competes with, and the verdict on it."""

    metric: str
    unit: str
    better: str  # lower, higher, or empty: neither
    data: str = ""  # the dataset: numbers on different ones do not compete
    verdict: str = ""


UNTOLD = Told("", "", "")


@dataclass(frozen=True)
class Entry:
    """A number of a table under one protocol."""

    row: str
    column: str
    protocol: str
    values: list[float]  # one per seed
    how: str = ""  # how it was computed, if it was not trained
    dataset: str = ""  # it was trained on

    @property
    def measured(self) -> Measured:
        return Measured.of(self.values)

    @property
    def place(self) -> tuple[str, str, str]:
        """Row, column and protocol of the number."""
        return self.row, self.column, self.protocol


class Layout:
    """Entries arranged as the exhibit prints them, without rows and columns that were not run."""

    def __init__(self, exhibit: Grid, entries: list[Entry]) -> None:
        present_rows = {entry.row for entry in entries}
        present_columns = {entry.column for entry in entries}
        self.exhibit = exhibit
        self.rows = [name for name in exhibit.row_names if name in present_rows]
        self.columns = [name for name in exhibit.column_names if name in present_columns]
        self.protocols = list(dict.fromkeys(entry.protocol for entry in entries))
        self.entries = {(entry.row, entry.column, entry.protocol): entry for entry in entries}

    def tidy(self, told: dict[Where, Told]) -> pd.DataFrame:
        """A line per number of ours, and per printed one that has none; a value per column.

        The columns are those of :data:`TIDY`. ``low`` and ``high`` are the ends of the 95 % t
        interval of the mean over ``n`` seeds, empty for one seed and for exact work. ``verdict``
        is that on the printed number, over all readings of the document.

        Args:
            told: What each number measures, and the verdict on it.
        """
        lines = [
            self._line(row, column, protocol, told)
            for row in self.rows
            for column in self.columns
            for protocol in self._protocols_at(row, column)
        ]
        return pd.DataFrame(lines, columns=TIDY)

    def _protocols_at(self, row: str, column: str) -> list[str]:
        """The protocols that have a number at a place; an empty one where only one is printed."""
        ours = [p for p in self.protocols if (row, column, p) in self.entries]
        return ours or ([""] if self.exhibit.is_printed(row, column) else [])

    def _line(
        self, row: str, column: str, protocol: str, told: dict[Where, Told]
    ) -> list[str | float | None]:
        text = self.exhibit.printed_at(row, column)
        printed = Printed.parse(text) if self.exhibit.is_printed(row, column) else None
        known = told.get((row, column), UNTOLD)
        entry = self.entries.get((row, column, protocol))
        measured = None if entry is None else entry.measured
        low, high = (None, None) if measured is None else measured.interval
        return [
            row,
            column,
            label(row),
            label(column),
            protocol,
            known.metric,
            known.unit,
            known.better,
            text,
            None if printed is None else printed.value,
            None if printed is None else printed.spread,
            None if measured is None else measured.mean,
            None if measured is None else measured.standard_error,
            low,
            high,
            None if measured is None else str(measured.n),
            "" if entry is None else entry.dataset,
            "" if entry is None else entry.how,
            known.verdict,
        ]


def caption(
    exhibit: Grid,
    run: Grid,
    paper_title: str,
    scale: str,
    entries: list[Entry],
    stand_ins: dict[str, str],
    told: dict[Where, Told],
) -> str:
    """Caption of a table: its subject, what its numbers measure, and the conditions of ours.

    Args:
        exhibit: The table.
        run: The one whose cells were run: the same, or the one that it is taken from.
        paper_title: Of the document.
        scale: Of the runs.
        entries: The numbers.
        stand_ins: Of the scale, by the dataset they replace.
        told: What each number measures, and the verdict on it.
    """
    title = f"{paper_title}, {exhibit.locator}: {exhibit.title}"
    shown = [told.get((entry.row, entry.column), UNTOLD) for entry in entries]
    title += measures_note(shown)
    trained = [entry for entry in entries if entry.protocol != COMPUTED]
    if not isinstance(run, Trained) or not trained:
        return f"{title} Recomputed from the definitions, without training."
    seeds: dict[str, set[int]] = {}
    for entry in trained:
        seeds.setdefault(entry.protocol, set()).add(len(entry.values))
    counts = "; ".join(f"{label(p)}: {'/'.join(map(str, sorted(n)))}" for p, n in seeds.items())
    cells = [(row, column) for row in run.row_names for column in run.column_names]
    printed = {run.coordinates(*cell).get("dataset", "") for cell in cells}
    replaced = {name: data for name, data in stand_ins.items() if name in printed}
    several = any(len(entry.values) > 1 for entry in trained)
    mean = "mean ± standard error over seeds" if several else "number of seeds"
    return f"{title} Scale {scale}; {mean} ({counts})." + stand_in_note(
        {entry.dataset for entry in trained}, replaced
    )


def measures_note(told: Iterable[Told]) -> str:
    """A sentence for captions on everything that the numbers of a table measure.

    Example:
        >>> measures_note([Told("top1", "%", "higher"), Told("params", "parameters", "lower")])
        ' Numbers: top-1 (%, higher is better); parameters (lower is better).'
        >>> measures_note(Told(f"epoch_below_{n}_0", "epochs", "lower") for n in (3, 2))
        ' Numbers: first epoch with a loss below 3.0, 2.0 (epochs, lower is better).'
    """
    kinds: dict[tuple[str, str], list[str]] = {}
    for each in told:
        name = label(each.metric)
        words = [each.unit] if each.unit not in ("", "1", name) else []
        words += [f"{each.better} is better"] if each.better else []
        stem, _, last = name.rpartition(" ")
        is_one_of_many = stem and last.replace(".", "", 1).isdigit()
        shared, own = (f"{stem} ", last) if is_one_of_many else (name, "")
        found = kinds.setdefault((shared, f" ({', '.join(words)})" if words else ""), [])
        found += [own] if own not in found else []
    notes = [shared + ", ".join(own) + words for (shared, words), own in kinds.items() if shared]
    return f" Numbers: {'; '.join(notes)}." if notes else ""


def stand_in_note(used: set[str], stand_ins: dict[str, str]) -> str:
    """A sentence for captions if a stand-in was used instead of the document's data.

    Example:
        >>> stand_in_note({"tiny"}, {"imagenet": "tiny"})
        ' Trained on tiny, a stand-in for ImageNet.'
    """
    pairs = sorted(pair for pair in stand_ins.items() if pair[1] in used)
    notes = [f"{label(name)}, a stand-in for {label(real)}" for real, name in pairs]
    return f" Trained on {'; '.join(notes)}." if notes else ""
