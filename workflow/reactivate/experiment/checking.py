"""Checks that the names in the configuration exist: others could never be used or judged."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from reactivate.activations import ACTIVATIONS
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.cell import Cell
from reactivate.experiment.choices import check_marks
from reactivate.experiment.exhibits import Best, Cells, Trained
from reactivate.experiment.metrics import metric_names
from reactivate.experiment.names import joined
from reactivate.experiment.observations import Observation
from reactivate.experiment.paper import Image, Mlp, Paper
from reactivate.experiment.places import Place, places_of
from reactivate.experiment.quotes import Headline
from reactivate.experiment.recipes import Detected, Segmented, Training
from reactivate.experiment.scales import Selection
from reactivate.experiment.signatures import parameters_of
from reactivate.experiment.statements import Comparison
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.foundation.configuration import Homes
from reactivate.foundation.registry import Registry, unknown_name
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS


def check_lr(key: str, recipe: SweepRecipe | Training, path: Path) -> None:
    """Raises if learning rates are given for a name nobody has: they would never be used."""
    if isinstance(recipe.lr, dict):
        registry = BATCHED if isinstance(recipe, SweepRecipe) else PARAMETERIZATIONS
        check_by_parameterization(recipe.lr, registry, f"{path}: recipes.{key}.lr")


def check_initialization(key: str, recipe: SweepRecipe | Training, path: Path) -> None:
    """Raises if initial weights are given for an activation that nobody has."""
    if not isinstance(recipe, Training) or recipe.initialization is None:
        return
    where = f"{path}: recipes.{key}.initialization"
    for name in recipe.initialization.keys() - {"default"}:
        if name not in ACTIVATIONS.targets:
            known = ["default", *ACTIVATIONS.targets]
            raise ValueError(f"{where}: {unknown_name('activation', name, known, str(path))}")
    if "default" not in recipe.initialization:
        raise ValueError(f"{where}.default is missing; add it")


def check_breakpoints(observation: Observation, where: str) -> None:
    """Raises if breakpoints are given for an activation that nobody has."""
    for name in observation.breakpoints:
        if name not in ACTIVATIONS.targets:
            error = unknown_name("activation", name, list(ACTIVATIONS.targets), ACTIVATIONS.where)
            raise ValueError(f"{where}: {error}")


def check_by_parameterization(values: dict[str, float], registry: Registry, where: str) -> None:
    """Raises unless values are given for parameterizations that exist, and by default."""
    known = ["default", *registry.targets]
    for name in values:
        if name not in known:
            error = unknown_name("parameterization", name, known, registry.where)
            raise ValueError(f"{where}: {error}")
    if "default" not in values:
        raise ValueError(f"{where}.default is missing; add it")


def check_cell(paper: Paper, cell: Cell, where: str) -> None:
    """Raises unless every coordinate of a cell exists and its recipe can train its model."""
    folder = f"config/papers/{paper.paper}"
    try:
        if cell.recipe not in paper.recipes:
            raise unknown_name("recipe", cell.recipe, list(paper.recipes), f"recipes in {folder}")
        dataset(cell.dataset)
        ACTIVATIONS.target(cell.activation)
        if cell.model not in paper.models:
            raise unknown_name("model", cell.model, list(paper.models), f"models in {folder}")
        recipe, model = paper.recipes[cell.recipe], paper.models[cell.model]
        if isinstance(model, Mlp) != isinstance(recipe, SweepRecipe):
            raise ValueError(
                f"recipe {cell.recipe} has stage {recipe.stage}, which cannot train the model "
                f"{cell.model} of kind {model.kind}"
            )
        if isinstance(recipe, SweepRecipe):
            BATCHED.target(cell.parameterization)
        else:
            PARAMETERIZATIONS.target(cell.parameterization)
        if isinstance(model, Image):
            check_arguments(cell.model, model, cell.activation)
        if isinstance(recipe, Detected | Segmented):
            start = recipe.backbone
            begun = replace(cell, dataset=start.dataset, model=start.model, recipe=start.recipe)
            check_cell(paper, begun, f"recipes.{cell.recipe}.backbone")
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def check_arguments(name: str, model: Image, activation: str) -> None:
    """Raises if a network or an activation is given an argument that it does not take."""
    for key, given, target in (
        ("arguments", model.arguments, MODELS.target(model.network)),
        ("options", model.options, ACTIVATIONS.target(activation)),
    ):
        check_taken(given, target, f"models.{name}.{key}")


def check_taken(given: Collection[str], target: str, where: str) -> None:
    """Raises if a function or class is given an argument that it does not take."""
    known = parameters_of(target) if given else None
    for argument in given:
        if known is not None and argument not in known:
            mended = f"{target}, or mend {where}"
            raise unknown_name("argument", argument, sorted(known), mended)


def check_variant(paper: Paper, exhibit: Cells, place: Place, where: str) -> None:
    """Raises if a protocol changes nothing of a cell: its number would be that of another one.

    Where a measurement follows, some rows may be the same under all protocols.
    """
    axes = exhibit.coordinates(place.row, place.column)
    named = axes.get("recipe")
    if place.protocol == exhibit.protocols[0] or named is None or "measurement" in axes:
        return
    if axes.get("metric", place.metric) != place.metric:
        return
    if (place.cell.recipe, place.cell.model) == (named, axes["model"]):
        folder = f"config/papers/{paper.paper}"
        asked = joined(named, place.protocol)
        error = unknown_name("recipe", asked, list(paper.recipes), f"recipes in {folder}")
        raise ValueError(f"{where}: {error}")


def check_measurement(paper: Paper, name: str | None, where: str) -> None:
    """Raises unless the paper describes what an exhibit measures after training."""
    if name is not None and name not in paper.measurements:
        folder = f"config/papers/{paper.paper}"
        known = list(paper.measurements)
        error = unknown_name("measurement", name, known, f"measurements in {folder}")
        raise ValueError(f"{where}: {error}")


def check_best(paper: Paper, best: Best, where: str) -> None:
    """Raises unless the table whose best rows are shown has these rows and columns."""
    if best.of not in paper.trained:
        raise ValueError(f"{where}: {unknown_name('table', best.of, list(paper.trained), 'of')}")
    other = paper.trained[best.of]
    asked = [("row", row) for rows in best.over.values() for row in rows]
    for kind, name in [*asked, *(("column", column) for column in best.column_names)]:
        known = other.row_names if kind == "row" else other.column_names
        if name not in known:
            raise ValueError(f"{where}: {unknown_name(kind, name, known, best.of)}")


def check_paper(paper: Paper, folder: Path, homes: Homes) -> None:
    """Everything that a paper names exists: rates, cells, measurements, tables, claims.

    Args:
        paper: As its files say.
        folder: Of these files.
        homes: The file of every section and name, for errors.
    """
    for key, recipe in paper.recipes.items():
        home = homes.get(("recipes", key), folder)
        check_lr(key, recipe, home)
        check_initialization(key, recipe, home)
    for key, observation in paper.observations.items():
        home = homes.get(("observations", key), folder)
        check_breakpoints(observation, f"{home}: observations.{key}.breakpoints")
    for name, exhibit in paper.exhibits.items():
        where = f"{homes.get(('exhibits', name), folder)}: exhibits.{name}"
        if isinstance(exhibit, Cells):
            check_protocols(paper, exhibit, where)
            if isinstance(exhibit, Trained):
                check_marks(exhibit.choices, exhibit.protocols, f"{where}.choices")
            known = paper.recipes, paper.measurements, paper.models
            checked = set[Cell]()
            for place in places_of(exhibit, Selection(), *known):
                check_variant(paper, exhibit, place, where)
                if place.cell not in checked:
                    check_cell(paper, place.cell, where)
                    checked.add(place.cell)
                check_measurement(paper, place.measurement, where)
        elif isinstance(exhibit, Best):
            check_best(paper, exhibit, where)
    for name, check in paper.checks.items():
        kind = "claims" if name in paper.claims else "findings"
        home = homes.get((kind, name), folder)
        try:
            paper.check_claim(check, f"{kind}.{name} of {folder}")
        except ValueError as error:
            raise ValueError(f"{home}: {error}") from None
    for name, claim in paper.claims.items():
        asked = paper.exhibits.get(str(claim.check.exhibit)) if claim.check else None
        protocols = asked.protocols if isinstance(asked, Cells) else []
        where = f"{homes.get(('claims', name), folder)}: claims.{name}.choices"
        check_marks(claim.choices, protocols, where)
    for name, finding in paper.findings.items():
        if finding.compared is not None:
            where = f"{homes.get(('findings', name), folder)}: findings.{name}.compared"
            check_compared(
                paper, str(finding.check and finding.check.exhibit), finding.compared, where
            )
    for name, headline in paper.headlines.items():
        where = f"{homes.get(('headlines', name), folder)}: headlines.{name}"
        check_headline(paper, headline, where)


def check_compared(paper: Paper, exhibit: str, compared: Comparison, where: str) -> None:
    """Raises unless a comparison of ours is one of rows that an exhibit trains."""
    form = paper.exhibits[exhibit]
    if not isinstance(form, Cells):
        raise ValueError(f"{where}: {exhibit} trains no networks; name an exhibit that does")
    for row in (*compared.ahead, *compared.behind):
        if row not in form.row_names:
            raise ValueError(f"{where}: {unknown_name('row', row, form.row_names, exhibit)}")
    if compared.metric not in metric_names():
        known = list(metric_names())
        raise ValueError(f"{where}: {unknown_name('metric', compared.metric, known, 'config')}")


def check_headline(paper: Paper, headline: Headline, where: str) -> None:
    """The claims and exhibits that a headline rests on exist."""
    folder = f"config/papers/{paper.paper}"
    for kind, names, known in (
        ("claim", headline.claims, list(paper.claims)),
        ("exhibit", headline.exhibits, list(paper.exhibits)),
    ):
        for name in names:
            if name not in known:
                raise ValueError(f"{where}: {unknown_name(kind, name, known, folder)}")


def check_protocols(paper: Paper, exhibit: Cells, where: str) -> None:
    """Raises unless the paper explains every protocol of an exhibit."""
    for protocol in exhibit.protocols:
        if protocol not in paper.protocols:
            folder = f"config/papers/{paper.paper}"
            error = unknown_name("protocol", protocol, list(paper.protocols), folder)
            raise ValueError(f"{where}: protocols does not say what {protocol!r} is: {error}")


def check_stand_ins(stand_ins: dict[str, str], where: str) -> None:
    """Raises unless the datasets that a scale replaces, and their stand-ins, are images."""
    for pair in stand_ins.items():
        for data in pair:
            _check_stand_in(data, where)


def _check_stand_in(name: str, where: str) -> None:
    try:
        entry = dataset(name)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if not isinstance(entry, Sized):
        raise ValueError(f"{where} names {name!r}, a table; accepted: datasets of images")
