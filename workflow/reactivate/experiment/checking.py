"""Whether the names in the configuration exist; what nobody has could never be used or judged."""

from pathlib import Path

from reactivate.activations import ACTIVATIONS
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.exhibits import Best
from reactivate.experiment.measurements import Fewer
from reactivate.experiment.recipes import Pieces, Training
from reactivate.experiment.runs import Cell
from reactivate.experiment.scaling import PRINTED_SCALE, Limits, Scale, Selection
from reactivate.experiment.schema import Image, Mlp, Paper, Recipe
from reactivate.foundation.registry import Registry, unknown_name
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS


def check_lr(key: str, recipe: Recipe | Training, path: Path) -> None:
    """A learning rate under a name nobody has would never be used."""
    if isinstance(recipe.lr, dict):
        registry = BATCHED if isinstance(recipe, Recipe) else PARAMETERIZATIONS
        _check_by_parameterization(recipe.lr, registry, f"{path}: recipes.{key}.lr")


def _check_by_parameterization(values: dict[str, float], registry: Registry, where: str) -> None:
    known = ["default", *registry.targets]
    for name in values:
        if name not in known:
            error = unknown_name("parameterization", name, known, registry.where)
            raise ValueError(f"{where}: {error}")
    if "default" not in values:
        raise ValueError(f"{where}.default is missing; add it")


def check_cell(paper: Paper, cell: Cell, path: Path) -> None:
    """Every coordinate of a cell exists, and its recipe can train its model."""
    try:
        if cell.recipe not in paper.recipes:
            raise unknown_name("recipe", cell.recipe, list(paper.recipes), f"recipes in {path}")
        dataset(cell.dataset)
        ACTIVATIONS.target(cell.activation)
        if cell.model not in paper.models:
            raise unknown_name("model", cell.model, list(paper.models), f"models in {path}")
        recipe, model = paper.recipes[cell.recipe], paper.models[cell.model]
        if isinstance(model, Mlp) != isinstance(recipe, Recipe):
            raise ValueError(
                f"recipe {cell.recipe} has stage {recipe.stage}, which cannot train the model "
                f"{cell.model} of kind {model.kind}"
            )
        if isinstance(recipe, Recipe):
            BATCHED.target(cell.parameterization)
        else:
            PARAMETERIZATIONS.target(cell.parameterization)
        if isinstance(model, Image):
            MODELS.target(model.network)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def check_measurement(paper: Paper, name: str | None, path: Path) -> None:
    """What is measured after training has a form."""
    if name is not None and name not in paper.measurements:
        known = list(paper.measurements)
        error = unknown_name("measurement", name, known, f"measurements in {path}")
        raise ValueError(f"{path}: {error}")


def check_best(paper: Paper, best: Best, path: Path) -> None:
    """The other table, its rows and its columns exist."""
    where = f"{path}: {best.locator}"
    if best.of not in paper.trained:
        raise ValueError(f"{where}: {unknown_name('table', best.of, list(paper.trained), 'of')}")
    other = paper.trained[best.of]
    asked = [("row", row) for rows in best.over.values() for row in rows]
    for kind, name in [*asked, *(("column", column) for column in best.column_names)]:
        known = other.row_names if kind == "row" else other.column_names
        if name not in known:
            raise ValueError(f"{where}: {unknown_name(kind, name, known, best.of)}")


def check_scale(name: str, scale: Scale, papers: dict[str, Paper], path: Path) -> None:
    """What a scale limits, selects and replaces exists, and ``paper`` changes nothing."""
    chosen = [scale.exhibits, *(reach.exhibits for reach in scale.reaches.values())]
    said = {*scale.recipes, *scale.settings, *scale.observations, *scale.measurements}
    for paper in sorted(said.union(*chosen)):
        if paper not in papers:
            error = unknown_name("paper", paper, list(papers), "config/papers")
            raise ValueError(f"{path}: {name}: {error}")
    for paper, limits in scale.recipes.items():
        for recipe, limit in limits.items():
            if recipe not in papers[paper].recipes:
                raise ValueError(
                    f"{path}: {name}.recipes.{paper} names {recipe!r}; accepted: "
                    f"{', '.join(papers[paper].recipes)}"
                )
            where = f"{path}: {name}.recipes.{paper}.{recipe}"
            _check_limits(papers[paper].recipes[recipe], limit, where)
    for selected in chosen:
        for paper, selections in selected.items():
            for exhibit, selection in selections.items():
                _check_selection(papers[paper], exhibit, selection, f"{path}: {name}")
    for paper in scale.settings:
        for exhibit, settings in scale.settings[paper].items():
            _check_settings(papers[paper], exhibit, settings, f"{path}: {name}.settings.{paper}")
    for paper in scale.observations:
        for recipe in scale.observations[paper]:
            if recipe not in papers[paper].observations:
                known, where = list(papers[paper].observations), f"{path}: {name}.observations"
                raise unknown_name("observed recipe", recipe, known, where)
    for paper in scale.measurements:
        for measured, fewer in scale.measurements[paper].items():
            where = f"{path}: {name}.measurements.{paper}"
            _check_fewer(papers[paper], measured, fewer, where)
    for pair in scale.stand_ins.items():
        for data in pair:
            _check_stand_in(data, f"{path}: {name}.stand_ins")
    for key in ("recipes", "settings", "observations", "measurements", "stand_ins"):
        if name == PRINTED_SCALE and getattr(scale, key):
            raise ValueError(
                f"{path}: {name}.{key}: the scale {name!r} is the printed protocol and "
                "may limit nothing; remove it or use another scale"
            )


def _check_limits(recipe: Recipe | Training, limits: Limits, where: str) -> None:
    """A limit that its recipe does not heed would change nothing."""
    small = isinstance(recipe, Recipe)
    pieces = isinstance(recipe, Training) and isinstance(recipe.schedule, Pieces)
    for key, unheeded in (("batch_size", small), ("lr_factor", small or pieces)):
        if unheeded and getattr(limits, key) is not None:
            kind = "small networks" if small else "a schedule of pieces, each with its own rate"
            raise ValueError(f"{where}.{key} changes nothing in a recipe of {kind}; remove it")
    if limits.lr_factor is not None:
        _check_by_parameterization(limits.lr_factor, PARAMETERIZATIONS, f"{where}.lr_factor")


def _check_settings(
    paper: Paper, exhibit: str, settings: dict[str, int | float | str], where: str
) -> None:
    """A setting that its analysis does not have would not reach its function."""
    if exhibit not in paper.analyses:
        raise unknown_name("analysis", exhibit, list(paper.analyses), where)
    known = paper.analyses[exhibit].settings
    for name in settings:
        if name not in known:
            raise unknown_name("setting", name, list(known), f"{where}.{exhibit}")


def _check_fewer(paper: Paper, name: str, fewer: Fewer, where: str) -> None:
    """What a scale lowers of a measurement is part of it."""
    if name not in paper.measurements:
        raise unknown_name("measurement", name, list(paper.measurements), where)
    known = type(paper.measurements[name]).model_fields
    for key, value in fewer:
        if value is not None and key not in known:
            raise unknown_name("setting", key, list(known), f"{where}.{name}")


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


def _check_stand_in(name: str, where: str) -> None:
    try:
        found = dataset(name)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if not isinstance(found, Sized):
        raise ValueError(f"{where} names {name!r}, a table; accepted: datasets of images")
