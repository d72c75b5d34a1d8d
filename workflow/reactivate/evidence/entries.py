"""The numbers of a table and the records behind them: of runs, of other tables, of analyses."""

from itertools import product
from pathlib import Path

import pandas as pd

from reactivate.evidence import tables
from reactivate.evidence.provenance import Evidence
from reactivate.evidence.records import verify_record
from reactivate.experiment.exhibits import Best, Trained
from reactivate.experiment.labels import label
from reactivate.experiment.outputs import TRAINED
from reactivate.experiment.paths import RECORD, VALUES, exhibit_file
from reactivate.experiment.places import Place
from reactivate.experiment.run_exhibit import RunExhibit

VOTE = "vote_error"  # of the mean probability of all seeds
PREDICTIONS = TRAINED["predictions"]
RestingEntry = tuple[tables.Entry, list[Path]]  # a number and the records behind it


def entries_of(exhibit: RunExhibit, existing: bool = False) -> list[RestingEntry]:
    """Every number of a table, from files that are unchanged since they were written.

    Args:
        exhibit: The table.
        existing: Whether to take the runs that are there, though there should be more, and what
            a publication has of them.
    """
    entries: list[RestingEntry] = []
    if isinstance(exhibit.form, Trained):
        entries = _trained(exhibit, existing)
    elif isinstance(exhibit.form, Best):
        entries = _best(exhibit, exhibit.form, existing)
    is_there = not existing or (exhibit.analysis_folder / VALUES).exists()
    return entries + (_computed(exhibit) if exhibit.is_computed and is_there else [])


def measured_note(exhibit: RunExhibit, entries: list[tables.Entry]) -> str:
    """Sentences for captions on what was measured after training, and what it started from."""
    if isinstance(exhibit.form, Best):
        other = exhibit.paper.trained[exhibit.form.of].locator
        return f" The best of several rows of {other}, column by column."
    if not isinstance(exhibit.form, Trained):
        return ""
    said = {
        exhibit.cell(place).measurement(place.measurement).says
        for place in exhibit.places
        if place.measurement is not None
        and any(entry.place == (place.row, place.column, place.protocol) for entry in entries)
    }
    return (f" Measured: {'; '.join(sorted(said))}." if said else "") + _backbone_note(exhibit)


def _backbone_note(exhibit: RunExhibit) -> str:
    """A sentence for captions on where networks start from that start from other runs."""
    begun = [exhibit.cell(place).backbone for place in exhibit.places]
    names = sorted(
        {
            f"{label(one.cell.model)} on {label(one.cell.dataset)}"
            for one in begun
            if one is not None
        }
    )
    return f" Backbones are those of {', '.join(names)}." if names else ""


def _trained(exhibit: RunExhibit, existing: bool) -> list[RestingEntry]:
    """One entry per cell and the records behind it, from runs whose files are unchanged."""
    kept = Evidence({})
    if existing and exhibit.file("provenance.json").exists():
        kept = Evidence.read(exhibit.file("provenance.json"))
    entries = []
    for place in exhibit.places:
        folders = exhibit.folders(place)
        if existing:
            folders = [folder for folder in folders if (folder / RECORD).exists()]
        records = [folder / RECORD for folder in folders]
        for record in records:
            verify_record(record, only_present=existing)
        values = _values(place, folders, kept) if folders else None
        if values is None:
            continue
        data = place.cell.dataset
        entry = tables.Entry(place.row, place.column, place.protocol, values, dataset=data)
        entries.append((entry, records))
    return entries


def _values(place: Place, folders: list[Path], kept: Evidence) -> list[float] | None:
    """One number per seed; or one that all seeds give together.

    Args:
        place: The place of the numbers.
        folders: Folders of the runs.
        kept: Numbers of a publication: votes among them, since predictions are not published.
    """
    if place.metric == VOTE:
        if kept.cells and not all((folder / PREDICTIONS).exists() for folder in folders):
            return _kept_vote(place, folders, kept)
        from reactivate.evidence.predictions import vote_of

        return [vote_of(folders)]
    rows = pd.concat([pd.read_csv(folder / "metrics.csv") for folder in folders])
    if place.metric not in rows:
        raise ValueError(
            f"{folders[0] / 'metrics.csv'} has no column {place.metric!r}, only "
            f"{', '.join(map(str, rows))}; correct the metric of the exhibit in config/papers"
        )
    return [float(value) for value in rows[place.metric]]


def _kept_vote(place: Place, folders: list[Path], kept: Evidence) -> list[float] | None:
    """The vote of runs as a publication has it; None if it has none of these runs."""
    cell = kept.cells.get((place.row, place.column, place.protocol))
    asked = {(folder / RECORD).as_posix() for folder in folders}
    if cell is None or {record.record for record in cell.records} != asked:
        return None
    return cell.values


def _best(exhibit: RunExhibit, form: Best, existing: bool) -> list[RestingEntry]:
    """Per number the best of the other table's rows, if all that are printed were run."""
    scale, paper = exhibit.scale, exhibit.paper
    source = exhibit_file(scale, paper.paper, form.of, "provenance.json")
    if existing and not source.exists():
        return []
    evidence = Evidence.read(source)
    other = paper.trained[form.of]
    sign = 1 if other.metric.better == "higher" else -1
    entries = []
    for row, protocol in product(form.row_names, other.protocols):
        for column in form.column_names:
            rivals = [r for r in form.over[row] if other.is_printed(r, column)]
            cells = [evidence.cells.get((rival, column, protocol)) for rival in rivals]
            if not rivals or not all(cells):
                continue
            best = max(filter(None, cells), key=lambda cell: sign * cell.mean)
            how = f"{column}: {best.row}"
            entry = tables.Entry(row, column, protocol, best.values, how, best.dataset)
            entries.append((entry, [Path(kept.record) for kept in best.records]))
    return entries


def _computed(exhibit: RunExhibit) -> list[RestingEntry]:
    """One entry per recomputed value and the record of the analysis."""
    record = exhibit.analysis_folder / RECORD
    verify_record(record)
    values = pd.read_csv(record.parent / VALUES, dtype=str).to_dict("records")
    return [
        (
            tables.Entry(v["row"], v["column"], tables.COMPUTED, [float(v["value"])], v["how"]),
            [record],
        )
        for v in values
    ]
