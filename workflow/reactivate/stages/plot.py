"""Draw a figure, and keep the numbers it draws."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import matplotlib.figure
import pandas as pd
from PIL import Image

from reactivate.evidence.details import read_file
from reactivate.evidence.provenance import Provenance, write_provenance
from reactivate.evidence.records import RECORD, Record, making, verify_record, watched
from reactivate.evidence.tables import stand_in_note
from reactivate.experiment.analysis import VALUES
from reactivate.experiment.exhibits import Analysis, Cells, Curves, Figure
from reactivate.experiment.grids import product
from reactivate.experiment.papers import (
    EVERYTHING,
    functions,
    grid,
    load_exhibit,
    load_paper,
    load_scale,
)
from reactivate.experiment.places import place_folders
from reactivate.experiment.runs import analysis_folder, exhibit_file
from reactivate.experiment.scaling import Selection
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically
from reactivate.stages.analyse import load_function

COLOURS = 256  # more would only make the file three times as large


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.plot --scale S --paper P --exhibit E [--reach R]``."""
    plot(*named_arguments(__doc__, "scale", "paper", "exhibit", **REACH))


def plot(scale: str, paper: str, name: str, reach: str = EVERYTHING) -> None:
    """Writes ``png``, ``csv`` and ``provenance.json`` of a figure."""
    exhibit = load_exhibit(paper, name)
    if not isinstance(exhibit, Figure | Curves | Analysis):
        raise ValueError(f"{paper}/{name} is {exhibit.kind}; accepted: an exhibit with a picture")
    caption = f"{load_paper(paper).title}, {exhibit.locator}: {exhibit.title}"
    records, target = list[Path](), exhibit.function
    with watched() as watch:
        if isinstance(exhibit, Curves):
            histories, records = read_histories(scale, paper, name, reach)
            caption += conditions(scale, exhibit, histories)
            numbers, figure = load_function(target)(histories)
        elif isinstance(exhibit, Analysis):
            target = exhibit.picture
            records = [analysis_folder(scale, paper, name) / RECORD]
            caption += circumstances(scale, exhibit, verify_record(records[0]).settings or {})
            numbers = pd.read_csv(records[0].parent / VALUES)
            figure = load_function(target)(numbers)
        else:
            numbers, figure = load_function(target)()
    with write_atomically(exhibit_file(scale, paper, name, "csv")) as part:
        numbers.to_csv(part, index=False)
    with write_atomically(exhibit_file(scale, paper, name, "png")) as part:
        save_png(figure, part)
    record = Record(
        stage="plot",
        paper=paper,
        scale=scale,
        exhibit=name,
        function=target,
        code=code_digest(*functions(paper, name, "plot")),
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
        files={e: sha256(exhibit_file(scale, paper, name, e)) for e in ("csv", "png")},
        record=record,
    )
    write_provenance(exhibit_file(scale, paper, name, "provenance.json"), provenance)


def read_histories(
    scale: str, paper: str, name: str, reach: str
) -> tuple[pd.DataFrame, list[Path]]:
    """Every epoch of every run of an exhibit, and the records, whose files are unchanged.

    The columns are row, column, protocol and seed, and those of ``history.csv``.
    """
    parts, records = [], []
    for place in grid(scale, paper, name, reach):
        for folder in place_folders(scale, paper, place):
            (seed,) = verify_record(folder / RECORD).seeds
            history = pd.read_csv(folder / "history.csv")
            known = {"row": place.row, "column": place.column, "protocol": place.protocol}
            parts.append(history.assign(**known, seed=seed))
            records.append(folder / RECORD)
    if not parts:
        raise ValueError(
            f"scale {scale} runs nothing of {paper}/{name} with reach {reach}; "
            "select some of its cells in config/scales.yaml"
        )
    return pd.concat(parts, ignore_index=True), records


def conditions(scale: str, exhibit: Curves, histories: pd.DataFrame) -> str:
    """The sentence of a caption on the runs behind curves."""
    seeds = histories.groupby(["row", "column", "protocol"])["seed"].nunique()
    places = histories[["row", "column"]].drop_duplicates().itertuples(index=False)
    printed = {exhibit.coordinates(*place)["dataset"] for place in places}
    used = {k: v for k, v in load_scale(scale).stand_ins.items() if k in printed}
    return (
        f" Scale {scale}; mean over seeds ({'/'.join(map(str, sorted(seeds.unique())))}), shaded: "
        "standard error, cross: a training that ended early."
    ) + stand_in_note(set(used.values()), used)


def circumstances(scale: str, exhibit: Analysis, settings: Mapping[str, object]) -> str:
    """The sentence of a caption on an analysis."""
    said = f" Scale {scale}"
    if settings:
        said += ": " + ", ".join(f"{key} {value}" for key, value in settings.items())
    printed = set[str]()
    if isinstance(exhibit, Cells):
        places = product(exhibit, Selection())
        printed = {place.cell.dataset for place in places}
    used = {k: v for k, v in load_scale(scale).stand_ins.items() if k in printed}
    return f"{said}." + stand_in_note(set(used.values()), used)


def save_png(figure: matplotlib.figure.Figure, path: Path) -> None:
    """Writes a picture with few colours, which thin lines do not miss."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=120)
    picture = Image.open(drawn).convert("RGB").quantize(COLOURS)
    picture.save(path, format="png", optimize=True)


if __name__ == "__main__":
    main()
