"""Collect the runs or the recomputed values of an exhibit into its table, beside the printed."""

from dataclasses import asdict
from pathlib import Path

import pandas as pd

from reactivate import tables
from reactivate.arguments import named_arguments
from reactivate.errors import reports_errors
from reactivate.exhibits import Computed, Trained
from reactivate.files import sha256, write_atomically, write_json
from reactivate.papers import grid, load_exhibit, load_paper
from reactivate.records import RECORD, verify_record
from reactivate.runs import analysis_folder, exhibit_file, run_folder


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.tabulate --scale S --paper P --exhibit E``."""
    tabulate(*named_arguments(__doc__, "scale", "paper", "exhibit"))


def tabulate(scale: str, paper: str, name: str) -> None:
    """Writes ``csv``, ``md``, ``tex`` and ``provenance.json`` of an exhibit."""
    exhibit = load_exhibit(paper, name)
    if isinstance(exhibit, Trained):
        found = _trained(scale, paper, name, exhibit.metric.name)
    elif isinstance(exhibit, Computed):
        found = _computed(scale, paper, name)
    else:
        raise ValueError(f"{paper}/{name} is a figure; make it with: snakemake its .png")
    entries = [entry for entry, _ in found]
    text = tables.caption(exhibit, load_paper(paper).title, scale, entries)
    layout = tables.Layout(exhibit, entries)
    people = layout.readable()
    with write_atomically(exhibit_file(scale, paper, name, "csv")) as part:
        layout.wide().to_csv(part, index=False)
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
        "metric": exhibit.metric.model_dump() if isinstance(exhibit, Trained) else None,
        "caption": text,
        "cells": [
            {
                **asdict(entry),
                "printed": exhibit.printed_at(entry.row, entry.column),
                **asdict(entry.measured),
                "record": record.as_posix(),
                "sha256": sha256(record),
            }
            for entry, record in found
        ],
        "files": {
            ending: sha256(exhibit_file(scale, paper, name, ending))
            for ending in ("csv", "md", "tex")
        },
    }
    write_json(exhibit_file(scale, paper, name, "provenance.json"), evidence)


def _trained(scale: str, paper: str, name: str, metric: str) -> list[tuple[tables.Entry, Path]]:
    """One entry per cell and the record behind it, from runs whose files are unchanged."""
    found = []
    for place in grid(scale, paper, name):
        record = run_folder(scale, paper, place.cell) / RECORD
        verify_record(record)
        values = [float(v) for v in pd.read_csv(record.parent / "metrics.csv")[metric]]
        found.append((tables.Entry(place.row, place.column, place.protocol, values), record))
    return found


def _computed(scale: str, paper: str, name: str) -> list[tuple[tables.Entry, Path]]:
    """One entry per recomputed value and the record of the analysis."""
    record = analysis_folder(scale, paper, name) / RECORD
    verify_record(record)
    values = pd.read_csv(record.parent / "values.csv", dtype=str).to_dict("records")
    return [
        (
            tables.Entry(v["row"], v["column"], tables.COMPUTED, [float(v["value"])], v["how"]),
            record,
        )
        for v in values
    ]


if __name__ == "__main__":
    main()
