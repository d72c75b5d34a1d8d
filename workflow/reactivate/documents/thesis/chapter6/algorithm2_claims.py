"""Thesis, Algorithm 2: the amplified forward pass of training, run as printed."""

import torch
from torch import Tensor

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.small_networks import linear_maps, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

ACTIVATED = False  # whether line 11 of Algorithm 2 applies the activation


def training_pass(network: torch.nn.Sequential, x: Tensor, activated: bool) -> Tensor:
    """Lines 6 to 13 of Algorithm 2 without amplification (eta 1 = 0).

    Args:
        network: Linear layers with ReLU between them.
        x: Inputs.
        activated: Whether line 11 applies the activation.
    """
    *blocks, last = linear_maps(network)
    for block in blocks:
        z = block(x)
        x = z.relu() if activated else z
    out: Tensor = last(x)
    return out


def amplified_pass() -> Judgement:
    """Algorithm 2: with eta 1 = 0 nothing is amplified, so the pass is that of the network."""
    stream = generator("thesis", "algorithm2")
    network, x = random_dense((4, 16, 16, 3), stream), normal((20, 4), stream)
    outputs = training_pass(network, x, ACTIVATED)
    error = (outputs - network(x)).abs().max().item()
    middle = training_pass(network, x[:2].mean(dim=0, keepdim=True), ACTIVATED)
    bend = (outputs[:2].mean(dim=0) - middle).abs().max().item()
    return judge(
        error < 1e-9,
        f"random network with 2 x 16 neurons: line 11 gives outputs that differ from the "
        f"network's by up to {error:.2f}, and bend between two inputs by {bend:.0e}: without an "
        "activation the pass is linear",
    )
