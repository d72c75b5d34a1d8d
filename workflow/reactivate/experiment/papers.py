"""Loads and checks the configuration; yields exhibits, cells and the settings of a run."""

import math
from functools import lru_cache
from pathlib import Path

from pydantic import SerializeAsAny

from reactivate.activations import ACTIVATIONS
from reactivate.defences import DEFENCES
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.checking import (
    check_best,
    check_cell,
    check_lr,
    check_measurement,
    check_scale,
)
from reactivate.experiment.exhibits import (
    Analysis,
    Best,
    Cells,
    Exhibit,
    OfMeasurements,
    OfNetworks,
    Quoted,
    Recomputed,
)
from reactivate.experiment.grids import GridCell, product, with_stand_in, within
from reactivate.experiment.measurements import AnyMeasurement, Fewer
from reactivate.experiment.recipes import Defended, Training
from reactivate.experiment.runs import Cell
from reactivate.experiment.scaling import Limits, Reach, Scale, Selection
from reactivate.experiment.schema import Image, Mlp, Paper, Recipe
from reactivate.experiment.variants import named, write_out
from reactivate.foundation.configuration import Strict, read_yaml, validate
from reactivate.foundation.digests import words_of_documents
from reactivate.foundation.registry import unknown_name
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.batched import BATCHED
from reactivate.models import MODELS

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

    recipe: SerializeAsAny[Training]  # with its pruning or defence
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
    for kind in ("recipes", "measurements"):
        write_out(data.get(kind, {}), kind, path)
    paper = validate(Paper, data, path)
    if paper.paper != name:
        raise ValueError(f"{path}: paper is {paper.paper!r}, but the file is named {name!r}")
    for key, checked in paper.recipes.items():
        check_lr(key, checked, path)
    for exhibit in paper.run_exhibits.values():
        for place in product(exhibit, Selection(), paper.recipes, paper.measurements):
            check_cell(paper, place.cell, path)
            check_measurement(paper, place.measurement, path)
    for best in paper.bests.values():
        check_best(paper, best, path)
    return paper


@lru_cache
def load_scales() -> dict[str, Scale]:
    """All scales, checked: names they mention exist, and ``paper`` changes nothing."""
    path = CONFIG / "scales.yaml"
    scales = {name: validate(Scale, data, path, name) for name, data in read_yaml(path).items()}
    papers = {name: load_paper(name) for name in paper_names()}
    for name, scale in scales.items():
        scales[name] = scale.model_copy(
            update={
                kind: {
                    k: named(limits, getattr(papers[k], kind)) if k in papers else limits
                    for k, limits in getattr(scale, kind).items()
                }
                for kind in ("recipes", "measurements")
            }
        )
        check_scale(name, scales[name], papers, path)
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
    chosen, source = load_scale(scale), load_paper(paper)
    selection = chosen.exhibits.get(paper, {}).get(exhibit, Selection())
    cells = product(found, selection, source.recipes, source.measurements)
    limited = load_reach(scale, reach)
    if limited is not None:
        cells = [c for c in cells if within(limited, source, exhibit, c)]
    return [with_stand_in(c, chosen.stand_ins) for c in cells]


def exhibits_made(scale: str, paper: str, reach: str = EVERYTHING) -> list[str]:
    """The exhibits that a scale makes of a paper: all but those without any cell to show."""
    exhibits = load_paper(paper).exhibits
    return [name for name in exhibits if is_made(scale, paper, name, reach)]


def is_made(scale: str, paper: str, name: str, reach: str = EVERYTHING) -> bool:
    """Whether a scale makes an exhibit of a paper."""
    exhibit = load_exhibit(paper, name)
    if isinstance(exhibit, Quoted):
        return False
    if isinstance(exhibit, Best):
        run = {place.row for place in grid(scale, paper, exhibit.of, reach)}
        return any(run.issuperset(rows) for rows in exhibit.over.values())
    made = not isinstance(exhibit, Cells) or is_computed(paper, name)
    return made or bool(grid(scale, paper, name, reach))


def limits_of(scale: str, paper: str, cell: Cell) -> Limits:
    """What a scale changes of the recipe of a cell."""
    return load_scale(scale).recipes.get(paper, {}).get(cell.recipe, Limits())


def at(by_parameterization: dict[str, float], name: str) -> float:
    """The value for a parameterization, or the default."""
    return by_parameterization.get(name, by_parameterization["default"])


def image_settings(scale: str, paper: str, cell: Cell) -> ImageSettings:
    """The recipe of an image network after the limits of the scale."""
    source = load_paper(paper)
    check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = limits_of(scale, paper, cell)
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
        model=limits.narrowed(model),
        classes=images.classes,
        epochs=limits.epochs,
        printed_epoch=math.ceil(printed / recipe.batch_size),
        data_fraction=limits.data_fraction or 1.0,
    )


def settings(scale: str, paper: str, cell: Cell) -> Settings:
    """The recipe of a cell after the limits of the scale."""
    source = load_paper(paper)
    check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    limits = limits_of(scale, paper, cell)
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
    """Code of a stage on a cell, for its digest; of the stage that trains it by default."""
    source = load_paper(paper)
    check_cell(source, cell, CONFIG / "papers" / f"{paper}.yaml")
    recipe = source.recipes[cell.recipe]
    stage = stage or recipe.stage
    found = (f"reactivate.stages.{stage}", *parts(source, cell))
    if isinstance(recipe, Defended) and stage == recipe.stage:
        found += (DEFENCES.target(recipe.defence.name),)
    return found


def parts(source: Paper, cell: Cell) -> tuple[str, ...]:
    """What the network of a cell takes from registries."""
    model = source.models[cell.model]
    activation = ACTIVATIONS.target(cell.activation)
    if not isinstance(model, Image):
        return activation, BATCHED.target(cell.parameterization)
    parameterization = PARAMETERIZATIONS.target(cell.parameterization)
    return activation, parameterization, MODELS.target(model.network)


@lru_cache
def functions(paper: str, exhibit: str, stage: str) -> tuple[str, ...]:
    """Code of the stage that computes or draws an exhibit, for its digest.

    That is the stage, the function and, where it computes with networks, what they are made of.
    """
    found, source = load_exhibit(paper, exhibit), load_paper(paper)
    name = f"reactivate.stages.{stage}"
    if isinstance(found, Analysis) and stage == "plot":
        return name, found.picture
    function = None if isinstance(found, Best | Quoted) else found.function
    targets: tuple[str, ...] = (name,) if function is None else (name, function)
    if isinstance(found, OfNetworks | OfMeasurements):
        cells = product(found, Selection(), source.recipes, source.measurements)
        made = {part for place in cells for part in parts(source, place.cell)}
        targets += tuple(sorted(made))
    return targets


def is_computed(paper: str, exhibit: str) -> bool:
    """Whether a function computes numbers of a table."""
    found = load_exhibit(paper, exhibit)
    return isinstance(found, Recomputed) and found.function is not None


def measurement(scale: str, paper: str, name: str) -> AnyMeasurement:
    """What is measured, after what the scale lowers."""
    known = load_paper(paper).measurements
    if name not in known:
        raise unknown_name("measurement", name, list(known), f"config/papers/{paper}.yaml")
    fewer = load_scale(scale).measurements.get(paper, {}).get(name, Fewer())
    changed: dict[str, object] = {k: v for k, v in fewer if v is not None}
    if "open" in type(known[name]).model_fields:
        changed["open"] = {}  # prose does not decide what is measured
    return known[name].model_copy(update=changed)


def has_runs(paper: str, exhibit: str) -> bool:
    """Whether runs are behind an exhibit."""
    return isinstance(load_exhibit(paper, exhibit), Cells)


def printed_digests(paper: str, target: str) -> dict[str, str]:
    """Digest of the printed numbers of every table that a check may read, by exhibit."""
    words, tables = words_of_documents(target), load_paper(paper).tables
    return {name: table.printed_digest for name, table in tables.items() if name in words}


def checks(paper: str) -> dict[str, str]:
    """Statements judged by a function, alone or from an analysis: claim and target."""
    claims = load_paper(paper).claims.items()
    targets = {name: c.check.function or c.check.judge for name, c in claims}
    return {name: target for name, target in targets.items() if target is not None}
