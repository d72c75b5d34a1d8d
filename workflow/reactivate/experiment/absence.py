"""Exhibits that were not made: what is missing of them, and where it says why."""

from dataclasses import replace
from pathlib import Path

from reactivate.experiment import paths
from reactivate.experiment.exhibits import Best
from reactivate.experiment.run_exhibit import RunExhibit


def why_absent(exhibit: RunExhibit, file: Path | None = None) -> str:
    """Why a file of an exhibit is not there, in words; empty if it is.

    Args:
        exhibit: The exhibit.
        file: The file, by default the evidence that audits read.
    """
    if (file or exhibit.file("provenance.json")).exists():
        return ""
    if isinstance(exhibit.form, Best):
        return why_absent(replace(exhibit, name=exhibit.form.of)) or "it was not made of its table"
    places = exhibit.places
    runs = [run for place in places for run in exhibit.cell(place).folders()]
    measured = [run for place in places if place.measurement for run in exhibit.folders(place)]
    needed = list(dict.fromkeys([*runs, *measured, *(f for _, f in exhibit.analysed.values())]))
    missing = [folder for folder in needed if not (folder / paths.RECORD).exists()]
    count = f"{len(missing)} of {len(needed)} runs that it needs are missing"
    said = [count if missing else "it was not made, though all runs that it needs are there"]
    said += filter(None, map(_end, _logs(exhibit, missing)))
    return "; ".join(said[:2])


def _logs(exhibit: RunExhibit, missing: list[Path]) -> list[Path]:
    """Logs that may tell why an exhibit is absent: of its data, its runs, and its own."""
    data = dict.fromkeys(place.cell.dataset for place in exhibit.places)
    unprepared = [name for name in data if not paths.dataset_file(name).exists()]
    logs = [paths.RESULTS / "logs" / "prepare" / f"{name}.log" for name in unprepared]
    for folder in missing:
        logs += sorted(folder.glob("*.log"))
    own = paths.RESULTS / exhibit.scale / exhibit.paper.paper / "logs"
    return [*logs, *sorted(own.glob(f"*_{exhibit.name}.log"))]


def _end(log: Path) -> str:
    """The last line of a log, with its name; empty if there is none."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    told = [line.strip() for line in lines if line.strip()]
    return f"{log} ends with: {told[-1]}" if told else ""
