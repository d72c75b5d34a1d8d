"""Trained networks, and the images they were measured on, for analyses."""

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.run_exhibit import SEED, Where
from reactivate.experiment.settings import ImageSettings
from reactivate.training.inputs import Inputs, Part
from reactivate.training.setup import make_inputs, make_network


@dataclass(frozen=True)
class NetworkRun:
    """A trained network that an analysis looks at."""

    scale: str
    paper: str
    place: Where
    cell: Cell
    folder: Path
    seed: int = SEED

    @property
    def settings(self) -> ImageSettings:
        """The settings with which the network was trained."""
        return Experiment.load(self.scale).cell(self.paper, self.cell).image_settings

    @property
    def inputs(self) -> Inputs:
        """The images that the network read and was measured on."""
        cpu = torch.device("cpu")
        return make_inputs(self.cell, self.settings, self.seed, cpu, workers=0)


def trained(run: NetworkRun) -> nn.Module:
    """The network at the end of its training, to be evaluated."""
    network = untrained(run)
    network.load_state_dict(load_file(run.folder / "model.safetensors"))
    return network


def untrained(run: NetworkRun) -> nn.Module:
    """The network as it was before its training, to be evaluated."""
    return make_network(run.cell, run.settings, run.seed).eval()


def images(run: NetworkRun, part: Part, count: int | None = None) -> tuple[Tensor, Tensor]:
    """The first images of a part, as the network reads them, and their labels; all by default."""
    return first_images(run.inputs, part, count)


def first_images(inputs: Inputs, part: Part, count: int | None) -> tuple[Tensor, Tensor]:
    """The first images of a part and their labels; all if no count is given."""
    images, labels, left = [], [], count
    for x, y, _ in inputs.measured(part, 1):
        images.append(x[:left])
        labels.append(y[:left])
        if left is not None:
            left -= len(images[-1])
            if left == 0:
                break
    return torch.cat(images), torch.cat(labels)
