"""Captions of figures: what they show, and the runs and settings behind it."""

from collections.abc import Mapping
from pathlib import Path

from reactivate.evidence.records import read_record
from reactivate.evidence.tables import stand_in_note
from reactivate.experiment.exhibits import Analysis, Cells, Curves
from reactivate.experiment.labels import label
from reactivate.experiment.paths import RECORD
from reactivate.experiment.places import places_of
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import Selection


def caption(resolved: RunExhibit, records: list[Path]) -> str:
    """The caption of a figure that was made from records."""
    exhibit = resolved.form
    text = f"{resolved.paper.title}, {exhibit.locator}: {exhibit.title}"
    if isinstance(exhibit, Curves):
        return text + conditions(resolved, exhibit, set(records))
    if isinstance(exhibit, Analysis):
        settings = read_record(records[0]).settings or {}
        return text + circumstances(resolved.scale, exhibit, settings, resolved.stand_ins)
    return text


def conditions(resolved: RunExhibit, exhibit: Curves, records: set[Path]) -> str:
    """The sentence of a caption on the runs behind curves, which these records are of."""
    seeds, printed = set[int](), set[str]()
    for place in resolved.places:
        drawn = {folder / RECORD for folder in resolved.folders(place)} & records
        if drawn:
            seeds.add(len(drawn))
            printed.add(exhibit.coordinates(place.row, place.column)["dataset"])
    used = {k: v for k, v in resolved.stand_ins.items() if k in printed}
    return (
        f" Scale {resolved.scale}; mean over seeds ({'/'.join(map(str, sorted(seeds)))}), shaded: "
        "standard error, cross: a training that ended early."
    ) + stand_in_note(set(used.values()), used)


def circumstances(
    scale: str, exhibit: Analysis, settings: Mapping[str, object], stand_ins: dict[str, str]
) -> str:
    """The sentence of a caption on an analysis."""
    said = f" Scale {scale}"
    if settings:
        said += ": " + ", ".join(f"{label(key)} {value}" for key, value in settings.items())
    printed = set[str]()
    if isinstance(exhibit, Cells):
        places = places_of(exhibit, Selection())
        printed = {place.cell.dataset for place in places}
    used = {k: v for k, v in stand_ins.items() if k in printed}
    return f"{said}." + stand_in_note(set(used.values()), used)
