"""What the next look at a claim has to run, and how long that takes."""

from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from reactivate.evidence.records import read_record
from reactivate.experiment.costs.limits import predict
from reactivate.experiment.experiment import stages_of_recipes
from reactivate.experiment.outputs import made_with
from reactivate.experiment.paths import (
    PUBLISHED,
    RECORD,
    RESULTS,
    measurement_folder,
    observation_folder,
    seed_folder,
)
from reactivate.experiment.run_cell import RunCell


@dataclass
class Work:
    """Records that a look needs and that are not there, each with its core-seconds."""

    seconds: dict[Path, float | None] = field(default_factory=dict)  # None: nobody knows

    @property
    def hours(self) -> float | None:
        """Core-hours of all of them; None if nobody knows."""
        every = list(self.seconds.values())
        known = [seconds for seconds in every if seconds is not None]
        return sum(known) / 3600 if len(known) == len(every) else None

    def add_seeds(self, cell: RunCell, measurement: str | None, seeds: int, whole: bool) -> None:
        """Counts the runs of a cell, and what is measured of them, that so many seeds need.

        Args:
            cell: The cell.
            measurement: What is measured of its networks.
            seeds: How many it will have.
            whole: Whether earlier runs are needed with all their files, networks among them.
        """
        for seed in range(seeds):
            needs_network = whole
            if measurement is not None:
                stage = cell.paper.measurements[measurement].stage
                folder = _measured(cell, stage, measurement, seed)
                if not is_there(folder / RECORD, whole):
                    self._add(folder / RECORD, stage, cell, measurement)
                    needs_network = True
            run = seed_folder(cell.scale, cell.paper.paper, cell.cell, seed) / RECORD
            if not is_there(run, needs_network):
                self._add(run, cell.recipe.stage, cell, None)
                begun = cell.backbone
                if begun is not None:
                    self.add_seed(begun, seed)

    def add_observations(self, cell: RunCell, seeds: int) -> None:
        """Counts the observed trainings of a cell that so many seeds need."""
        for seed in range(seeds):
            folder = observation_folder(cell.scale, cell.paper.paper, cell.cell, seed)
            if not is_there(folder / RECORD, whole=True):
                self._add(folder / RECORD, "observe", cell, None)

    def add_seed(self, cell: RunCell, seed: int) -> None:
        """Counts one run of a cell, unless it is there with its network."""
        run = seed_folder(cell.scale, cell.paper.paper, cell.cell, seed) / RECORD
        if not is_there(run, whole=True):
            self._add(run, cell.recipe.stage, cell, None)

    def add_analysis(self, record: Path) -> None:
        """Counts an analysis that is made again, as long as it took before."""
        self.seconds[record] = _recorded([record]) or 0.0

    def _add(self, record: Path, stage: str, cell: RunCell, measurement: str | None) -> None:
        published = PUBLISHED / record.parent.parent.relative_to(RESULTS)
        siblings = (folder.glob(f"seed*/{RECORD}") for folder in (record.parent.parent, published))
        known = next(filter(None, (_recorded(list(found)) for found in siblings)), None)
        self.seconds[record] = known or _predicted(stage, cell, measurement)


def core_seconds(record: Path) -> float:
    """Core-seconds that a run, measurement or analysis took."""
    kept = read_record(record)
    return kept.times.seconds * kept.environment.machine.threads


def is_there(record: Path, whole: bool) -> bool:
    """Whether a record is there; as a ``whole`` with all files that Snakemake expects of it."""
    files = made_with([record], stages_of_recipes()) if whole else [record]
    return all(file.exists() for file in files)


def _measured(cell: RunCell, stage: str, measurement: str, seed: int) -> Path:
    where = cell.scale, cell.paper.paper, stage, cell.cell, measurement, seed
    return measurement_folder(*where)


def _recorded(records: list[Path]) -> float | None:
    """Mean core-seconds of records that are there; None if there are none."""
    found = [core_seconds(record) for record in records if record.exists()]
    return fmean(found) if found else None


def _predicted(stage: str, cell: RunCell, measurement: str | None) -> float | None:
    """Core-seconds by the cost model; None where it does not know the work."""
    names = {
        "scale": cell.scale,
        "paper": cell.paper.paper,
        "dataset": cell.cell.dataset,
        "cell": cell.cell.stem,
    }
    if measurement is not None:
        names["measurement"] = measurement
    predicted = predict(stage, names, 0)
    return None if predicted is None else predicted.seconds
