"""Collect the runs of an exhibit into its table, beside the printed numbers."""

import argparse
from dataclasses import asdict
from typing import Any

import pandas as pd

from reactivate import tables
from reactivate.errors import reports_errors
from reactivate.files import sha256, write_atomically, write_json
from reactivate.papers import GridCell, grid, load_exhibit, load_paper
from reactivate.records import RECORD, verify_record
from reactivate.runs import exhibit_file, run_folder


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.tabulate --scale S --paper P --exhibit E``."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scale", "paper", "exhibit"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    tabulate(arguments.scale, arguments.paper, arguments.exhibit)


def tabulate(scale: str, paper: str, name: str) -> None:
    """Writes ``csv``, ``md``, ``tex`` and ``provenance.json`` of an exhibit."""
    exhibit = load_exhibit(paper, name)
    cells = grid(scale, paper, name)
    entries = [
        tables.Entry(c.row, c.column, c.protocol, _values(scale, paper, c, exhibit.metric.name))
        for c in cells
    ]
    text = tables.caption(exhibit, load_paper(paper).title, scale, entries)
    people = tables.readable(exhibit, entries)
    with write_atomically(exhibit_file(scale, paper, name, "csv")) as part:
        tables.wide(exhibit, entries).to_csv(part, index=False)
    for ending, content in (
        ("md", tables.markdown(people, text)),
        ("tex", tables.latex(people, text)),
    ):
        with write_atomically(exhibit_file(scale, paper, name, ending)) as part:
            part.write_text(content, encoding="utf-8")
    evidence = {
        "paper": paper,
        "exhibit": name,
        "scale": scale,
        "metric": exhibit.metric.model_dump(),
        "caption": text,
        "cells": [
            {
                **_place(entry, exhibit.printed_at(entry.row, entry.column)),
                **_run(scale, paper, grid_cell),
            }
            for entry, grid_cell in zip(entries, cells, strict=True)
        ],
        "files": {
            ending: sha256(exhibit_file(scale, paper, name, ending))
            for ending in ("csv", "md", "tex")
        },
    }
    write_json(exhibit_file(scale, paper, name, "provenance.json"), evidence)


def _values(scale: str, paper: str, grid_cell: GridCell, metric: str) -> list[float]:
    """One value per seed, from a run whose files are those it recorded."""
    folder = run_folder(scale, paper, grid_cell.cell)
    verify_record(folder / RECORD)
    return [float(value) for value in pd.read_csv(folder / "metrics.csv")[metric]]


def _place(entry: tables.Entry, printed: str) -> dict[str, Any]:
    measured = entry.measured
    return {**asdict(entry), "printed": printed, **asdict(measured)}


def _run(scale: str, paper: str, grid_cell: GridCell) -> dict[str, Any]:
    """The record behind a number, and its checksum."""
    record = run_folder(scale, paper, grid_cell.cell) / RECORD
    return {"cell": asdict(grid_cell.cell), "record": record.as_posix(), "sha256": sha256(record)}


if __name__ == "__main__":
    main()
