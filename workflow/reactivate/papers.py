"""Loads and checks the configuration; yields exhibits, cells and the settings of a run."""

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

from reactivate.activations import ACTIVATIONS
from reactivate.checking import check_cell, check_lr, check_scale
from reactivate.configuration import Strict, read_yaml, validate
from reactivate.datasets.catalog import dataset
from reactivate.datasets.imagesets import Sized
from reactivate.exhibits import Analysis, Cells, Exhibit, Recomputed
from reactivate.grids import GridCell, product, with_stand_in, within
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS
from reactivate.recipes import Training
from reactivate.records import RECORD
from reactivate.registry import unknown_name
from reactivate.runs import RESULTS, Cell, analysis_folder, run_folder, seed_folder
from reactivate.schema import Image, Limits, Mlp, Paper, Reach, Recipe, Scale, Selection

CONFIG = Path("config")


class Settings(Strict):
    """Everything that decides the numbers of a run: its recipe after the scale's limits."""

    recipe: Recipe
    hidden: int
    data_fraction: float

    @property
    def lr(self) -> float | None:
        """The learning rate; None when cross-validation chooses it."""
        return self.recipe.lr["default"] if isinstance(self.recipe.lr, dict) else None


class ImageSettings(Strict):
    """Everything that decides the numbers of an image network, but its seed."""

    recipe: Training
    model: Image
    classes: int
    epochs: int | None  # fewer than the recipe's, at a smaller scale
    printed_epoch: int  # steps of an epoch of the printed run
    data_fraction: float

    @property
    def lr(self) -> float:
        """The initial learning rate."""
        return self.recipe.lr["default"]


EVERYTHING = "all"  # the reach of a machine that can run a whole scale


@lru_cache
def paper_names() -> tuple[str, ...]:
    """Keys of the documents that have a configuration."""
    return tuple(sorted(path.stem for path in (CONFIG / "papers").glob("*.yaml")))


@lru_cache
def load_paper(name: str) -> Paper:
    """One document's configuration, checked."""
    path = CONFIG / "papers" / f"{name}.yaml"
    if not path.exists():
        raise unknown_name("paper", name, list(paper_names()), str(path.parent))
    data = read_yaml(path)
    recipes = data.get("recipes", {})
    if not isinstance(recipes, dict):
        raise ValueError(
            f"{path}: recipes is {recipes!r}; accepted: a mapping of names to recipes"
        )
    for key, recipe in recipes.items():
        recipes[key] = _inherit(key, recipe, recipes, path)
    paper = validate(Paper, data, path)
    if paper.paper != name:
        raise ValueError(f"{path}: paper is {paper.paper!r}, but the file is named {name!r}")
    for key, checked in paper.recipes.items():
        check_lr(key, checked, path)
    for exhibit in paper.run_exhibits.values():
        for place in product(exhibit, Selection()):
            check_cell(paper, place.cell, path)
    return paper


def _inherit(key: str, recipe: Any, recipes: dict[str, Any], path: Path) -> Any:
    """A recipe with ``like: other`` starts from the other's keys."""
    if not isinstance(recipe, dict) or "like" not in recipe:
        return recipe
    base = recipe["like"]
    if not isinstance(recipes.get(str(base)), dict) or "like" in recipes[base]:
        raise ValueError(
            f"{path}: recipes.{key}.like is {base!r}; accepted: a recipe written above it in full"
        )
    return {**recipes[base], **{k: v for k, v in recipe.items() if k != "like"}}


@lru_cache
def load_scales() -> dict[str, Scale]:
    """All scales, checked: names they mention exist, and ``paper`` changes nothing."""
    path = CONFIG / "scales.yaml"
    scales = {name: validate(Scale, data, path, name) for name, data in read_yaml(path).items()}
    papers = {name: load_paper(name) for name in paper_names()}
    for name, scale in scales.items():
        check_scale(name, scale, papers, path)
    return scales


def load_scale(name: str) -> Scale:
    """One scale by name."""
    if name not in load_scales():
        raise unknown_name("scale", name, list(load_scales()), "config/scales.yaml")
    return load_scales()[name]


def load_exhibit(paper: str, exhibit: str) -> Exhibit:
    """One exhibit of a paper by name."""
    exhibits = load_paper(paper).exhibits
    if exhibit not in exhibits:
        raise unknown_name("exhibit", exhibit, list(exhibits), f"config/papers/{paper}.yaml")
    return exhibits[exhibit]


def load_reach(scale: str, name: str) -> Reach | None:
    """What a machine can run of a scale; None for all of it."""
    known = [EVERYTHING, *(name for every in load_scales().values() for name in every.reaches)]
    if name not in known:
        raise unknown_name("reach", name, known, "config/scales.yaml")
    return load_scale(scale).reaches.get(name)


def grid(scale: str, paper: str, exhibit: str, reach: str = EVERYTHING) -> list[GridCell]:
    """The cells of an exhibit that a scale runs, and a machine can.

    Datasets that the scale replaces by stand-ins are replaced here.
    """
    found = load_exhibit(paper, exhibit)
    if not isinstance(found, Cells):
        raise ValueError(f"{paper}/{exhibit} has no runs; accepted: a trained exhibit or curves")
    chosen = load_scale(scale)
    cells = product(found, chosen.exhibits.get(paper, {}).get(exhibit, Selection()))
    limited = load_reach(scale, reach)
    if limited is not None:
        cells = [c for c in cells if within(limited, load_paper(paper), exhibit, c)]
    return [with_stand_in(c, chosen.stand_ins) for c in cells]


def exhibits_made(scale: str, paper: str, reach: str = EVERYTHING) -> list[str]:
    """The exhibits that a scale makes of a paper: all but those without any cell to show."""
    return [
        name
        for name, exhibit in load_paper(paper).exhibits.items()
        if not isinstance(exhibit, Cells)
        or is_computed(paper, name)
        or grid(scale, paper, name, reach)
    ]


def seeds(scale: str, paper: str, cell: Cell) -> int:
    """How many seeds of a cell a scale trains."""
    recipe = load_paper(paper).recipes[cell.recipe]
    printed = recipe.splits.seeds if isinstance(recipe, Recipe) else recipe.seeds
    return _limits(scale, paper, cell).seeds or printed


def run_folders(scale: str, paper: str, cell: Cell, root: Path = RESULTS) -> list[Path]:
    """Where the records of a cell are: one for all seeds of small networks, else one each."""
    if isinstance(load_paper(paper).recipes[cell.recipe], Recipe):
        return [run_folder(scale, paper, cell, root)]
    return [
        seed_folder(scale, paper, cell, seed, root) for seed in range(seeds(scale, paper, cell))
    ]


def records(scale: str, paper: str, exhibit: str, reach: str = EVERYTHING) -> list[Path]:
    """The records behind an exhibit: of the analysis that computed it, and of its runs."""
    analysis = analysis_folder(scale, paper, exhibit) / RECORD
    if isinstance(load_exhibit(paper, exhibit), Analysis):
        return [analysis]
    found = [analysis] if is_computed(paper, exhibit) else []
    if has_runs(paper, exhibit):
        cells = dict.fromkeys(place.cell for place in grid(scale, paper, exhibit, reach))
        found += [f / RECORD for cell in cells for f in run_folders(scale, paper, cell)]
    return found


def _limits(scale: str, paper: str, cell: Cell) -> Limits:
    return load_scale(scale).recipes.get(paper, {}).get(cell.recipe, Limits())


def at(by_parameterization: dict[str, float], name: str) -> float:
    """The value for a parameterization, or the default."""
    return by_parameterization.get(name, by_parameterization["default"])


def image_settings(scale: str, paper: str, cell: Cell) -> ImageSettings:
    """The recipe of an image network after the limits of the scale."""
    source = load_paper(paper)
    check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = _limits(scale, paper, cell)
    recipe, model = source.recipes[cell.recipe], source.models[cell.model]
    images = dataset(cell.dataset)
    if not isinstance(recipe, Training) or not isinstance(model, Image):
        raise ValueError(f"{cell} is not an image network; train it with the stage sweep")
    if not isinstance(images, Sized):
        raise ValueError(f"{cell.dataset} is a table; choose a dataset of images")
    factors = limits.lr_factor or {"default": 1.0}
    lr = at(recipe.lr, cell.parameterization) * at(factors, cell.parameterization)
    batch = limits.batch_size or recipe.batch_size
    folds = recipe.folds or 0
    printed = images.train if not folds else images.train * (folds - 1) // folds
    return ImageSettings(
        # neither prose nor the number of seeds decides what comes out of one
        recipe=recipe.model_copy(
            update={"lr": {"default": lr}, "batch_size": batch, "open": {}, "seeds": 1}
        ),
        model=model.model_copy(update={"width": model.width * (limits.width or 1.0)}),
        classes=images.classes,
        epochs=limits.epochs,
        printed_epoch=math.ceil(printed / recipe.batch_size),
        data_fraction=limits.data_fraction or 1.0,
    )


def settings(scale: str, paper: str, cell: Cell) -> Settings:
    """The recipe of a cell after the limits of the scale."""
    source = load_paper(paper)
    check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = _limits(scale, paper, cell)
    recipe, model = source.recipes[cell.recipe], source.models[cell.model]
    if not isinstance(recipe, Recipe) or not isinstance(model, Mlp):
        raise ValueError(f"{cell} is an image network; train it with the stage train")
    lr = recipe.lr
    if isinstance(lr, dict):  # only this cell's: another row's value must not rerun it
        lr = {"default": at(lr, cell.parameterization)}
    limited = {
        "lr": lr,
        "epochs": limits.epochs or recipe.epochs,
        "splits": recipe.splits.model_copy(update={"seeds": limits.seeds or recipe.splits.seeds}),
        "open": {},  # prose
    }
    return Settings(
        recipe=recipe.model_copy(update=limited),
        hidden=max(1, round(model.hidden * (limits.width or 1.0))),
        data_fraction=limits.data_fraction or 1.0,
    )


def cell_settings(scale: str, paper: str, cell: Cell) -> Settings | ImageSettings:
    """The settings of a cell, whatever stage trains it."""
    recipe = load_paper(paper).recipes.get(cell.recipe)
    chosen = image_settings if isinstance(recipe, Training) else settings
    return chosen(scale, paper, cell)


def modules(paper: str, cell: Cell, stage: str | None = None) -> tuple[str, ...]:
    """Code that a cell takes from registries, for its digest; trained, or in another stage."""
    source = load_paper(paper)
    check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    stage = f"reactivate.stages.{stage or source.recipes[cell.recipe].stage}"
    activation = ACTIVATIONS.target(cell.activation)
    model = source.models[cell.model]
    if isinstance(model, Image):
        parameterization = PARAMETERIZATIONS.target(cell.parameterization)
        return (stage, activation, parameterization, MODELS.target(model.network))
    return (stage, activation, BATCHED.target(cell.parameterization))


def functions(paper: str, exhibit: str, stage: str = "analyse") -> tuple[str, ...]:
    """The function that computes or draws an exhibit, or a part of it, for its digest."""
    found = load_exhibit(paper, exhibit)
    if isinstance(found, Analysis) and stage == "plot":
        return (found.picture,)
    return () if found.function is None else (found.function,)


def is_computed(paper: str, exhibit: str) -> bool:
    """Whether a function computes numbers of a table."""
    found = load_exhibit(paper, exhibit)
    return isinstance(found, Recomputed) and found.function is not None


def has_runs(paper: str, exhibit: str) -> bool:
    """Whether runs are behind an exhibit."""
    return isinstance(load_exhibit(paper, exhibit), Cells)


def checks(paper: str) -> dict[str, str]:
    """Statements judged by a function, alone or from an analysis: claim and target."""
    claims = load_paper(paper).claims.items()
    targets = {name: c.check.function or c.check.judge for name, c in claims}
    return {name: target for name, target in targets.items() if target is not None}
