"""Trained networks, and the images they were measured on, for analyses."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from reactivate.evidence.pieces import Numbers, Pieces
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.run_exhibit import SEED, Where
from reactivate.experiment.settings import ImageSettings
from reactivate.training.inputs import Inputs, Part
from reactivate.training.setup import make_inputs, make_network

CPU = torch.device("cpu")


def best_device() -> torch.device:
    """The first GPU, or the CPU where there is none."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass(frozen=True)
class NetworkRun:
    """A trained network that an analysis looks at."""

    scale: str
    paper: str
    place: Where
    cell: Cell
    folder: Path
    seed: int = SEED
    device: torch.device = CPU
    workers: int = 0  # that decode pictures; with 0 the process itself does
    pieces: Pieces = field(default_factory=Pieces)  # of an analysis, that are not done again

    @property
    def settings(self) -> ImageSettings:
        """The settings with which the network was trained."""
        return Experiment.load(self.scale).cell(self.paper, self.cell).image_settings

    def piece(self, name: str, compute: Callable[[], Numbers]) -> Numbers:
        """A piece of an analysis of this network: as it was kept, or computed and kept."""
        return self.pieces.get(" ".join(map(str, (*self.place, name))), compute)

    @property
    def inputs(self) -> Inputs:
        """The images that the network read and was measured on."""
        where = self.device, self.workers
        return make_inputs(self.cell, self.settings, self.seed, *where)


def trained(run: NetworkRun) -> nn.Module:
    """The network at the end of its training, on the device of the run, to be evaluated."""
    network = untrained(run)
    network.load_state_dict(load_file(run.folder / "model.safetensors"))
    return network


def untrained(run: NetworkRun) -> nn.Module:
    """The network as it was before its training, on the device of the run, to be evaluated."""
    return make_network(run.cell, run.settings, run.seed).eval().to(run.device)


def images(run: NetworkRun, part: Part, count: int | None = None) -> tuple[Tensor, Tensor]:
    """The first images of a part, as the network reads them, and their labels; all by default."""
    return first_images(run.inputs, part, count)


def first_images(inputs: Inputs, part: Part, count: int | None) -> tuple[Tensor, Tensor]:
    """The first images of a part and their labels; all if no count is given."""
    numbers = None if count is None else torch.arange(min(count, inputs.count(part)))
    read = list(inputs.measured(part, 1, numbers))
    x = torch.cat([batch.x for batch in read])
    return x, torch.cat([batch.y for batch in read]).to(x.device)
