"""Trained networks for images from 0 to 1, and these images: for attacks and certificates."""

from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from reactivate.datasets.images import Normalisation
from reactivate.defences.standardise import Standardised, restored
from reactivate.evidence.networks import trained, untrained
from reactivate.experiment.analysis import NetworkRun
from reactivate.experiment.papers import ImageSettings, image_settings
from reactivate.training.setup import make_inputs

DEFENDED = "defend"


def unit_network(run: NetworkRun) -> nn.Module:
    """The network at the end of its training, for images from 0 to 1, to be evaluated.

    One of the stage defend brings its statistics along; one of the stage train read images that
    were normalised before it, which it does by itself here.
    """
    if _chosen(run).recipe.stage == DEFENDED:
        return restored(untrained(run), load_file(run.folder / "model.safetensors"))
    statistics: Normalisation = _inputs(run).normalise
    return Standardised(statistics.mean, statistics.std, trained(run)).eval()


def unit_images(run: NetworkRun, count: int | None = None) -> tuple[Tensor, Tensor]:
    """The first test images of a run, from 0 to 1, and their labels; all by default."""
    inputs = _inputs(run)
    inputs.normalise = Normalisation((0.0,) * len(inputs.normalise.mean))
    found, labels, left = [], [], count
    for x, y, _ in inputs.measured("test", 1):
        found.append(x[:left])
        labels.append(y[:left])
        if left is not None:
            left -= len(found[-1])
            if left == 0:
                break
    return torch.cat(found), torch.cat(labels)


def _chosen(run: NetworkRun) -> ImageSettings:
    return image_settings(run.scale, run.paper, run.cell)


def _inputs(run: NetworkRun) -> Any:  # from memory, or a stream
    return make_inputs(run.cell, _chosen(run), run.seed, torch.device("cpu"), workers=0)
