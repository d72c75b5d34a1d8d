"""Checks that what a scale changes of a paper exists, and is heeded by the recipes it changes."""

from pathlib import Path

from reactivate.activations import ACTIVATIONS
from reactivate.experiment.checking import check_by_parameterization, check_taken
from reactivate.experiment.measurements import Fewer
from reactivate.experiment.paper import Image, Paper
from reactivate.experiment.places import places_of
from reactivate.experiment.rates import OnPlateau, Pieces
from reactivate.experiment.recipes import Detected, Segmented, Training
from reactivate.experiment.scales import PRINTED_SCALE, Limits, PaperScale, Selection
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.foundation.registry import unknown_name
from reactivate.layers import PARAMETERIZATIONS
from reactivate.models import MODELS

CLASSIFIES = ("train", "prune", "defend")  # stages whose networks tell the class of an image


def check_limits(
    name: str, limits: PaperScale, reaches: list[str], paper: Paper, path: Path
) -> None:
    """Raises unless a paper has what a scale limits and selects; ``paper`` may change nothing."""
    where = f"{path}: {name}"
    for recipe, limit in limits.recipes.items():
        if recipe not in paper.recipes:
            known = ", ".join(paper.recipes)
            raise ValueError(f"{where}.recipes names {recipe!r}; accepted: {known}")
        _check_limits(paper.recipes[recipe], limit, f"{where}.recipes.{recipe}")
        if limit.given:
            _check_arguments(paper, recipe, limit, f"{where}.recipes.{recipe}")
        _check_widths(paper.recipes[recipe], limit, limits, f"{where}.recipes.{recipe}")
    for reach in limits.reaches:
        if reach not in reaches:
            raise unknown_name(
                "reach", reach, reaches, f"{where}.reaches, and to config/scales.yaml"
            )
    for selections in (limits.exhibits, *limits.reaches.values()):
        for exhibit, selection in selections.items():
            _check_selection(paper, exhibit, selection, where)
    for exhibit, settings in limits.settings.items():
        _check_settings(paper, exhibit, settings, f"{where}.settings")
    for recipe in limits.observations:
        if recipe not in paper.observations:
            observed = list(paper.observations)
            raise unknown_name("observed recipe", recipe, observed, f"{where}.observations")
    for measured, fewer in limits.measurements.items():
        _check_fewer(paper, measured, fewer, f"{where}.measurements")
    for key in ("recipes", "settings", "observations", "measurements"):
        if name == PRINTED_SCALE and getattr(limits, key):
            raise ValueError(
                f"{where}.{key}: the scale {name!r} is the printed protocol and "
                "may limit nothing; remove it or use another scale"
            )


def _check_limits(recipe: SweepRecipe | Training, limits: Limits, where: str) -> None:
    """Raises if a recipe does not heed a limit, which would change nothing."""
    small = isinstance(recipe, SweepRecipe)
    pieces = isinstance(recipe, Training) and isinstance(recipe.schedule, Pieces)
    for key, unheeded in (("batch_size", small), ("lr_factor", small or pieces)):
        if unheeded and getattr(limits, key) is not None:
            kind = "small networks" if small else "a schedule of pieces, each with its own rate"
            raise ValueError(f"{where}.{key} changes nothing in a recipe of {kind}; remove it")
    watches = isinstance(recipe, Training) and isinstance(recipe.schedule, OnPlateau)
    for key in ("test_fraction", "tests"):
        if getattr(limits, key) is not None and recipe.stage not in CLASSIFIES:
            raise ValueError(
                f"{where}.{key} is for recipes of {', '.join(CLASSIFIES)}, not of {recipe.stage}; "
                "remove it"
            )
    if limits.tests is not None and watches:
        raise ValueError(
            f"{where}.tests is {limits.tests}, but the schedule watches an accuracy after every "
            "epoch; remove it"
        )
    if limits.crop is not None and not isinstance(recipe, Segmented):
        raise ValueError(f"{where}.crop changes nothing in a recipe of {recipe.stage}; remove it")
    if limits.seeds is not None:
        known = ["default", *ACTIVATIONS.targets]
        for name in limits.seeds:
            if name not in known:
                error = unknown_name("activation", name, known, ACTIVATIONS.where)
                raise ValueError(f"{where}.seeds: {error}")
        if "default" not in limits.seeds:
            raise ValueError(f"{where}.seeds.default is missing; add it")
    if limits.lr_factor is not None:
        check_by_parameterization(limits.lr_factor, PARAMETERIZATIONS, f"{where}.lr_factor")


def _check_arguments(paper: Paper, recipe: str, limit: Limits, where: str) -> None:
    """Raises if a network that is trained by a recipe does not take what a scale gives it."""
    known = paper.recipes, paper.measurements, paper.models
    cells = {
        place.cell
        for exhibit in paper.run_exhibits.values()
        for place in places_of(exhibit, Selection(), *known)
    }
    for name in sorted({cell.model for cell in cells if cell.recipe == recipe}):
        model = paper.models[name]
        if isinstance(model, Image):
            check_taken(limit.given, MODELS.target(model.network), where)


def _check_widths(
    recipe: SweepRecipe | Training, limit: Limits, limits: PaperScale, where: str
) -> None:
    """Raises if a network would be of another width than the one whose weights it starts from."""
    if not isinstance(recipe, Detected | Segmented):
        return
    begun = limits.recipes.get(recipe.backbone.recipe, Limits())
    if begun.width != limit.width:
        raise ValueError(
            f"{where}.width is {limit.width}, but {begun.width} in the recipe "
            f"{recipe.backbone.recipe} of its backbone; make them the same"
        )


def _check_settings(
    paper: Paper, exhibit: str, settings: dict[str, int | float | str], where: str
) -> None:
    """Raises if an analysis lacks a setting that a scale changes: no function would get it."""
    if exhibit not in paper.analyses:
        raise unknown_name("analysis", exhibit, list(paper.analyses), where)
    known = paper.analyses[exhibit].settings
    for name in settings:
        if name not in known:
            raise unknown_name("setting", name, list(known), f"{where}.{exhibit}")


def _check_fewer(paper: Paper, name: str, fewer: Fewer, where: str) -> None:
    """Raises unless a measurement has the settings that a scale lowers."""
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
