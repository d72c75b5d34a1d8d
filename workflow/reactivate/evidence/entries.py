"""The numbers of a table and the records behind them: of runs, of other tables, of analyses."""

from itertools import product
from pathlib import Path

import pandas as pd

from reactivate.evidence import tables
from reactivate.evidence.provenance import Evidence
from reactivate.evidence.records import RECORD, verify_record
from reactivate.experiment.exhibits import Best, Trained
from reactivate.experiment.grids import GridCell
from reactivate.experiment.papers import grid, is_computed, load_exhibit, load_paper, measurement
from reactivate.experiment.places import place_folders
from reactivate.experiment.runs import analysis_folder, exhibit_file

VOTE = "vote_error"  # of the mean probability of all seeds
Found = tuple[tables.Entry, list[Path]]  # a number and the records behind it


def entries_of(scale: str, paper: str, name: str, reach: str) -> list[Found]:
    """Every number of a table, from files that are unchanged since they were written."""
    exhibit = load_exhibit(paper, name)
    found: list[Found] = []
    if isinstance(exhibit, Trained):
        found = _trained(scale, paper, name, reach)
    elif isinstance(exhibit, Best):
        found = _best(scale, paper, exhibit)
    return found + (_computed(scale, paper, name) if is_computed(paper, name) else [])


def measured_note(scale: str, paper: str, name: str, reach: str) -> str:
    """A sentence for captions on what was measured after training, where it is."""
    exhibit = load_exhibit(paper, name)
    if isinstance(exhibit, Best):
        return f" The best of several rows of {exhibit.of}, column by column."
    if not isinstance(exhibit, Trained):
        return ""
    named = {place.measurement for place in grid(scale, paper, name, reach)} - {None}
    said = {measurement(scale, paper, str(one)).says for one in named}
    return f" Measured: {'; '.join(sorted(said))}." if said else ""


def _trained(scale: str, paper: str, name: str, reach: str) -> list[Found]:
    """One entry per cell and the records behind it, from runs whose files are unchanged."""
    found = []
    for place in grid(scale, paper, name, reach):
        folders = place_folders(scale, paper, place)
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
        from reactivate.evidence.predictions import vote_of

        return [vote_of(folders)]
    rows = pd.concat([pd.read_csv(folder / "metrics.csv") for folder in folders])
    if place.metric not in rows:
        raise ValueError(
            f"{folders[0] / 'metrics.csv'} has no column {place.metric!r}, only "
            f"{', '.join(map(str, rows))}; correct the metric of the exhibit in config/papers"
        )
    return [float(value) for value in rows[place.metric]]


def _best(scale: str, paper: str, exhibit: Best) -> list[Found]:
    """Per number the best of the other table's rows, if all that are printed were run."""
    evidence = Evidence.read(exhibit_file(scale, paper, exhibit.of, "provenance.json"))
    other = load_paper(paper).trained[exhibit.of]
    sign = 1 if other.metric.better == "higher" else -1
    found = []
    for row, protocol in product(exhibit.row_names, other.protocols):
        for column in exhibit.column_names:
            rivals = [r for r in exhibit.over[row] if other.is_printed(r, column)]
            cells = [evidence.cells.get((rival, column, protocol)) for rival in rivals]
            if not rivals or not all(cells):
                continue
            best = max(filter(None, cells), key=lambda cell: sign * cell.mean)
            how = f"{column}: {best.row}"
            entry = tables.Entry(row, column, protocol, best.values, how, best.dataset)
            found.append((entry, [Path(kept.record) for kept in best.records]))
    return found


def _computed(scale: str, paper: str, name: str) -> list[Found]:
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
