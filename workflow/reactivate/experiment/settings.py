"""Settings of a run, which decide its numbers: its recipe after the limits of a scale."""

from typing import Any, Literal, TypeVar

from pydantic import SerializeAsAny

from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized
from reactivate.experiment.cell import Cell
from reactivate.experiment.paper import Image, Mlp, Paper
from reactivate.experiment.recipes import Training
from reactivate.experiment.scales import Limits
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.foundation.configuration import Strict, added

Value = TypeVar("Value", float, str)


class SweepSettings(Strict):
    """Settings that decide the numbers of small networks, all seeds of a cell together."""

    recipe: SweepRecipe
    hidden: int
    data_fraction: float

    @property
    def lr(self) -> float | None:
        """The learning rate; None when cross-validation chooses it."""
        return self.recipe.lr["default"] if isinstance(self.recipe.lr, dict) else None


class ImageSettings(Strict):
    """Settings that decide the numbers of an image network, but for its seed."""

    recipe: SerializeAsAny[Training]  # with its pruning or defence
    model: Image
    classes: int
    epochs: int | None  # fewer than the recipe's, at a smaller scale
    printed_epoch: int  # steps of an epoch of the printed run
    data_fraction: float  # of the training images
    test_fraction: float | None = added(None)  # of the test images; None: the same
    tests: Literal["end"] | None = added(None)  # after the training; None: after every epoch

    @property
    def tested_fraction(self) -> float:
        """The fraction of the test images that it is measured on."""
        return self.data_fraction if self.test_fraction is None else self.test_fraction

    @property
    def lr(self) -> float:
        """The initial learning rate."""
        return self.recipe.lr["default"]


def settings_of(paper: Paper, cell: Cell, limits: Limits) -> SweepSettings | ImageSettings:
    """The settings of a cell, whatever stage trains it."""
    if isinstance(paper.recipes[cell.recipe], SweepRecipe):
        return _sweep_settings(paper, cell, limits)
    return _image_settings(paper, cell, limits)


def _image_settings(paper: Paper, cell: Cell, limits: Limits) -> ImageSettings:
    recipe, model = paper.recipes[cell.recipe], paper.models[cell.model]
    images = dataset(cell.dataset)
    assert isinstance(recipe, Training)
    assert isinstance(model, Image)  # check_cell made sure of it
    if not isinstance(images, Sized):
        raise ValueError(f"{cell.dataset} is a table; choose a dataset of images")
    factors = limits.lr_factor or {"default": 1.0}
    lr = _at(recipe.lr, cell.parameterization) * _at(factors, cell.parameterization)
    batch = limits.batch_size or recipe.batch_size
    initial = recipe.initialization  # only this cell's: another row's must not rerun it
    folds = recipe.folds or 0
    printed = images.train if not folds else images.train * (folds - 1) // folds
    # neither prose nor the number of seeds decides what comes out of one
    changed: dict[str, Any] = {
        "lr": {"default": lr},
        "batch_size": batch,
        "open": {},
        "seeds": 1,
        "initialization": initial and {"default": _at(initial, cell.activation)},
    }
    if limits.crop is not None:
        changed["crop"] = limits.crop
    return ImageSettings(
        recipe=recipe.model_copy(update=changed),
        model=limits.narrowed(model),
        classes=images.classes,
        epochs=limits.epochs,
        printed_epoch=recipe.batches(printed),
        data_fraction=limits.data_fraction or 1.0,
        test_fraction=limits.test_fraction,
        tests=limits.tests,
    )


def _sweep_settings(paper: Paper, cell: Cell, limits: Limits) -> SweepSettings:
    recipe, model = paper.recipes[cell.recipe], paper.models[cell.model]
    assert isinstance(recipe, SweepRecipe)
    assert isinstance(model, Mlp)  # check_cell made sure of it
    lr = recipe.lr
    if isinstance(lr, dict):  # only this cell's: another row's value must not rerun it
        lr = {"default": _at(lr, cell.parameterization)}
    seeds = limits.seeds_of(cell.activation) or recipe.splits.seeds
    limited = {
        "lr": lr,
        "epochs": limits.epochs or recipe.epochs,
        "splits": recipe.splits.model_copy(update={"seeds": seeds}),
        "open": {},  # prose
    }
    return SweepSettings(
        recipe=recipe.model_copy(update=limited),
        hidden=max(1, round(model.hidden * (limits.width or 1.0))),
        data_fraction=limits.data_fraction or 1.0,
    )


def _at(by_name: dict[str, Value], name: str) -> Value:
    """The value for a parameterization or activation, or the default."""
    return by_name.get(name, by_name["default"])
