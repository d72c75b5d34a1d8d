"""What an analysis reads and is called with, at a scale and on a machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactivate.evidence.records import RECORD
from reactivate.experiment.exhibits import Analysed, Analysis, Cells, OfObservations
from reactivate.experiment.observations import Observation, Sparser
from reactivate.experiment.papers import (
    EVERYTHING,
    grid,
    is_made,
    load_exhibit,
    load_paper,
    load_scale,
)
from reactivate.experiment.places import place_folders
from reactivate.experiment.runs import (
    Cell,
    analysis_folder,
    dataset_file,
    observation_folder,
)
from reactivate.experiment.schema import Check
from reactivate.foundation.registry import unknown_name

if TYPE_CHECKING:  # the DAG is built with this module, and building it must not import pandas
    import pandas as pd

# row, column, protocol; and the seed where all are read
Place = tuple[str, str, str] | tuple[str, str, str, int]
PLACE = ("row", "column", "protocol", "seed")
VALUES = "values.csv"  # of an analysis
SEED = 0  # the documents look at one network of each kind


@dataclass(frozen=True)
class NetworkRun:
    """A trained network that an analysis looks at."""

    scale: str
    paper: str
    place: Place
    cell: Cell
    folder: Path
    seed: int = SEED


@dataclass(frozen=True)
class Observations:
    """What was observed during the trainings that an analysis looks at, or what they left."""

    folders: dict[Place, Path]

    def table(self, name: str) -> "pd.DataFrame":
        """One of the tables of all runs, with the place of each."""
        import pandas as pd

        return pd.concat(
            [
                pd.read_csv(folder / f"{name}.csv").assign(**_said(place))
                for place, folder in self.folders.items()
            ],
            ignore_index=True,
        )


def _said(place: Place) -> dict[str, Any]:
    return dict(zip(PLACE, place, strict=False))


def load_analysis(paper: str, exhibit: str) -> Analysis:
    """One exhibit of a paper that has an analysis."""
    found = load_exhibit(paper, exhibit)
    if not isinstance(found, Analysis):
        known = list(load_paper(paper).analyses)
        raise unknown_name("analysis", exhibit, known, f"config/papers/{paper}.yaml")
    return found


def analysis_settings(scale: str, paper: str, exhibit: str) -> dict[str, Any]:
    """What its function is called with: as printed, but for what the scale changes."""
    found = load_exhibit(paper, exhibit)
    printed = found.settings if isinstance(found, Analysis) else {}
    return {**printed, **load_scale(scale).settings.get(paper, {}).get(exhibit, {})}


def analysed_folders(
    scale: str, paper: str, exhibit: str, reach: str = EVERYTHING
) -> dict[Place, tuple[Cell, Path]]:
    """Cell and folder of every run that an analysis reads, by its place."""
    found = load_analysis(paper, exhibit)
    if not isinstance(found, Cells):
        return {}
    runs: dict[Place, tuple[Cell, Path]] = {}
    for place in grid(scale, paper, exhibit, reach):
        where = place.row, place.column, place.protocol
        if isinstance(found, OfObservations) and found.kind == "runs":
            folders = place_folders(scale, paper, place)
            runs |= {(*where, seed): (place.cell, f) for seed, f in enumerate(folders)}
        elif isinstance(found, OfObservations):
            runs[where] = (place.cell, observation_folder(scale, paper, place.cell, SEED))
        else:
            runs[where] = (place.cell, place_folders(scale, paper, place)[SEED])
    return runs


def analysis_inputs(scale: str, paper: str, exhibit: str, reach: str = EVERYTHING) -> list[Path]:
    """The files that decide an analysis: records of runs, checksums of datasets."""
    found = load_exhibit(paper, exhibit)
    if not isinstance(found, Analysis):
        return []
    runs = analysed_folders(scale, paper, exhibit, reach).values()
    records = dict.fromkeys(folder / RECORD for _, folder in runs)
    read = found.datasets if isinstance(found, Analysed) else []
    return [*records, *(Path(f"{dataset_file(name)}.sha256") for name in read)]


def observation(scale: str, paper: str, recipe: str) -> Observation:
    """What is observed of the runs of a recipe, after what the scale makes sparser."""
    known = load_paper(paper).observations
    if recipe not in known:
        raise unknown_name(
            "observed recipe", recipe, list(known), f"observations in config/papers/{paper}.yaml"
        )
    sparser = load_scale(scale).observations.get(paper, {}).get(recipe, Sparser())
    changed = {k: v for k, v in sparser if v is not None}
    # prose does not decide what is observed
    return known[recipe].model_copy(update={**changed, "open": {}})


def is_judged(scale: str, paper: str, check: Check, reach: str = EVERYTHING) -> bool:
    """Whether everything that a statement speaks of is run at a scale, on a machine."""
    name = str(check.exhibit)
    if not is_made(scale, paper, name, reach):
        return False
    found = load_analysis(paper, name)
    if not isinstance(found, Cells):
        return True
    asked = {
        (row, column, found.protocols[0])
        for row in check.rows or found.row_names
        for column in check.columns or found.column_names
    }
    return asked <= {place[:3] for place in analysed_folders(scale, paper, name, reach)}


def judged_files(scale: str, paper: str, reach: str = EVERYTHING) -> list[Path]:
    """What statements are judged from: the values of analyses."""
    asked = [claim.check for claim in load_paper(paper).claims.values() if claim.check.judge]
    judged = [str(check.exhibit) for check in asked if is_judged(scale, paper, check, reach)]
    return [analysis_folder(scale, paper, name) / VALUES for name in dict.fromkeys(judged)]
