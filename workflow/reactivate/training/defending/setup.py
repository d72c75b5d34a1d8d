"""Make what a defended training needs: inputs from 0 to 1, the network for them, the defence."""

from typing import Any

import torch

from reactivate.datasets.images import Normalisation
from reactivate.defences import DEFENCES
from reactivate.defences.defence import Defence
from reactivate.defences.standardise import Standardised
from reactivate.experiment.cell import Cell
from reactivate.experiment.recipes import Defended
from reactivate.experiment.settings import ImageSettings
from reactivate.training.inputs import Inputs
from reactivate.training.setup import make_inputs, make_network


def make_defended(
    cell: Cell, chosen: ImageSettings, seed: int, device: torch.device, workers: int
) -> tuple[Standardised, Inputs]:
    """The network of a cell for images from 0 to 1, and these images.

    The statistics that the inputs would have been normalised with move into the network.
    """
    inputs: Any = make_inputs(cell, chosen, seed, device, workers)  # from memory, or a stream
    statistics: Normalisation = inputs.normalise
    network = make_network(cell, chosen, seed)
    inputs.normalise = Normalisation((0.0,) * len(statistics.mean))
    return Standardised(statistics.mean, statistics.std, network).to(device), inputs


def make_defence(recipe: object) -> Defence:
    """The defence that a recipe names.

    Raises:
        ValueError: It names none, or one that nobody registered.
    """
    if not isinstance(recipe, Defended):
        raise ValueError(
            "the recipe has no defence; accepted: recipes of stage defend. Choose one of those in "
            "config/papers, or run the stage train"
        )
    fields = dict(recipe.defence)
    defence: Defence = DEFENCES.load(fields.pop("name"))(**fields)
    return defence
