"""An exhibit's numbers: ours beside the printed ones, as CSV, Markdown and LaTeX."""

from dataclasses import dataclass

import pandas as pd

from reactivate.claims import Measured
from reactivate.schema import Exhibit


@dataclass(frozen=True)
class Entry:
    """A number of a table under one protocol."""

    row: str
    column: str
    protocol: str
    values: list[float]  # one per seed

    @property
    def measured(self) -> Measured:
        return Measured.of(self.values)


def wide(exhibit: Exhibit, entries: list[Entry]) -> pd.DataFrame:
    """The table as printed: a line per row, and per column the printed number and ours.

    Columns are ``<column> printed``, then per protocol ``<column> <protocol>`` (mean over seeds)
    and ``<column> <protocol> se`` (standard error).
    """
    rows = _present(exhibit.row_names, [entry.row for entry in entries])
    columns = _present(exhibit.column_names, [entry.column for entry in entries])
    table = pd.DataFrame({exhibit.row_axis: rows})
    by_place = {(entry.row, entry.column, entry.protocol): entry.measured for entry in entries}
    for column in columns:
        table[f"{column} printed"] = [exhibit.printed_at(row, column) for row in rows]
        for protocol in protocols(entries):
            measured = [by_place[row, column, protocol] for row in rows]
            table[f"{column} {protocol}"] = [m.mean for m in measured]
            table[f"{column} {protocol} se"] = [m.standard_error for m in measured]
    return table


def readable(exhibit: Exhibit, entries: list[Entry]) -> pd.DataFrame:
    """The table for people: under each printed line, ours per protocol."""
    rows = _present(exhibit.row_names, [entry.row for entry in entries])
    columns = _present(exhibit.column_names, [entry.column for entry in entries])
    by_place = {(entry.row, entry.column, entry.protocol): entry.measured for entry in entries}
    lines = []
    for row in rows:
        lines.append([row, "printed", *(exhibit.printed_at(row, column) for column in columns)])
        for protocol in protocols(entries):
            lines.append(["", protocol, *(str(by_place[row, c, protocol]) for c in columns)])
    return pd.DataFrame(lines, columns=[exhibit.row_axis, "source", *columns])


def caption(exhibit: Exhibit, paper_title: str, scale: str, entries: list[Entry]) -> str:
    """What the table shows and under which conditions."""
    seeds = {p: {len(e.values) for e in entries if e.protocol == p} for p in protocols(entries)}
    counts = ", ".join(f"{p}: {'/'.join(map(str, sorted(n)))}" for p, n in seeds.items())
    return (
        f"{paper_title}, {exhibit.locator}: {exhibit.title} {exhibit.metric.unit}, "
        f"{exhibit.metric.better} is better. Scale {scale}; mean ± standard error over splits "
        f"({counts})."
    )


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


def protocols(entries: list[Entry]) -> list[str]:
    """Protocols in the order they were run."""
    return list(dict.fromkeys(entry.protocol for entry in entries))


def _present(order: list[str], present: list[str]) -> list[str]:
    return [name for name in order if name in set(present)]
