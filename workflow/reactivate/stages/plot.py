"""Draw a figure, and keep the numbers it draws."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import matplotlib.figure
import pandas as pd
from PIL import Image

from reactivate.evidence.details import read_file
from reactivate.evidence.provenance import Provenance, write_provenance
from reactivate.evidence.records import Record, making, verify_record, watched
from reactivate.evidence.tables import stand_in_note
from reactivate.experiment.exhibits import Analysis, Cells, Curves, Figure
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.paths import RECORD, VALUES
from reactivate.experiment.places import places_of
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import Selection
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically
from reactivate.foundation.registry import load_function

COLOURS = 256  # more would only make the file three times as large


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.plot --scale S --paper P --exhibit E [--reach R]``."""
    plot(*named_arguments(__doc__, "scale", "paper", "exhibit", **REACH))


def plot(scale: str, paper: str, name: str, reach: str = EVERYTHING) -> None:
    """Writes ``png``, ``csv`` and ``provenance.json`` of a figure."""
    experiment = Experiment.load(scale, reach)
    resolved, stand_ins = experiment.exhibit(paper, name), experiment.form.stand_ins
    exhibit = resolved.form
    if not isinstance(exhibit, Figure | Curves | Analysis):
        raise ValueError(f"{paper}/{name} is {exhibit.kind}; accepted: an exhibit with a picture")
    caption = f"{resolved.paper.title}, {exhibit.locator}: {exhibit.title}"
    records, target = list[Path](), exhibit.function
    with watched() as watch:
        if isinstance(exhibit, Curves):
            histories, records = read_histories(resolved)
            caption += conditions(scale, exhibit, histories, stand_ins)
            numbers, figure = load_function(target)(histories)
        elif isinstance(exhibit, Analysis):
            target = exhibit.picture
            records = [resolved.analysis_folder / RECORD]
            settings = verify_record(records[0]).settings or {}
            caption += circumstances(scale, exhibit, settings, stand_ins)
            numbers = pd.read_csv(records[0].parent / VALUES)
            figure = load_function(target)(numbers)
        else:
            numbers, figure = load_function(target)()
    with write_atomically(resolved.file("csv")) as part:
        numbers.to_csv(part, index=False)
    with write_atomically(resolved.file("png")) as part:
        save_png(figure, part)
    record = Record(
        stage="plot",
        paper=paper,
        scale=scale,
        exhibit=name,
        function=target,
        code=code_digest(*resolved.modules("plot")),
        read=[read_file(path) for path in records],
        files={},  # they stand beside the record
        **making(watch),
    )
    provenance = Provenance(
        paper=paper,
        exhibit=name,
        scale=scale,
        caption=caption,
        cells=[],
        files={e: sha256(resolved.file(e)) for e in ("csv", "png")},
        record=record,
    )
    write_provenance(resolved.file("provenance.json"), provenance)


def read_histories(exhibit: RunExhibit) -> tuple[pd.DataFrame, list[Path]]:
    """Every epoch of every run of an exhibit, and the records, whose files are unchanged.

    The columns are row, column, protocol and seed, and those of ``history.csv``.
    """
    parts, records = [], []
    for place in exhibit.places:
        for folder in exhibit.folders(place):
            (seed,) = verify_record(folder / RECORD).seeds
            history = pd.read_csv(folder / "history.csv")
            known = {"row": place.row, "column": place.column, "protocol": place.protocol}
            parts.append(history.assign(**known, seed=seed))
            records.append(folder / RECORD)
    if not parts:
        raise ValueError(
            f"scale {exhibit.scale} runs nothing of {exhibit.paper.paper}/{exhibit.name} on this "
            f"machine; select some of it in config/papers/{exhibit.paper.paper}/scales.yaml"
        )
    return pd.concat(parts, ignore_index=True), records


def conditions(
    scale: str, exhibit: Curves, histories: pd.DataFrame, stand_ins: dict[str, str]
) -> str:
    """The sentence of a caption on the runs behind curves."""
    seeds = histories.groupby(["row", "column", "protocol"])["seed"].nunique()
    places = histories[["row", "column"]].drop_duplicates().itertuples(index=False)
    printed = {exhibit.coordinates(*place)["dataset"] for place in places}
    used = {k: v for k, v in stand_ins.items() if k in printed}
    return (
        f" Scale {scale}; mean over seeds ({'/'.join(map(str, sorted(seeds.unique())))}), shaded: "
        "standard error, cross: a training that ended early."
    ) + stand_in_note(set(used.values()), used)


def circumstances(
    scale: str, exhibit: Analysis, settings: Mapping[str, object], stand_ins: dict[str, str]
) -> str:
    """The sentence of a caption on an analysis."""
    said = f" Scale {scale}"
    if settings:
        said += ": " + ", ".join(f"{key} {value}" for key, value in settings.items())
    printed = set[str]()
    if isinstance(exhibit, Cells):
        places = places_of(exhibit, Selection())
        printed = {place.cell.dataset for place in places}
    used = {k: v for k, v in stand_ins.items() if k in printed}
    return f"{said}." + stand_in_note(set(used.values()), used)


def save_png(figure: matplotlib.figure.Figure, path: Path) -> None:
    """Writes a picture with few colours, which thin lines do not miss."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=120)
    picture = Image.open(drawn).convert("RGB").quantize(COLOURS)
    picture.save(path, format="png", optimize=True)


if __name__ == "__main__":
    main()
