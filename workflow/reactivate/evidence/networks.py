"""Trained networks, and the images they were measured on, for analyses."""

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from reactivate.experiment.analysis import NetworkRun
from reactivate.experiment.papers import image_settings
from reactivate.training.inputs import Part
from reactivate.training.setup import make_inputs, make_network


def trained(run: NetworkRun) -> nn.Module:
    """The network at the end of its training, to be evaluated."""
    network = untrained(run)
    network.load_state_dict(load_file(run.folder / "model.safetensors"))
    return network


def untrained(run: NetworkRun) -> nn.Module:
    """The network as it was before its training, to be evaluated."""
    chosen = image_settings(run.scale, run.paper, run.cell)
    return make_network(run.cell, chosen, run.seed).eval()


def images(run: NetworkRun, part: Part, count: int | None = None) -> tuple[Tensor, Tensor]:
    """The first images of a part, as the network reads them, and their labels; all by default."""
    chosen = image_settings(run.scale, run.paper, run.cell)
    inputs = make_inputs(run.cell, chosen, run.seed, torch.device("cpu"), workers=0)
    found, labels, left = [], [], count
    for x, y, _ in inputs.measured(part, 1):
        found.append(x[:left])
        labels.append(y[:left])
        if left is not None:
            left -= len(found[-1])
            if left == 0:
                break
    return torch.cat(found), torch.cat(labels)
