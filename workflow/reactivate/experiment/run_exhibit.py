"""An exhibit at a scale: its cells, what it is made from, and its code."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from reactivate.experiment import paths
from reactivate.experiment.catalog.catalog import is_lacking
from reactivate.experiment.cell import Cell
from reactivate.experiment.exhibits import (
    Analysed,
    Analysis,
    Best,
    Cells,
    Exhibit,
    OfMeasurements,
    OfNetworks,
    OfObservations,
    Quoted,
    Recomputed,
)
from reactivate.experiment.measurements import Fewer
from reactivate.experiment.paper import Paper
from reactivate.experiment.places import Place, places_of
from reactivate.experiment.run_cell import RunCell, measurement_at
from reactivate.experiment.scales import PRINTED_SCALE, PaperScale, Selection
from reactivate.experiment.statements import Check
from reactivate.experiment.sweeps import SweepRecipe

SEED = 0  # where one network of each kind is looked at, as in the documents
# row, column, protocol; and the seed where all are read
Where = tuple[str, str, str] | tuple[str, str, str, int]


@dataclass(frozen=True)
class RunExhibit:
    """An exhibit of a paper at a scale, as far as a machine can run it."""

    scale: str
    paper: Paper
    limits: PaperScale  # of the paper at this scale
    stand_ins: dict[str, str]
    reach: dict[str, Selection] | None  # image networks that the machine can run; None: all
    name: str

    @property
    def form(self) -> Exhibit:
        """The exhibit as it is configured."""
        return self.paper.exhibits[self.name]

    @cached_property
    def places(self) -> list[Place]:
        """The numbers that are run, on the datasets that stand in for those not at hand."""
        if not isinstance(self.form, Cells):
            return []
        selection = self.limits.exhibits.get(self.name, Selection())
        places = self._chosen(self.form, selection)
        return [self._standing_in(place) for place in places if self._within_reach(place)]

    def place(self, row: str, column: str, protocol: str) -> Place:
        """The place of a number that is run."""
        return self._places[row, column, protocol]

    @cached_property
    def _places(self) -> dict[tuple[str, str, str], Place]:
        return {_where(place): place for place in self.places}

    def _chosen(self, form: Cells, selection: Selection) -> list[Place]:
        """The numbers of a part of the exhibit, on the printed datasets."""
        paper = self.paper
        return places_of(form, selection, paper.recipes, paper.measurements, paper.models)

    def _within_reach(self, place: Place) -> bool:
        """Whether the machine can run a cell: small networks always, others if they are listed."""
        if self.reach is None or isinstance(self.paper.recipes[place.cell.recipe], SweepRecipe):
            return True
        chosen = self.reach.get(self.name)
        return chosen is not None and chosen.holds(place.protocol, place.row, place.column)

    def _standing_in(self, place: Place) -> Place:
        name = self.stand_ins.get(place.cell.dataset)
        return place if name is None else replace(place, cell=replace(place.cell, dataset=name))

    def cell(self, place: Place) -> RunCell:
        """The cell behind a number."""
        if place.cell not in self._cells:
            self._cells[place.cell] = RunCell(self.scale, self.paper, self.limits, place.cell)
        return self._cells[place.cell]

    @cached_property
    def _cells(self) -> dict[Cell, RunCell]:
        """Cells that were asked for: each resolves its settings once, for all its numbers."""
        return {}

    def folders(self, place: Place, root: Path = paths.RESULTS) -> list[Path]:
        """Folders of the records of a number: of its runs, or of measurements after them."""
        cell = self.cell(place)
        if place.measurement is None:
            return cell.folders(root)
        return cell.measurement_folders(place.measurement, root)

    def is_cut(self, row: str, column: str, protocol: str) -> bool:
        """Whether the run behind a number is a smaller one than the printed run.

        It is where data stands in for the printed data, or where the scale cuts the recipe or
        what is measured. Fewer seeds are no cut: they widen the interval.
        """
        place = self._printed_places.get((row, column, protocol))
        if place is None:  # nothing is run there at any scale
            return self.scale != PRINTED_SCALE
        cell = self.cell(self._standing_in(place))
        if cell.cell != place.cell or cell.is_cut:
            return True
        name = place.measurement
        return name is not None and cell.measurement(name) != measurement_at(
            self.paper, PaperScale(), name
        )

    @property
    def overrides(self) -> list[str]:
        """What this scale changes of the exhibit, and of the runs behind it, in words."""
        if self.scale == PRINTED_SCALE:
            return []
        own = self.limits.settings.get(self.name, {})
        said = [f"{key} = {value}" for key, value in own.items()]
        for place in self.places:
            said += [f"{key} = {value}" for key, value in self.overrides_of(place).items()]
        return list(dict.fromkeys(said))

    def overrides_of(self, place: Place) -> dict[str, str]:
        """What this scale changes of the run behind one number."""
        if self.scale == PRINTED_SCALE:
            return {}
        limit = self.cell(place).limit
        kept = limit.model_dump(
            exclude_none=True, exclude={"seeds", "tests", "lr_factor", "arguments"}
        )
        changed = {key: f"{value:g}" for key, value in kept.items()}
        changed |= {key: str(value) for key, value in limit.arguments.items()}
        if limit.lr_factor is not None:
            factor = limit.lr_factor.get(place.cell.parameterization, limit.lr_factor["default"])
            changed["lr_factor"] = f"{factor:g}"
        if self._has_stand_in(place):
            printed = self._printed_places[_where(place)]
            changed["dataset"] = f"{place.cell.dataset} for {printed.cell.dataset}"
        fewer = self.limits.measurements.get(place.measurement or "", Fewer())
        return changed | {k: str(v) for k, v in fewer if v is not None}

    def stands_in(self, check: Check) -> bool:
        """Whether other data took the place of printed ones in what a claim speaks of."""
        return any(
            self._has_stand_in(place)
            for place in self.places
            if place.row in (check.rows or [place.row])
            and place.column in (check.columns or [place.column])
        )

    @property
    def unsupplied(self) -> list[str]:
        """Datasets that the printed scale needs for this exhibit, and that were not supplied."""
        is_printed = self.scale == PRINTED_SCALE
        every = self._printed_places.values() if is_printed else ()
        names = dict.fromkeys(place.cell.dataset for place in every)
        return [name for name in names if is_lacking(name)]

    @cached_property
    def _printed_places(self) -> dict[tuple[str, str, str], Place]:
        """Each number of the exhibit that can be run, on the dataset that the document uses."""
        if not isinstance(self.form, Cells):
            return {}
        return {_where(place): place for place in self._chosen(self.form, Selection())}

    def _has_stand_in(self, place: Place) -> bool:
        return place.cell.dataset != self._printed_places[_where(place)].cell.dataset

    @cached_property
    def is_made(self) -> bool:
        """Whether the exhibit has anything to show at this scale."""
        form = self.form
        if isinstance(form, Quoted):
            return False
        if isinstance(form, Best):
            run = {place.row for place in replace(self, name=form.of).places}
            return any(run.issuperset(rows) for rows in form.over.values())
        return not isinstance(form, Cells) or self.is_computed or bool(self.places)

    @property
    def is_computed(self) -> bool:
        """Whether a function computes numbers of the table."""
        return isinstance(self.form, Recomputed) and self.form.function is not None

    @property
    def on_gpu(self) -> bool:
        """Whether the exhibit's analysis is one for a GPU, where there is one."""
        return isinstance(self.form, OfNetworks) and self.form.on_gpu

    def file(self, ending: str, root: Path = paths.RESULTS) -> Path:
        """A file of the exhibit: ``csv``, ``md``, ``tex``, ``png``, ``provenance.json``."""
        return paths.exhibit_file(self.scale, self.paper.paper, self.name, ending, root)

    @property
    def analysis_folder(self) -> Path:
        """Folder of the exhibit's analysis."""
        return paths.analysis_folder(self.scale, self.paper.paper, self.name)

    @property
    def records(self) -> list[Path]:
        """Files that the exhibit is made from: records of an analysis or runs, or a table."""
        form = self.form
        if isinstance(form, Best):
            return [replace(self, name=form.of).file("provenance.json")]
        analysis = self.analysis_folder / paths.RECORD
        if isinstance(form, Analysis):
            return [analysis]
        folders = [folder for place in self.places for folder in self.folders(place)]
        runs = [folder / paths.RECORD for folder in dict.fromkeys(folders)]
        return [*([analysis] if self.is_computed else []), *runs]

    @property
    def settings(self) -> dict[str, Any]:
        """Arguments of the exhibit's analysis: as printed, but for what the scale changes."""
        printed = self.form.settings if isinstance(self.form, Analysis) else {}
        return {**printed, **self.limits.settings.get(self.name, {})}

    @property
    def analysed(self) -> dict[Where, tuple[Cell, Path]]:
        """Cell and folder of every run that the exhibit's analysis reads, by its place."""
        runs: dict[Where, tuple[Cell, Path]] = {}
        for place in self.places if isinstance(self.form, Analysis) else ():
            where = _where(place)
            folders = self._observed(place) if self.is_observed else self.folders(place)
            if self.reads_every_seed:
                runs |= {(*where, seed): (place.cell, f) for seed, f in enumerate(folders)}
            else:
                runs[where] = (place.cell, folders[SEED])
        return runs

    def _observed(self, place: Place) -> list[Path]:
        """Folders of what was observed of a place's networks, by seed."""
        of_paper = self.scale, self.paper.paper, place.cell
        return [paths.observation_folder(*of_paper, n) for n in range(self.cell(place).seeds)]

    @property
    def is_observed(self) -> bool:
        """Whether the exhibit's analysis looks at what was observed during trainings."""
        return isinstance(self.form, OfObservations) and self.form.kind == "observed"

    @property
    def reads_every_seed(self) -> bool:
        """Whether the exhibit's analysis looks at all seeds of its cells, or at the first."""
        form = self.form
        if isinstance(form, OfObservations) and form.kind == "runs":
            return True
        return isinstance(form, OfNetworks | OfObservations) and form.every_seed

    @property
    def inputs(self) -> list[Path]:
        """The files that decide the exhibit's analysis: records of runs, checksums of datasets."""
        records = dict.fromkeys(folder / paths.RECORD for _, folder in self.analysed.values())
        read = self.form.datasets if isinstance(self.form, Analysed) else []
        return [*records, *(Path(f"{paths.dataset_file(name)}.sha256") for name in read)]

    def judges(self, check: Check) -> bool:
        """Whether every number that a statement about the exhibit speaks of is run."""
        if not self.is_made:
            return False
        if not isinstance(self.form, Cells):
            return True
        asked = {
            (row, column, self.form.protocols[0])
            for row in check.rows or self.form.row_names
            for column in check.columns or self.form.column_names
        }
        return asked <= {where[:3] for where in self.analysed}

    def modules(self, stage: str) -> tuple[str, ...]:
        """Targets of the code that computes or draws the exhibit, for its digest.

        That is the stage, the function and, where it computes with networks, their parts.
        """
        form, targets = self.form, (f"reactivate.stages.{stage}",)
        if isinstance(form, Analysis) and stage == "plot":
            return *targets, form.picture
        function = None if isinstance(form, Best | Quoted) else form.function
        networks = set[str]()
        runs = isinstance(form, OfObservations) and form.kind == "runs"  # may load their networks
        if runs or isinstance(form, OfNetworks | OfMeasurements):
            assert isinstance(form, Cells)
            whole = self._printed_places.values()
            networks = {part for place in whole for part in self.cell(place).parts}
        return *targets, *([function] if function else []), *sorted(networks)


def _where(place: Place) -> tuple[str, str, str]:
    return place.row, place.column, place.protocol
