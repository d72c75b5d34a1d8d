"""Make what a training on scenes needs: the network with its backbone's weights, and scenes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn

from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet, SceneSet
from reactivate.experiment.cell import Cell
from reactivate.experiment.paths import RECORD
from reactivate.experiment.recipes import Segmented
from reactivate.experiment.settings import ImageSettings
from reactivate.foundation.files import sha256
from reactivate.models.backbone import load_backbone
from reactivate.preparation.scenes import detection_sets, segmentation_sets, true_instances
from reactivate.training.run import Treatment
from reactivate.training.scenes.inputs import DetectionInputs, SceneInputs, SegmentationInputs
from reactivate.training.setup import make_network
from reactivate.training.tasks import Task

MakeInputs = Callable[[Cell, ImageSettings, int, torch.device, int], SceneInputs]


def scenes_of(cell: Cell) -> SceneSet | FolderSet:
    """Catalog entry of the scenes of a cell.

    Raises:
        ValueError: Its dataset is of another kind.
    """
    entry = dataset(cell.dataset)
    if not isinstance(entry, SceneSet | FolderSet):
        raise ValueError(
            f"{cell.dataset} has no scenes; accepted: datasets of kind scenes or folder. Choose "
            "another in config/papers, or another stand-in in config/scales.yaml"
        )
    return entry


def detection_inputs(
    cell: Cell, chosen: ImageSettings, seed: int, device: torch.device, workers: int
) -> DetectionInputs:
    """Pictures and objects of a cell."""
    entry, key = scenes_of(cell), (cell.dataset, seed)
    sets, truth = detection_sets(cell.dataset, entry), true_instances(cell.dataset, entry)
    return DetectionInputs(sets, truth, chosen.recipe, key, device, workers, chosen.data_fraction)


def segmentation_inputs(
    cell: Cell, chosen: ImageSettings, seed: int, device: torch.device, workers: int
) -> SegmentationInputs:
    """Pictures of a cell and the classes of their pixels."""
    assert isinstance(chosen.recipe, Segmented)
    sets, key = segmentation_sets(cell.dataset, scenes_of(cell)), (cell.dataset, seed)
    return SegmentationInputs(sets, chosen.recipe, key, device, workers, chosen.data_fraction)


def make_on_backbone(
    weights: Path,
    inputs: MakeInputs,
    cell: Cell,
    chosen: ImageSettings,
    seed: int,
    device: torch.device,
    workers: int,
) -> tuple[nn.Module, SceneInputs]:
    """The network of a cell, whose backbone has the weights of a file, and what it reads."""
    network = make_network(cell, chosen, seed)
    load_backbone(network, load_file(weights))
    return network.to(device), inputs(cell, chosen, seed, device, workers)


def treatment_of(task: Task, inputs: MakeInputs, folder: Path | None) -> Treatment:
    """Treatment of a run that starts from the weights of another one.

    Args:
        task: What the network is trained for.
        inputs: Makes what it reads.
        folder: Of the run whose weights its backbone gets.

    Raises:
        ValueError: The recipe names no such run, or it has left no weights.
    """
    if folder is None:
        raise ValueError(
            "the recipe names no backbone; accepted: recipes of stage detect or segment. Choose "
            "one of those in config/papers, or run the stage train"
        )
    weights = folder / "model.safetensors"
    if not weights.exists():
        raise ValueError(
            f"{weights} does not exist; train the backbone first: snakemake {folder / RECORD}"
        )
    make, identity = partial(make_on_backbone, weights, inputs), f"backbone {sha256(weights)}"
    return Treatment(task, make=make, identity=identity, read=(folder / RECORD,))
