"""An exhibit's numbers: ours beside the printed ones, as CSV, Markdown and LaTeX."""

from dataclasses import dataclass

import pandas as pd

from reactivate.evidence.measured import Measured
from reactivate.experiment.exhibits import Grid, Trained
from reactivate.experiment.printed import Printed

COMPUTED = "computed"  # the protocol of numbers that follow from definitions
ABSENT = "–"
SOURCE = "source"  # head of the column that says whose number a line has


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

    def wide(self) -> pd.DataFrame:
        """A line per row: per column the printed number and ours.

        Columns are ``<column> printed``, then per protocol ``<column> <protocol>`` (mean over
        seeds) and, where there are several seeds, ``<column> <protocol> se`` (standard error);
        last ``how``, if the numbers were computed.
        """
        table = pd.DataFrame({self.exhibit.row_axis: self.rows})
        for column in self.columns:
            table[f"{column} printed"] = [self.exhibit.printed_at(r, column) for r in self.rows]
            for protocol in self.protocols:
                measured = [self._measured(row, column, protocol) for row in self.rows]
                errors = [None if m is None else m.standard_error for m in measured]
                table[f"{column} {protocol}"] = [None if m is None else m.mean for m in measured]
                if any(error is not None for error in errors):
                    table[f"{column} {protocol} se"] = errors
        hows = [self._how(row) for row in self.rows]
        if any(hows):
            table["how"] = hows
        return table

    def readable(self) -> pd.DataFrame:
        """The table for people: under each printed line, ours per protocol."""
        lines = []
        for row in self.rows:
            printed = [self.exhibit.printed_at(row, column) for column in self.columns]
            lines.append([row, "printed", *printed])
            for protocol in self.protocols:
                lines.append(["", protocol, *(self._text(row, c, protocol) for c in self.columns)])
        return pd.DataFrame(lines, columns=[self.exhibit.row_axis, SOURCE, *self.columns])

    def _measured(self, row: str, column: str, protocol: str) -> Measured | None:
        entry = self.entries.get((row, column, protocol))
        return None if entry is None else entry.measured

    def _text(self, row: str, column: str, protocol: str) -> str:
        measured = self._measured(row, column, protocol)
        if measured is None:
            return ABSENT
        if protocol == COMPUTED:
            return Printed.parse(self.exhibit.printed_at(row, column)).show(measured.mean)
        return str(measured)

    def _how(self, row: str) -> str:
        ways = [entry.how for (name, _, _), entry in self.entries.items() if name == row]
        return " / ".join(dict.fromkeys(filter(None, ways)))


def caption(
    exhibit: Grid,
    run: Grid,
    paper_title: str,
    scale: str,
    entries: list[Entry],
    stand_ins: dict[str, str],
) -> str:
    """Caption of a table: its subject, and the conditions of our numbers.

    Args:
        exhibit: The table.
        run: The one whose cells were run: the same, or the one that it is taken from.
        paper_title: Of the document.
        scale: Of the runs.
        entries: The numbers.
        stand_ins: Of the scale, by the dataset they replace.
    """
    title = f"{paper_title}, {exhibit.locator}: {exhibit.title}"
    trained = [entry for entry in entries if entry.protocol != COMPUTED]
    if not isinstance(run, Trained) or not trained:
        return f"{title} Recomputed from the definitions, without training."
    seeds: dict[str, set[int]] = {}
    for entry in trained:
        seeds.setdefault(entry.protocol, set()).add(len(entry.values))
    counts = ", ".join(f"{p}: {'/'.join(map(str, sorted(n)))}" for p, n in seeds.items())
    metric = run.metric
    cells = [(row, column) for row in run.row_names for column in run.column_names]
    printed = {run.coordinates(*cell).get("dataset", "") for cell in cells}
    replaced = {name: data for name, data in stand_ins.items() if name in printed}
    return (
        f"{title} {metric.name}, {metric.unit}, {metric.better} is better. Scale {scale}; "
        f"mean ± standard error over seeds ({counts})."
        + stand_in_note({entry.dataset for entry in trained}, replaced)
    )


def stand_in_note(used: set[str], stand_ins: dict[str, str]) -> str:
    """A sentence for captions if a stand-in was used instead of the document's data.

    Example:
        >>> stand_in_note({"tiny"}, {"imagenet": "tiny"})
        ' Trained on tiny, a stand-in for imagenet.'
    """
    pairs = sorted(pair for pair in stand_ins.items() if pair[1] in used)
    notes = [f"{name}, a stand-in for {real}" for real, name in pairs]
    return f" Trained on {'; '.join(notes)}." if notes else ""


def markdown(table: pd.DataFrame, text: str) -> str:
    """A Markdown table with its caption."""
    lines = [list(table.columns), ["---"] * len(table.columns), *table.values.tolist()]
    return (
        "\n".join([text, "", *("| " + " | ".join(map(str, line)) + " |" for line in lines)]) + "\n"
    )


def latex(table: pd.DataFrame, text: str) -> str:
    """A LaTeX table (booktabs) with its caption."""
    escape = str.maketrans({"_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "±": r"$\pm$"})
    lines = [[str(cell).translate(escape) for cell in line] for line in table.values.tolist()]
    head = [str(name).translate(escape) for name in table.columns]
    body = [" & ".join(line) + r" \\" for line in lines]
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{text.translate(escape)}}}",
            rf"\begin{{tabular}}{{{'l' * len(head)}}}",
            r"\toprule",
            " & ".join(head) + r" \\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
