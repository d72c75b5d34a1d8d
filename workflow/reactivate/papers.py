"""Loads and checks the configuration; yields exhibits, cells and the settings of a run."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from reactivate.activations import ACTIVATIONS
from reactivate.configuration import Strict, read_yaml, validate
from reactivate.datasets.catalog import dataset
from reactivate.exhibits import Computed, Exhibit, Figure, Trained
from reactivate.layers.batched import BATCHED
from reactivate.registry import unknown_name
from reactivate.runs import Cell
from reactivate.schema import Limits, Paper, Recipe, Scale, Selection

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


@dataclass(frozen=True)
class GridCell:
    """A number of an exhibit under one protocol, and the cell that is trained for it."""

    row: str
    column: str
    protocol: str
    cell: Cell


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
    for exhibit in paper.trained:
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


def _check_lr(key: str, recipe: Recipe, path: Path) -> None:
    """A learning rate under a name nobody has would never be used."""
    if not isinstance(recipe.lr, dict):
        return
    known = ["default", *BATCHED.targets]
    for name in recipe.lr:
        if name not in known:
            error = unknown_name("parameterization", name, known, BATCHED.where)
            raise ValueError(f"{path}: recipes.{key}.lr: {error}")
    if "default" not in recipe.lr:
        raise ValueError(f"{path}: recipes.{key}.lr.default is missing; add it")


def _check_cell(paper: Paper, cell: Cell, path: Path) -> None:
    try:
        if cell.recipe not in paper.recipes:
            raise unknown_name("recipe", cell.recipe, list(paper.recipes), f"recipes in {path}")
        dataset(cell.dataset)
        ACTIVATIONS.target(cell.activation)
        BATCHED.target(cell.parameterization)
        if cell.model not in paper.models:
            raise unknown_name("model", cell.model, list(paper.models), f"models in {path}")
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
        for paper, selections in scale.exhibits.items():
            for exhibit, selection in selections.items():
                _check_selection(load_paper(paper), exhibit, selection, f"{path}: {name}")
    if "paper" in scales and scales["paper"].recipes:
        raise ValueError(
            f"{path}: paper.recipes: the scale 'paper' is the printed protocol and "
            "may limit nothing; remove it or use another scale"
        )
    return scales


def _check_selection(paper: Paper, exhibit: str, selection: Selection, where: str) -> None:
    if exhibit not in paper.trained:
        raise unknown_name("trained exhibit", exhibit, list(paper.trained), where)
    whole = paper.trained[exhibit]
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


def grid(scale: str, paper: str, exhibit: str) -> list[GridCell]:
    """The cells of a trained exhibit that a scale runs."""
    selection = load_scale(scale).exhibits.get(paper, {}).get(exhibit, Selection())
    if not isinstance(load_exhibit(paper, exhibit), Trained):
        raise ValueError(f"{paper}/{exhibit} has no runs; accepted: an exhibit of kind trained")
    return list(_product(load_paper(paper), exhibit, selection))


def _product(paper: Paper, exhibit: str, selection: Selection) -> Iterator[GridCell]:
    whole = paper.trained[exhibit]
    for protocol in whole.protocols if selection.protocols is None else selection.protocols:
        for row in whole.row_names if selection.rows is None else selection.rows:
            for column in whole.column_names if selection.columns is None else selection.columns:
                axes = {**whole.fixed, whole.row_axis: row, whole.column_axis: column}
                yield GridCell(row, column, protocol, Cell(recipe=protocol, **axes))


def settings(scale: str, paper: str, cell: Cell) -> Settings:
    """The recipe of a cell after the limits of the scale."""
    source = load_paper(paper)
    _check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = load_scale(scale).recipes.get(paper, {}).get(cell.recipe, Limits())
    recipe = source.recipes[cell.recipe]
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
        hidden=max(1, round(source.models[cell.model].hidden * (limits.width or 1.0))),
        data_fraction=limits.data_fraction or 1.0,
    )


def modules(paper: str, cell: Cell) -> tuple[str, ...]:
    """Code that a cell takes from registries, for its digest."""
    source = load_paper(paper)
    _check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    return (
        f"reactivate.stages.{source.recipes[cell.recipe].stage}",
        ACTIVATIONS.target(cell.activation),
        BATCHED.target(cell.parameterization),
    )


def functions(paper: str, exhibit: str) -> tuple[str, ...]:
    """The function that computes or draws an exhibit, for its digest; none for a trained one."""
    found = load_exhibit(paper, exhibit)
    return (found.function,) if isinstance(found, Computed | Figure) else ()


def checks(paper: str) -> dict[str, str]:
    """Statements judged by a function: claim and target."""
    claims = load_paper(paper).claims.items()
    return {name: c.check.function for name, c in claims if c.check.function is not None}
