"""A cell at a scale: its settings, seeds, folders and code."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from reactivate.activations import ACTIVATIONS
from reactivate.defences import DEFENCES
from reactivate.experiment import paths
from reactivate.experiment.cell import Cell
from reactivate.experiment.loading import PAPERS, load_scale, load_seeds
from reactivate.experiment.measurements import AnyMeasurement, Fewer
from reactivate.experiment.observations import Observation, Sparser
from reactivate.experiment.paper import Image, Paper
from reactivate.experiment.recipes import Defended, Detected, Segmented, Training
from reactivate.experiment.scales import PRINTED_SCALE, Limits, PaperScale
from reactivate.experiment.seeds import least_seeds
from reactivate.experiment.settings import ImageSettings, SweepSettings, settings_of
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.foundation.registry import unknown_name
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS


@dataclass(frozen=True)
class RunCell:
    """A cell of a paper at a scale, with its settings, seeds, folders and code."""

    scale: str
    paper: Paper
    limits: PaperScale  # of the paper at this scale
    cell: Cell

    @property
    def recipe(self) -> SweepRecipe | Training:
        """The recipe that trains the cell, as printed."""
        return self.paper.recipes[self.cell.recipe]

    @property
    def limit(self) -> Limits:
        """The changes that the scale makes to the recipe.

        Raises:
            ValueError: A scale below the printed one says nothing of the recipe: its runs would
                take as long as the printed ones.
        """
        if self.scale == PRINTED_SCALE:
            return Limits()
        if self.cell.recipe not in self.limits.recipes:
            raise ValueError(
                f"{PAPERS / self.paper.paper / 'scales.yaml'}: {self.scale}.recipes says nothing "
                f"of {self.cell.recipe}; write what the scale cuts of it, or {{}} for nothing"
            )
        return self.limits.recipes[self.cell.recipe]

    @cached_property
    def settings(self) -> SweepSettings | ImageSettings:
        """All settings that decide the numbers of the cell."""
        return settings_of(self.paper, self.cell, self.limit)

    @property
    def is_cut(self) -> bool:
        """Whether the scale changes any setting that decides the numbers, besides the seeds."""
        if self.scale == PRINTED_SCALE:
            return False
        idle = Limits(seeds=self.limit.seeds, tests=self.limit.tests)
        return self.settings != settings_of(self.paper, self.cell, idle)

    @property
    def image_settings(self) -> ImageSettings:
        """All settings that decide the numbers of an image network.

        Raises:
            ValueError: The cell is a small network of the stage sweep.
        """
        if not isinstance(self.settings, ImageSettings):
            raise ValueError(f"{self.cell} is a small network; train it with the stage sweep")
        return self.settings

    @property
    def sweep_settings(self) -> SweepSettings:
        """All settings that decide the numbers of small networks.

        Raises:
            ValueError: The cell is an image network.
        """
        if not isinstance(self.settings, SweepSettings):
            raise ValueError(f"{self.cell} is an image network; train it with the stage train")
        return self.settings

    @property
    def seeds(self) -> int:
        """The number of seeds that are trained: the recipe's at this scale, or more."""
        raised = load_seeds(self.paper.paper).get(self.scale, {})
        return raised.get(self.cell) or least_seeds(self.recipe, self.limit, self.cell.activation)

    @property
    def backbone(self) -> "RunCell | None":
        """The cell whose weights the network starts from; None if it starts from random ones."""
        if not isinstance(self.recipe, Detected | Segmented):
            return None
        start, scale = self.recipe.backbone, load_scale(self.scale)
        coordinates = replace(
            self.cell,
            dataset=scale.stand_ins.get(start.dataset, start.dataset),
            model=start.model,
            recipe=start.recipe,
        )
        return replace(self, cell=coordinates)

    def backbone_folder(self, seed: int, root: Path = paths.RESULTS) -> Path | None:
        """Folder of the run whose weights a seed of the cell starts from, if there is one."""
        begun = self.backbone
        if begun is None:
            return None
        return paths.seed_folder(self.scale, self.paper.paper, begun.cell, seed, root)

    def backbone_folders(self, root: Path = paths.RESULTS) -> list[Path]:
        """Folders of the runs that the seeds of the cell start from; none if they start anew."""
        folders = [self.backbone_folder(seed, root) for seed in range(self.seeds)]
        return [folder for folder in folders if folder is not None]

    def folders(self, root: Path = paths.RESULTS) -> list[Path]:
        """Folders of the cell's records: one for all seeds of small networks, else one each."""
        where = self.scale, self.paper.paper, self.cell
        if isinstance(self.recipe, SweepRecipe):
            return [paths.run_folder(*where, root)]
        return [paths.seed_folder(*where, seed, root) for seed in range(self.seeds)]

    def measurement(self, name: str) -> AnyMeasurement:
        """The measurement of that name after training, with the settings that the scale lowers."""
        return measurement_at(self.paper, self.limits, name)

    def measurement_folders(self, name: str, root: Path = paths.RESULTS) -> list[Path]:
        """Folders of the records of a measurement, one for each seed."""
        stage = self.paper.measurements[name].stage
        return [
            paths.measurement_folder(
                self.scale, self.paper.paper, stage, self.cell, name, seed, root
            )
            for seed in range(self.seeds)
        ]

    @property
    def observation(self) -> Observation:
        """The observation of the cell's trainings, as sparse as the scale makes it."""
        known, recipe = self.paper.observations, self.cell.recipe
        if recipe not in known:
            where = f"observations in {PAPERS / self.paper.paper}"
            raise unknown_name("observed recipe", recipe, list(known), where)
        sparser = self.limits.observations.get(recipe, Sparser())
        changed = {key: value for key, value in sparser if value is not None}
        printed, own = known[recipe], self.cell.activation
        points = {name: sets for name, sets in printed.breakpoints.items() if name == own}
        # neither prose nor other activations decide what is observed
        return printed.model_copy(update={**changed, "breakpoints": points, "open": {}})

    @property
    def parts(self) -> tuple[str, ...]:
        """Targets of the code that the network takes from registries."""
        model = self.paper.models[self.cell.model]
        activation = ACTIVATIONS.target(self.cell.activation)
        if not isinstance(model, Image):
            return activation, BATCHED.target(self.cell.parameterization)
        parameterization = PARAMETERIZATIONS.target(self.cell.parameterization)
        return activation, parameterization, MODELS.target(model.network)

    def modules(self, stage: str | None = None) -> tuple[str, ...]:
        """Targets of the code of a stage on this cell, by default of the stage that trains it."""
        stage = stage or self.recipe.stage
        targets = (f"reactivate.stages.{stage}", *self.parts)
        if isinstance(self.recipe, Defended) and stage == self.recipe.stage:
            targets += (DEFENCES.target(self.recipe.defence.name),)
        return targets


def measurement_at(paper: Paper, limits: PaperScale, name: str) -> AnyMeasurement:
    """A measurement of a paper, with the settings that a scale lowers."""
    if name not in paper.measurements:
        known = list(paper.measurements)
        raise unknown_name("measurement", name, known, str(PAPERS / paper.paper))
    printed = paper.measurements[name]
    fewer = limits.measurements.get(name, Fewer())
    changed: dict[str, object] = {key: value for key, value in fewer if value is not None}
    if "open" in type(printed).model_fields:
        changed["open"] = {}  # prose does not decide what is measured
    return printed.model_copy(update=changed)
