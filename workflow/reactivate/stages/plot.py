"""Draw a figure, and keep the numbers it draws."""

from dataclasses import dataclass
from pathlib import Path

import matplotlib.figure
import pandas as pd

from reactivate.documents.shared.style import PICTURES, save, styled
from reactivate.evidence.captions import caption
from reactivate.evidence.details import read_file
from reactivate.evidence.epochs import read_histories
from reactivate.evidence.provenance import Provenance, read_provenance, write_provenance
from reactivate.evidence.records import Record, making, read_record, verify_record, watched
from reactivate.experiment.exhibits import Analysis, Curves, Figure
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.paths import RECORD, VALUES
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically
from reactivate.foundation.registry import load_function


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.plot --scale S --paper P --exhibit E [--reach R]``."""
    plot(*named_arguments(__doc__, "scale", "paper", "exhibit", **REACH))


def plot(scale: str, paper: str, name: str, reach: str = EVERYTHING) -> None:
    """Writes ``png``, ``svg``, ``pdf``, ``csv`` and ``provenance.json`` of a figure."""
    resolved = Experiment.load(scale, reach).exhibit(paper, name)
    with watched() as watch, styled():
        drawn = draw(resolved)
    with write_atomically(resolved.file("csv")) as part:
        part.write_bytes(drawn.numbers)
    save(drawn.figure, resolved.file("png"))
    record = Record(
        stage="plot",
        paper=paper,
        scale=scale,
        exhibit=name,
        function=drawn.function,
        code=code_digest(*resolved.modules("plot")),
        read=[read_file(path) for path in drawn.records],
        files={},  # they stand beside the record
        **making(watch),
    )
    write_shown(resolved, record)


def redraw(resolved: RunExhibit) -> bool:
    """Draws a figure again from its csv; whether it is there, and other code has drawn it.

    Raises:
        ValueError: The csv is not what the analysis of the figure left.
    """
    source, exhibit = resolved.file("provenance.json"), resolved.form
    old = read_provenance(source).record if source.exists() else None
    code = code_digest(*resolved.modules("plot"))
    is_whole = all(resolved.file(ending).exists() for ending in PICTURES)
    if old is None or (old.code == code and is_whole):
        return False
    with watched() as watch, styled():
        if isinstance(exhibit, Figure):
            drawn = draw(resolved).figure
        else:
            assert isinstance(exhibit, Analysis | Curves)
            if isinstance(exhibit, Analysis):
                _require_values(resolved)
            drawn = load_function(exhibit.picture)(pd.read_csv(resolved.file("csv")))
    save(drawn, resolved.file("png"))
    write_shown(resolved, old.model_copy(update={"code": code, **making(watch)}))
    return True


def _require_values(resolved: RunExhibit) -> None:
    """Raises unless the csv of a figure has the bytes that its analysis vouches for."""
    record = resolved.analysis_folder / RECORD
    expected, found = read_record(record).files.get(VALUES), sha256(resolved.file("csv"))
    if found != expected:
        raise ValueError(
            f"{resolved.file('csv')}: sha256 is {found}, but {record} recorded {expected}; "
            f"make it again with: snakemake {resolved.file('png')}"
        )


@dataclass(frozen=True)
class Drawing:
    """A figure, the bytes of its csv, the function that drew it, and the records it is made of."""

    function: str
    figure: matplotlib.figure.Figure
    numbers: bytes
    records: list[Path]


def draw(resolved: RunExhibit) -> Drawing:
    """The drawing of an exhibit, from files that are unchanged since they were written."""
    exhibit = resolved.form
    if isinstance(exhibit, Curves):
        histories, records = read_histories(resolved)
        numbers, figure = load_function(exhibit.function)(histories)
        return Drawing(exhibit.function, figure, _csv(numbers), records)
    if isinstance(exhibit, Analysis):
        record = resolved.analysis_folder / RECORD
        verify_record(record)
        values = record.parent / VALUES
        figure = load_function(exhibit.picture)(pd.read_csv(values))
        return Drawing(exhibit.picture, figure, values.read_bytes(), [record])
    if isinstance(exhibit, Figure):
        numbers, figure = load_function(exhibit.function)()
        return Drawing(exhibit.function, figure, _csv(numbers), [])
    said = f"{resolved.paper.paper}/{resolved.name} is {exhibit.kind}"
    raise ValueError(f"{said}; accepted: an exhibit with a picture")


def _csv(numbers: pd.DataFrame) -> bytes:
    text: str = numbers.to_csv(index=False)
    return text.encode()


def write_shown(resolved: RunExhibit, record: Record) -> None:
    """Writes the provenance of a figure whose csv and png are there, and of what is beside them.

    Args:
        resolved: The figure.
        record: How it was drawn, and from what.
    """
    provenance = Provenance(
        paper=resolved.paper.paper,
        exhibit=resolved.name,
        scale=resolved.scale,
        caption=caption(resolved, [Path(read.file) for read in record.read]),
        cells=[],
        files={
            ending: sha256(resolved.file(ending))
            for ending in ("csv", *PICTURES)
            if resolved.file(ending).exists()
        },
        record=record,
    )
    write_provenance(resolved.file("provenance.json"), provenance)


if __name__ == "__main__":
    main()
