"""Loads and checks the configuration; yields exhibits, cells and the settings of a run."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from reactivate.activations import ACTIVATIONS
from reactivate.configuration import Strict, read_yaml, validate
from reactivate.datasets.catalog import dataset
from reactivate.datasets.imagesets import Sized
from reactivate.exhibits import RUN_AXES, Cells, Exhibit, Recomputed, Trained
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS
from reactivate.recipes import Training
from reactivate.registry import unknown_name
from reactivate.runs import RESULTS, Cell, run_folder, seed_folder
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
    printed_images: int  # training images of an epoch of the printed run
    data_fraction: float

    @property
    def lr(self) -> float:
        """The initial learning rate."""
        return self.recipe.lr["default"]


@dataclass(frozen=True)
class GridCell:
    """A number of an exhibit under one protocol, and the cell that is trained for it."""

    row: str
    column: str
    protocol: str
    cell: Cell
    metric: str = ""


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
        _check_lr(key, checked, path)
    for exhibit in paper.run_exhibits:
        for grid_cell in _product(paper, exhibit, Selection()):
            _check_cell(paper, grid_cell.cell, path)
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


def _check_lr(key: str, recipe: Recipe | Training, path: Path) -> None:
    """A learning rate under a name nobody has would never be used."""
    if not isinstance(recipe.lr, dict):
        return
    registry = BATCHED if isinstance(recipe, Recipe) else PARAMETERIZATIONS
    known = ["default", *registry.targets]
    for name in recipe.lr:
        if name not in known:
            error = unknown_name("parameterization", name, known, registry.where)
            raise ValueError(f"{path}: recipes.{key}.lr: {error}")
    if "default" not in recipe.lr:
        raise ValueError(f"{path}: recipes.{key}.lr.default is missing; add it")


def _check_cell(paper: Paper, cell: Cell, path: Path) -> None:
    try:
        if cell.recipe not in paper.recipes:
            raise unknown_name("recipe", cell.recipe, list(paper.recipes), f"recipes in {path}")
        dataset(cell.dataset)
        ACTIVATIONS.target(cell.activation)
        if cell.model not in paper.models:
            raise unknown_name("model", cell.model, list(paper.models), f"models in {path}")
        recipe, model = paper.recipes[cell.recipe], paper.models[cell.model]
        if isinstance(recipe, Recipe):
            BATCHED.target(cell.parameterization)
        else:
            PARAMETERIZATIONS.target(cell.parameterization)
        if isinstance(model, Image):
            MODELS.target(model.network)
        if isinstance(model, Mlp) != isinstance(recipe, Recipe):
            raise ValueError(
                f"recipe {cell.recipe} has stage {recipe.stage}, which cannot train the model "
                f"{cell.model} of kind {model.kind}"
            )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


@lru_cache
def load_scales() -> dict[str, Scale]:
    """All scales, checked: names they mention exist, and ``paper`` changes nothing."""
    path = CONFIG / "scales.yaml"
    scales = {name: validate(Scale, data, path, name) for name, data in read_yaml(path).items()}
    for name, scale in scales.items():
        for paper in [*scale.recipes, *scale.exhibits]:
            if paper not in paper_names():
                error = unknown_name("paper", paper, list(paper_names()), "config/papers")
                raise ValueError(f"{path}: {name}: {error}")
        for paper, limits in scale.recipes.items():
            for recipe in limits:
                if recipe not in load_paper(paper).recipes:
                    raise ValueError(
                        f"{path}: {name}.recipes.{paper} names {recipe!r}; accepted: "
                        f"{', '.join(load_paper(paper).recipes)}"
                    )
        for chosen in (scale.exhibits, *(reach.exhibits for reach in scale.reaches.values())):
            for paper, selections in chosen.items():
                for exhibit, selection in selections.items():
                    _check_selection(load_paper(paper), exhibit, selection, f"{path}: {name}")
        for stand_in in (*scale.stand_ins, *scale.stand_ins.values()):
            dataset(stand_in)
    if "paper" in scales and scales["paper"].recipes:
        raise ValueError(
            f"{path}: paper.recipes: the scale 'paper' is the printed protocol and "
            "may limit nothing; remove it or use another scale"
        )
    return scales


def _check_selection(paper: Paper, exhibit: str, selection: Selection, where: str) -> None:
    if exhibit not in paper.run_exhibits:
        raise unknown_name("trained exhibit", exhibit, list(paper.run_exhibits), where)
    whole = paper.run_exhibits[exhibit]
    for key, chosen, known in (
        ("protocol", selection.protocols, whole.protocols),
        ("row", selection.rows, whole.row_names),
        ("column", selection.columns, whole.column_names),
    ):
        for name in chosen or []:
            if name not in known:
                raise unknown_name(key, name, known, f"exhibits.{exhibit} ({where})")


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
    cells = _product(
        load_paper(paper), exhibit, chosen.exhibits.get(paper, {}).get(exhibit, Selection())
    )
    limited = load_reach(scale, reach)
    if limited is not None:
        cells = [c for c in cells if _within(limited, paper, exhibit, c)]
    return [_with_stand_in(c, chosen.stand_ins) for c in cells]


def _with_stand_in(place: GridCell, stand_ins: dict[str, str]) -> GridCell:
    name = stand_ins.get(place.cell.dataset)
    return place if name is None else replace(place, cell=replace(place.cell, dataset=name))


def _within(reach: Reach, paper: str, exhibit: str, place: GridCell) -> bool:
    """Whether a machine can run a cell: small networks always, others where they are listed."""
    if isinstance(load_paper(paper).recipes[place.cell.recipe], Recipe):
        return True
    chosen = reach.exhibits.get(paper, {}).get(exhibit)
    return chosen is not None and all(
        names is None or name in names
        for names, name in (
            (chosen.protocols, place.protocol),
            (chosen.rows, place.row),
            (chosen.columns, place.column),
        )
    )


def _product(paper: Paper, exhibit: str, selection: Selection) -> list[GridCell]:
    whole = paper.run_exhibits[exhibit]
    left_out = whole.not_run if isinstance(whole, Trained) else {}
    cells = []
    for protocol in whole.protocols if selection.protocols is None else selection.protocols:
        for row in whole.row_names if selection.rows is None else selection.rows:
            for column in whole.column_names if selection.columns is None else selection.columns:
                if {row, column} & set(left_out) or not whole.is_run(row, column):
                    continue
                axes = whole.coordinates(row, column)
                recipe = whole.recipe(protocol, axes)
                cell = Cell(recipe=recipe, **{name: axes[name] for name in RUN_AXES})
                default = whole.metric.name if isinstance(whole, Trained) else ""
                cells.append(GridCell(row, column, protocol, cell, axes.get("metric", default)))
    return cells


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


def _limits(scale: str, paper: str, cell: Cell) -> Limits:
    return load_scale(scale).recipes.get(paper, {}).get(cell.recipe, Limits())


def image_settings(scale: str, paper: str, cell: Cell) -> ImageSettings:
    """The recipe of an image network after the limits of the scale."""
    source = load_paper(paper)
    _check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = _limits(scale, paper, cell)
    recipe, model = source.recipes[cell.recipe], source.models[cell.model]
    images = dataset(cell.dataset)
    if not isinstance(recipe, Training) or not isinstance(model, Image):
        raise ValueError(f"{cell} is not an image network; train it with the stage sweep")
    if not isinstance(images, Sized):
        raise ValueError(f"{cell.dataset} is a table; choose a dataset of images")
    lr = {"default": recipe.lr.get(cell.parameterization, recipe.lr["default"])}
    folds = recipe.folds or 0
    printed = images.train if not folds else images.train * (folds - 1) // folds
    return ImageSettings(
        # neither prose nor the number of seeds decides what comes out of one
        recipe=recipe.model_copy(update={"lr": lr, "open": {}, "seeds": 1}),
        model=model.model_copy(update={"width": model.width * (limits.width or 1.0)}),
        classes=images.classes,
        epochs=limits.epochs,
        printed_images=printed,
        data_fraction=limits.data_fraction or 1.0,
    )


def settings(scale: str, paper: str, cell: Cell) -> Settings:
    """The recipe of a cell after the limits of the scale."""
    source = load_paper(paper)
    _check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = _limits(scale, paper, cell)
    recipe, model = source.recipes[cell.recipe], source.models[cell.model]
    if not isinstance(recipe, Recipe) or not isinstance(model, Mlp):
        raise ValueError(f"{cell} is an image network; train it with the stage train")
    lr = recipe.lr
    if isinstance(lr, dict):  # only this cell's: another row's value must not rerun it
        lr = {"default": lr.get(cell.parameterization, lr["default"])}
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


def modules(paper: str, cell: Cell) -> tuple[str, ...]:
    """Code that a cell takes from registries, for its digest."""
    source = load_paper(paper)
    _check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    stage = f"reactivate.stages.{source.recipes[cell.recipe].stage}"
    activation = ACTIVATIONS.target(cell.activation)
    model = source.models[cell.model]
    if isinstance(model, Image):
        parameterization = PARAMETERIZATIONS.target(cell.parameterization)
        return (stage, activation, parameterization, MODELS.target(model.network))
    return (stage, activation, BATCHED.target(cell.parameterization))


def functions(paper: str, exhibit: str) -> tuple[str, ...]:
    """The function that computes or draws an exhibit, or a part of it, for its digest."""
    function = load_exhibit(paper, exhibit).function
    return () if function is None else (function,)


def is_computed(paper: str, exhibit: str) -> bool:
    """Whether a function computes numbers of a table."""
    found = load_exhibit(paper, exhibit)
    return isinstance(found, Recomputed) and found.function is not None


def has_runs(paper: str, exhibit: str) -> bool:
    """Whether runs are behind an exhibit."""
    return isinstance(load_exhibit(paper, exhibit), Cells)


def checks(paper: str) -> dict[str, str]:
    """Statements judged by a function: claim and target."""
    claims = load_paper(paper).claims.items()
    return {name: c.check.function for name, c in claims if c.check.function is not None}
