"""Work of every network of the configuration, as it was counted once and is kept."""

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import SceneSet, Sized
from reactivate.experiment.cell import Cell
from reactivate.experiment.recipes import Detected, Segmented, Training
from reactivate.experiment.settings import ImageSettings

COUNTED = Path("config/costs/networks.json")
INITIAL = "initialization"  # the values of weights cost nothing
PASSES = ("forward", "ascent", "training")
FUSED = "fused"  # a training step whose elementwise operations are fused


@dataclass(frozen=True)
class PassCost:
    """Work of one pass through a network; see :class:`reactivate.models.passes.PassWork`."""

    kernels: int
    flops: int
    traffic: int
    fixed_kernels: int
    fixed_flops: int
    fixed_traffic: int


@dataclass(frozen=True)
class NetworkCost:
    """Work of a network; see :class:`reactivate.models.passes.NetworkWork`, :mod:`.fusion`."""

    parameters: int
    tensors: int
    kept: int
    forward: PassCost
    ascent: PassCost
    training: PassCost
    fused: PassCost | None = None  # training, compiled; of those that may be


GRID = 32  # pixels to which pictures of scenes are filled up
USUAL = 4 / 3  # width of a picture, of its height


def input_size(images: Sized, chosen: ImageSettings) -> tuple[int, int, int]:
    """Channels, height and width of an image as a network reads it; of scenes, a usual one."""
    recipe = chosen.recipe
    if isinstance(recipe, Segmented):
        return 3, recipe.crop, recipe.crop
    if isinstance(recipe, Detected):
        short = chosen.model.arguments["short"]
        assert isinstance(short, int | float)  # of a detector
        wide = 1.0 if isinstance(images, SceneSet) else USUAL
        return 3, _filled_up(short), _filled_up(short * wide)
    return _cut_size(images, recipe)


def _filled_up(length: float) -> int:
    return GRID * math.ceil(length / GRID)


def _cut_size(images: Sized, recipe: Training) -> tuple[int, int, int]:
    """Channels, height and width of an image after it was cut."""
    channels, side = 3, None
    shape = getattr(images, "shape", None)
    if shape is not None:
        channels, side = shape[0], shape[-1]
    pictures = recipe.pictures
    if side is None:
        assert pictures is not None  # the recipe of pictures of any size
        return channels, pictures.size, pictures.size
    if recipe.side is not None:
        side = recipe.side
    if pictures is not None:
        side = round(side * pictures.size / pictures.resize)
    return channels, side, side


def network_name(cell: Cell, chosen: ImageSettings) -> str:
    """Everything that the work of a cell's network depends on, as one line.

    Example:
        >>> from reactivate.experiment.experiment import Experiment
        >>> cell = Cell("cifar10", "vgg16", "relu", "bn", "chapter3")
        >>> network_name(cell, Experiment.load("paper").cell("thesis", cell).image_settings)
        'vgg16 relu bn width 1 classes 10 input 3x32x32 {"arguments": {"dropout": 0.5}}'
    """
    images = dataset(cell.dataset)
    assert isinstance(images, Sized)  # the settings are those of an image network
    model = chosen.model
    size = "x".join(map(str, input_size(images, chosen)))
    name = (
        f"{model.network} {cell.activation} {cell.parameterization} width {model.width:g} "
        f"classes {chosen.classes} input {size}"
    )
    arguments = {key: value for key, value in model.arguments.items() if key != INITIAL}
    given = {"arguments": arguments, "options": model.options}
    kept = {key: value for key, value in given.items() if value}
    return f"{name} {json.dumps(kept, sort_keys=True)}" if kept else name


@lru_cache
def counted_networks(path: Path = COUNTED) -> dict[str, NetworkCost]:
    """The work of every network that was counted, by its name.

    Raises:
        ValueError: The file is not as ``reactivate count`` writes it.
    """
    if not path.exists():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {name: _read(entry) for name, entry in entries.items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is not as `reactivate count` writes it ({error}); delete it and count again"
        ) from None


def written(networks: dict[str, dict[str, Any]]) -> str:
    """The text of the file: a line for each network."""
    lines = [f"{json.dumps(name)}: {json.dumps(networks[name])}" for name in sorted(networks)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _read(entry: dict[str, Any]) -> NetworkCost:
    kinds = [*PASSES, *({FUSED} & set(entry))]
    passes = {kind: PassCost(*entry[kind]) for kind in kinds}
    return NetworkCost(entry["parameters"], entry["tensors"], entry["kept"], **passes)
