"""Numbers of seeds that a scale gives to single cells, above those of all cells of a recipe.

They stand in ``config/papers/{paper}/seeds.yaml`` by scale and cell. ``reactivate decide`` raises
them where more seeds decide a claim, so that what it had run is an ordinary target for everyone.
"""

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, RootModel

from reactivate.experiment.cell import NAME, Cell
from reactivate.experiment.numbers import SeedCount
from reactivate.experiment.paper import Paper
from reactivate.experiment.places import places_of
from reactivate.experiment.recipes import Training
from reactivate.experiment.scales import PRINTED_SCALE, Limits, PaperScale, Selection
from reactivate.experiment.sweeps import SweepRecipe

SEEDS = "seeds.yaml"  # in the folder of a paper
# dataset/model-activation-parameterization-recipe, as in the folders of runs
CellPath = Annotated[str, Field(pattern=f"^{NAME}/{NAME}(-{NAME}){{3}}$", max_length=300)]


class RaisedSeeds(RootModel[dict[CellPath, SeedCount]]):
    """The numbers of seeds of single cells at one scale."""

    model_config = ConfigDict(strict=True, frozen=True)

    @property
    def by_cell(self) -> dict[Cell, int]:
        """The numbers of seeds by cell."""
        return {Cell.parse(*name.split("/")): seeds for name, seeds in self.root.items()}


def least_seeds(recipe: SweepRecipe | Training, limit: Limits, activation: str) -> int:
    """The number of seeds that a scale gives to all cells of a recipe and an activation."""
    printed = recipe.splits.seeds if isinstance(recipe, SweepRecipe) else recipe.seeds
    return limit.seeds_of(activation) or printed


def why_not_raised(scale: str, paper: Paper, limits: PaperScale, cell: Cell, seeds: int) -> str:
    """Why a cell cannot have so many seeds at a scale, and what it can have; empty if it can."""
    recipe = paper.recipes[cell.recipe]
    if isinstance(recipe, SweepRecipe):
        return (
            f"all seeds of {cell.recipe} are trained as one job, so that one more would train "
            "every one of them anew; accepted: the recipe's seeds in scales.yaml"
        )
    limit = limits.recipes.get(cell.recipe, Limits())
    least = least_seeds(recipe, limit, cell.activation)
    if seeds < least:
        return f"scales.yaml gives it {least}; accepted: {least} or more"
    if seeds > least and scale == PRINTED_SCALE and "seeds" not in recipe.open:
        return (
            f"{scale} is the printed protocol and the document says of {cell.recipe} how many it "
            f"trained; accepted: {least}, or more where the recipe's open names seeds"
        )
    if recipe.folds is not None and seeds > recipe.folds:
        return f"there are only {recipe.folds} folds; accepted: at most {recipe.folds}"
    return ""


def check_raised(
    scale: str,
    raised: dict[Cell, int],
    limits: PaperScale,
    stand_ins: dict[str, str],
    paper: Paper,
    path: Path,
) -> None:
    """Raises unless a scale runs every cell of the file, and may train so many seeds of it."""
    where = f"{path}: {scale}"
    known = _cells(paper, limits, stand_ins) if raised else set()
    for cell, seeds in raised.items():
        name = f"{cell.dataset}/{cell.stem}"
        if cell not in known:
            near = get_close_matches(name, [f"{one.dataset}/{one.stem}" for one in known])
            raise ValueError(
                f"{where}: no exhibit of this scale is made from the cell {name!r}; accepted: "
                f"cells that are run at {scale}" + (f", such as {', '.join(near)}" if near else "")
            )
        if reason := why_not_raised(scale, paper, limits, cell, seeds):
            raise ValueError(f"{where}.{name} is {seeds}, but {reason}")


def _cells(paper: Paper, limits: PaperScale, stand_ins: dict[str, str]) -> set[Cell]:
    """The cells that the exhibits of a paper are made from at a scale."""
    cells = set()
    for name, exhibit in paper.run_exhibits.items():
        selection = limits.exhibits.get(name, Selection())
        for place in places_of(
            exhibit, selection, paper.recipes, paper.measurements, paper.models
        ):
            data = stand_ins.get(place.cell.dataset, place.cell.dataset)
            cells.add(replace(place.cell, dataset=data))
    return cells
