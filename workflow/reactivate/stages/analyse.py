"""Compute what an exhibit shows, from definitions or from networks; leave values and record."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pandas as pd

from reactivate.evidence.details import ReadFile, checksums, read_file
from reactivate.evidence.observed import Observations
from reactivate.evidence.pieces import Pieces, forget_pieces
from reactivate.evidence.records import Record, making, verify_record, watched, write_record
from reactivate.experiment.exhibits import (
    Analysis,
    OfMeasurements,
    OfNetworks,
    OfObservations,
    Recomputed,
)
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.paths import RECORD, VALUES
from reactivate.experiment.run_exhibit import SEED, RunExhibit
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.digests import code_digest
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import sha256, write_atomically
from reactivate.foundation.registry import load_function

if TYPE_CHECKING:  # which imports torch
    from reactivate.evidence.networks import NetworkRun


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.analyse --scale S --paper P --exhibit E [--reach R]``."""
    *given, threads = named_arguments(__doc__, "scale", "paper", "exhibit", **REACH, threads="1")
    analyse(*given, threads=int(threads))


def analyse(
    scale: str, paper: str, name: str, reach: str = EVERYTHING, *, threads: int = 1
) -> None:
    """Writes ``values.csv`` and the record of what a function computes of an exhibit."""
    resolved = Experiment.load(scale, reach).exhibit(paper, name)
    exhibit = resolved.form
    settings: dict[str, Any] | None = None
    read: list[ReadFile] = []
    with watched() as watch:
        if isinstance(exhibit, Analysis):
            settings = resolved.settings
            values = investigate(resolved, exhibit, threads)
            read = [read_file(path) for path in resolved.inputs]
        elif isinstance(exhibit, Recomputed) and exhibit.function is not None:
            values = recompute(paper, name, exhibit)
        else:
            raise ValueError(
                f"{paper}/{name} is {exhibit.kind} and has no function that computes it"
            )
    folder = resolved.analysis_folder
    with write_atomically(folder / VALUES) as part:
        values.to_csv(part, index=False)
    record = Record(
        stage="analyse",
        paper=paper,
        scale=scale,
        exhibit=name,
        function=exhibit.function,
        settings=settings,
        code=code_digest(*resolved.modules("analyse")),
        read=read,
        files=checksums(folder, [VALUES]),
        **making(watch),
    )
    write_record(folder, record)
    forget_pieces(folder)


def recompute(paper: str, name: str, exhibit: Recomputed) -> pd.DataFrame:
    """The values of a table that follow from definitions, one for each of its places."""
    values = load_function(str(exhibit.function))()
    expected = {
        (row, column)
        for row in exhibit.row_names
        for column in exhibit.column_names
        if exhibit.is_computed(row, column)
    }
    places = [(value.row, value.column) for value in values]
    if sorted(places) != sorted(expected):
        odd = sorted(set(places) ^ expected) or "one place twice"
        raise ValueError(f"{exhibit.function} and the grid of {paper}/{name} differ in {odd}")
    return pd.DataFrame([asdict(value) for value in values])


def investigate(resolved: RunExhibit, exhibit: Analysis, threads: int = 1) -> pd.DataFrame:
    """The numbers of a picture, computed from unchanged files with the settings of a scale."""
    runs = resolved.analysed
    for _, folder in runs.values():
        verify_record(folder / RECORD)
    read: list[Any] = []
    if isinstance(exhibit, OfNetworks | OfMeasurements):
        read = [networks_of(resolved, threads)]
    elif isinstance(exhibit, OfObservations):
        read = [Observations({place: folder for place, (_, folder) in runs.items()})]
    values: pd.DataFrame = load_function(exhibit.function)(*read, **resolved.settings)
    return values


def networks_of(resolved: RunExhibit, threads: int) -> list["NetworkRun"]:
    """The networks that an analysis reads; its finished pieces are kept."""
    import torch

    from reactivate.evidence.networks import NetworkRun, best_device

    torch.set_num_threads(threads)
    made_of = [sha256(path) for path in resolved.inputs]
    identity = [resolved.settings, code_digest(*resolved.modules("analyse")), made_of]
    pieces = Pieces.of(resolved.analysis_folder, json.dumps(identity))
    device = best_device() if resolved.on_gpu else torch.device("cpu")
    where = resolved.scale, resolved.paper.paper
    workers = threads if threads > 1 else 0
    return [
        NetworkRun(
            *where,
            place,
            *run,
            seed=place[3] if len(place) == 4 else SEED,
            device=device,
            workers=workers,
            pieces=pieces,
        )
        for place, run in resolved.analysed.items()
    ]


if __name__ == "__main__":
    main()
