"""Collect the runs or the recomputed values of an exhibit into its table, beside the printed."""

from dataclasses import asdict
from pathlib import Path

import pandas as pd

from reactivate import tables
from reactivate.arguments import REACH, named_arguments
from reactivate.errors import reports_errors
from reactivate.exhibits import Computed, Trained
from reactivate.files import sha256, write_atomically, write_json
from reactivate.grids import GridCell
from reactivate.papers import (
    EVERYTHING,
    grid,
    is_computed,
    load_exhibit,
    load_paper,
    load_scale,
    run_folders,
)
from reactivate.records import RECORD, verify_record
from reactivate.runs import analysis_folder, exhibit_file

VOTE = "vote_error"  # of the mean probability of all seeds


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.tabulate --scale S --paper P --exhibit E [--reach R]``."""
    tabulate(*named_arguments(__doc__, "scale", "paper", "exhibit", **REACH))


def tabulate(scale: str, paper: str, name: str, reach: str = EVERYTHING) -> None:
    """Writes ``csv``, ``md``, ``tex`` and ``provenance.json`` of an exhibit."""
    exhibit = load_exhibit(paper, name)
    if not isinstance(exhibit, Trained | Computed):
        raise ValueError(f"{paper}/{name} is a figure; make it with: snakemake its .png")
    found = _trained(scale, paper, name, reach) if isinstance(exhibit, Trained) else []
    if is_computed(paper, name):
        found += _computed(scale, paper, name)
    entries = [entry for entry, _ in found]
    stand_ins = load_scale(scale).stand_ins
    text = tables.caption(exhibit, load_paper(paper).title, scale, entries, stand_ins)
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
                "records": [{"record": r.as_posix(), "sha256": sha256(r)} for r in records],
            }
            for entry, records in found
        ],
        "files": {
            ending: sha256(exhibit_file(scale, paper, name, ending))
            for ending in ("csv", "md", "tex")
        },
    }
    write_json(exhibit_file(scale, paper, name, "provenance.json"), evidence)


def _trained(
    scale: str, paper: str, name: str, reach: str
) -> list[tuple[tables.Entry, list[Path]]]:
    """One entry per cell and the records behind it, from runs whose files are unchanged."""
    found = []
    for place in grid(scale, paper, name, reach):
        folders = run_folders(scale, paper, place.cell)
        records = [folder / RECORD for folder in folders]
        for record in records:
            verify_record(record)
        values = _values(place, folders)
        data = place.cell.dataset
        entry = tables.Entry(place.row, place.column, place.protocol, values, dataset=data)
        found.append((entry, records))
    return found


def _values(place: GridCell, folders: list[Path]) -> list[float]:
    """One number per seed; or one that all seeds give together."""
    if place.metric == VOTE:
        from reactivate.predictions import vote_of

        return [vote_of(folders)]
    rows = pd.concat([pd.read_csv(folder / "metrics.csv") for folder in folders])
    if place.metric not in rows:
        raise ValueError(
            f"{folders[0] / 'metrics.csv'} has no column {place.metric!r}, only "
            f"{', '.join(map(str, rows))}; correct the metric of the exhibit in config/papers"
        )
    return [float(value) for value in rows[place.metric]]


def _computed(scale: str, paper: str, name: str) -> list[tuple[tables.Entry, list[Path]]]:
    """One entry per recomputed value and the record of the analysis."""
    record = analysis_folder(scale, paper, name) / RECORD
    verify_record(record)
    values = pd.read_csv(record.parent / "values.csv", dtype=str).to_dict("records")
    return [
        (
            tables.Entry(v["row"], v["column"], tables.COMPUTED, [float(v["value"])], v["how"]),
            [record],
        )
        for v in values
    ]


if __name__ == "__main__":
    main()
