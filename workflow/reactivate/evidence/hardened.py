"""Trained networks for images from 0 to 1, and these images: for attacks and certificates."""

from typing import Any

from safetensors.torch import load_file
from torch import Tensor, nn

from reactivate.datasets.images import Normalisation
from reactivate.defences.standardise import Standardised, restored
from reactivate.evidence.networks import NetworkRun, first_images, trained, untrained
from reactivate.training.inputs import Inputs

DEFENDED = "defend"


def unit_network(run: NetworkRun) -> nn.Module:
    """The network at the end of its training, for images from 0 to 1, to be evaluated.

    One of the stage defend brings its statistics along; one of the stage train read images that
    were normalised before it, which it does by itself here.
    """
    if run.settings.recipe.stage == DEFENDED:
        return restored(untrained(run), load_file(run.folder / "model.safetensors")).to(run.device)
    inputs: Any = run.inputs  # from memory, or a stream
    statistics: Normalisation = inputs.normalise
    return Standardised(statistics.mean, statistics.std, trained(run)).eval().to(run.device)


def unit_images(run: NetworkRun, count: int | None = None) -> tuple[Tensor, Tensor]:
    """The first test images of a run, from 0 to 1, and their labels; all by default."""
    return first_images(unit_inputs(run), "test", count)


def unit_inputs(run: NetworkRun) -> Inputs:
    """What a run read, with images from 0 to 1."""
    inputs: Any = run.inputs
    inputs.normalise = Normalisation((0.0,) * len(inputs.normalise.mean))
    unit: Inputs = inputs
    return unit
