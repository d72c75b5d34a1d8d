"""Estimates of the time of a job, from the times that finished runs recorded."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from reactivate.evidence.environment import Machine
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import PROVENANCE, read_provenance
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.catalog.catalog import Dataset, dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_scales
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS

# how a time is known: of the same run, of the like, from another scale
RECORDED, ALIKE, SCALED, UNKNOWN = BASES = ("recorded", "alike", "scaled", "unknown")
JUDGED = "claims.json"
SIDE = 224  # of ImageNet's images, which have no size of their own


@dataclass(frozen=True)
class Past:
    """A run that finished, here or where it was published."""

    place: str  # below results/ or published/
    seconds: float
    machine: Machine
    record: Record | None  # judgements have none of their own

    @classmethod
    def read(cls, path: Path, root: Path) -> "Past | None":
        """The time in a ``run.json``, a ``claims.json`` or a figure's ``provenance.json``.

        None for a table, which is collected in no time.
        """
        place = path.relative_to(root).as_posix()
        if path.name == JUDGED:
            judged = read_judgements(path)
            seconds = sum(looked.seconds for looked in judged.looked.values())
            return cls(place, float(seconds), judged.environment.machine, None)
        record = read_record(path) if path.name == RECORD else read_provenance(path).record
        if record is None:
            return None
        return cls(place, record.times.seconds, record.environment.machine, record)

    @property
    def cell(self) -> Cell | None:
        """The cell that the run trained or measured, if it is the run of a cell."""
        return None if self.record is None else self.record.cell

    @property
    def rule(self) -> str:
        """The rule that made the files of the run, if it is the run of a cell."""
        return "" if self.record is None or self.cell is None else self.record.stage

    def scaled(self, factor: float) -> float:
        """Seconds of a run with so many times the work; the start takes as long as ever."""
        training = None if self.record is None else self.record.times.training_seconds
        worked = self.seconds if training is None else training
        return self.seconds - worked + worked * factor


@dataclass(frozen=True)
class Estimate:
    """The time of a job, and how it is known."""

    basis: str
    seconds: float = 0.0
    threads: int = 1
    gpu: bool = False  # whether it was measured on one


class Times:
    """The times of all runs that finished."""

    def __init__(self, roots: Iterable[Path] = (PUBLISHED, RESULTS)) -> None:
        self.same: dict[str, Past] = {}
        for root in roots:  # a run of this clone replaces the published one
            for path in sorted(root.rglob("*.json")):
                if path.name in (RECORD, JUDGED) or path.name.endswith(PROVENANCE):
                    past = Past.read(path, root)
                    if past is not None:
                        self.same[past.place] = past
        self.amounts: dict[str, float] = {}
        self.like: dict[tuple[str, ...], list[Past]] = defaultdict(list)
        for past in self.same.values():
            if past.cell is not None:
                for key in _kinds(past.place, past.cell):
                    self.like[key].append(past)

    def estimate(self, outputs: Iterable[str]) -> Estimate:
        """The time that it will take to make files, by the first way to know it that works.

        As long as the same run took; as runs of the same recipe and network at the same scale, on
        the same data or else on any; as runs of that network at another scale or by another
        recipe, in proportion to epochs, images, pixels and width.
        """
        places = [Path(o).relative_to(RESULTS).as_posix() for o in outputs if _is_result(o)]
        for place in places:
            if place in self.same and self.same[place].seconds:
                past = self.same[place]
                gpu = past.machine.gpu is not None
                return Estimate(RECORDED, past.seconds, past.machine.threads, gpu)
        for place in places:
            parts = place.split("/")  # scale, paper, stage, dataset, cell
            if parts[-1] == RECORD and len(parts) > 5:
                cell = Cell.parse(parts[3], parts[4])
                return self._alike(place, cell) or self.scaled(place, cell)
        return Estimate(UNKNOWN)

    def scaled(self, place: str, cell: Cell, same_scale: bool = True) -> Estimate:
        """The time by runs of that network at another scale, or at this one by another recipe."""
        scale = place.split("/")[0]
        others = [name for name in load_scales() if name != scale][::-1]  # the largest first
        same_data, any_data, any_recipe = _kinds(place, cell)
        keys = [(o, *key[1:]) for o in others for key in (same_data, any_data)]
        keys += [(o, *any_recipe[1:]) for o in [*([scale] if same_scale else []), *others]]
        for key in keys:
            alike = [past for past in self.like.get(key, []) if self._amount_of(past)]
            if alike:
                amount = _amount(place, cell)
                times = [past.scaled(amount / self._amount_of(past)) for past in alike]
                return _mean(SCALED, alike, times)
        return Estimate(UNKNOWN)

    def exaggeration(self, scale: str, rule: str) -> tuple[float, int]:
        """Ratio of scaled times to recorded ones: the median, and the number of runs behind it."""
        ratios = []
        for past in self.same.values():
            if past.place.startswith(f"{scale}/") and past.cell and past.rule == rule:
                guess = self.scaled(past.place, past.cell, same_scale=False)
                if guess.basis == SCALED and past.seconds:
                    ratios.append(guess.seconds / past.seconds)
        return (median(ratios), len(ratios)) if ratios else (1.0, 0)

    def _alike(self, place: str, cell: Cell) -> Estimate | None:
        same_data, any_data, _ = _kinds(place, cell)
        alike = self.like.get(same_data) or self.like.get(any_data)
        return _mean(ALIKE, alike, [past.seconds for past in alike]) if alike else None

    def _amount_of(self, past: Past) -> float:
        if past.place not in self.amounts:
            assert past.cell is not None  # alike are cells
            try:
                amount = _amount(past.place, past.cell)
            except ValueError:  # the configuration no longer has it
                amount = 0.0
            self.amounts[past.place] = amount
        return self.amounts[past.place]


def _mean(basis: str, runs: list[Past], seconds: list[float]) -> Estimate:
    threads = max(past.machine.threads for past in runs)
    gpu = all(past.machine.gpu is not None for past in runs)
    return Estimate(basis, fmean(seconds), threads, gpu)


def _is_result(output: str) -> bool:
    return Path(output).is_relative_to(RESULTS)


def _kinds(place: str, cell: Cell) -> tuple[tuple[str, ...], ...]:
    """The coordinates that alike runs share: with their data, without, and by any recipe."""
    parts = place.split("/")
    scale, paper, stage = parts[:3]
    measured = parts[5] if len(parts) > 7 else ""  # scale/paper/stage/data/cell/measurement/seed
    network = scale, paper, stage, cell.model
    alike = (*network, cell.recipe, measured)
    return (*alike, cell.dataset), alike, network


def _amount(place: str, cell: Cell) -> float:
    """The work of a run, in images times pixels times width.

    Arithmetic grows with the square of the width, what surrounds it does not grow at all; the
    width itself is a choice between the two that recorded times do not settle: from smoke to
    laptop the time for an image grew with a power of it from -1.6 to 2.4, median 0.3, of 21
    recipes, beside other work and with other batches. So it is a rough guess, and
    :meth:`Times.exaggeration` says how rough.
    """
    parts = place.split("/")
    scale, paper, stage = parts[:3]
    data, run = dataset(cell.dataset), Experiment.load(scale).cell(paper, cell)
    if isinstance(data, Dataset):
        small = run.sweep_settings
        networks = small.recipe.splits.seeds * small.hidden
        return float(small.recipe.epochs * data.rows * small.data_fraction * networks)
    images = run.image_settings
    recipe = images.recipe
    side = recipe.side or (recipe.pictures and SIDE) or _side(data)
    each = side**2 * images.model.width
    if stage in ("runs", "observe"):
        epochs = images.epochs or recipe.epochs or (recipe.iterations or 0) / images.printed_epoch
        return float(epochs * data.train * images.data_fraction * each)
    asked = run.measurement(parts[5]).model_dump()
    seen = min(asked["images"] or data.test, data.test // asked.get("every", 1))
    samples = asked.get("n", 0) + asked.get("n0", 0)
    steps = asked.get("attack", asked).get("steps", 1)
    return float(seen * (samples or steps) * each)


def _side(data: Sized) -> int:
    shape = getattr(data, "shape", None)
    return SIDE if shape is None else int(shape[-1])
