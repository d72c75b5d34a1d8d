"""Make what a training needs: the network, what it reads, and how long it goes on."""

import torch
from torch import nn

from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.cell import Cell
from reactivate.experiment.paths import dataset_file
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.files import verify_checksum
from reactivate.foundation.seeding import seed_torch
from reactivate.models import MODELS
from reactivate.training.inputs import Inputs, MemoryInputs, subset, without_fold
from reactivate.training.schedules import Clock


def data_identity(name: str) -> str:
    """Checksum of a prepared dataset; for a folder of the user's, what the catalog says of it."""
    entry = dataset(name)
    if isinstance(entry, FolderSet) and entry.is_streamed:
        return entry.fingerprint()
    return verify_checksum(dataset_file(name))


def make_network(cell: Cell, chosen: ImageSettings, seed: int) -> nn.Module:
    """The network of a cell, with the initial weights of a seed."""
    seed_torch(cell.dataset, seed, "weights")
    arguments = dict(chosen.model.arguments)
    if chosen.recipe.initialization is not None:
        arguments.setdefault("initialization", chosen.recipe.initialization["default"])
    return MODELS.load(chosen.model.network)(  # type: ignore[no-any-return]
        activation=cell.activation,
        parameterization=cell.parameterization,
        width=chosen.model.width,
        classes=chosen.classes,
        options=chosen.model.options,
        **arguments,
    )


def make_inputs(
    cell: Cell, chosen: ImageSettings, seed: int, device: torch.device, workers: int
) -> Inputs:
    """The images that a network reads: from memory, or ImageNet as a stream."""
    recipe, key, entry = chosen.recipe, (cell.dataset, seed), dataset(cell.dataset)
    if isinstance(entry, FolderSet) and entry.is_streamed:
        from reactivate.preparation.streamed import streamed_pictures
        from reactivate.training.folder_inputs import StreamInputs

        sets = streamed_pictures(cell.dataset, entry)
        fractions = chosen.data_fraction, chosen.test_fraction
        return StreamInputs(sets, recipe, key, device, workers, *fractions)
    from reactivate.preparation.prepared import load_images

    data = load_images(cell.dataset)
    if recipe.folds is not None:
        data = without_fold(data, cell.dataset, seed, recipe.folds)
    data = subset(data, cell.dataset, chosen.data_fraction, chosen.test_fraction)
    return MemoryInputs(data, recipe, key, device)


def make_trainable(
    cell: Cell, chosen: ImageSettings, seed: int, device: torch.device, workers: int
) -> tuple[nn.Module, Inputs]:
    """The network of a cell on its device, and what it reads."""
    inputs = make_inputs(cell, chosen, seed, device, workers)
    return make_network(cell, chosen, seed).to(device), inputs


def make_clock(chosen: ImageSettings, epoch: int) -> Clock:
    """Steps of a run and of the printed one.

    Args:
        chosen: Settings of the run.
        epoch: Steps of an epoch of the run.
    """
    recipe = chosen.recipe
    printed = recipe.iterations or chosen.printed_epoch * (recipe.epochs or 0)
    if chosen.epochs is not None:
        steps = chosen.epochs * epoch
    else:
        steps = recipe.iterations or epoch * (recipe.epochs or 0)
    return Clock(steps, printed, chosen.printed_epoch)
