"""Networks after training: without what static PSC closed, or compressed by SVD."""

import copy
from collections.abc import Iterator

from torch import nn
from torch.nn.utils import parametrize

from reactivate.activations.gate import PhaseGate, collapse, gate_of
from reactivate.models.psc_resnet import PscResNet, nearest_low_rank
from reactivate.models.residual import Block


def gated_layers(network: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Name and layer of every weight with a phase gate, in the order of the network.

    Example:
        >>> layer = PhaseGate.attach(nn.Linear(4, 3))
        >>> [name for name, _ in gated_layers(nn.Sequential(nn.ReLU(), layer))]
        ['1']
    """
    for name, module in network.named_modules():
        if parametrize.is_parametrized(module, "weight"):
            steps = module.parametrizations["weight"]
            if any(isinstance(step, PhaseGate) for step in steps):
                yield name, module


def collapsed(network: nn.Module) -> nn.Module:
    """A copy of a network whose gated layers have lost what their gates closed.

    It gives the outputs of the network in eval mode, with the parameters of a network that reads
    the positive phase alone.

    Reference:
        PSC supplement, Section A, after Eq. 19 (CVPR Workshops 2021).

    Example:
        >>> network = nn.Sequential(nn.ReLU(), PhaseGate.attach(nn.Linear(4, 3)))
        >>> sum(weight.numel() for weight in collapsed(network).parameters())
        9
    """
    made = copy.deepcopy(network)
    for name, layer in list(gated_layers(made)):
        made.set_submodule(name, collapse(layer))  # type: ignore[arg-type]
    return made


def splits(network: nn.Module) -> list[tuple[int, int]]:
    """Outputs of every gated layer that read the positive phase, and all its outputs.

    Example:
        >>> splits(PhaseGate.attach(nn.Linear(4, 3)))
        [(0, 3)]
    """
    gates = [gate_of(layer) for _, layer in gated_layers(network)]
    return [(gate.positives, len(gate.logits) - 1) for gate in gates]


def compressed(network: PscResNet) -> nn.Module:
    """A copy of a network of dynamic PSC with its selected convolutions compressed by SVD.

    Reference:
        PSC supplement, Section A (CVPR Workshops 2021): U and V of W+ and W-, each of a rank that
        leaves the parameters of one phase alone.

    Example:
        >>> compressed(PscResNet("psc", depth=1))[1].branch[1].layer.widen
        Conv2d(14, 16, kernel_size=(1, 1), stride=(1, 1), bias=False)
    """
    made = copy.deepcopy(network)
    for block in made.modules():
        if isinstance(block, Block):
            block.branch[1].layer = nearest_low_rank(block.branch[1].layer)  # type: ignore[arg-type]
    return made
