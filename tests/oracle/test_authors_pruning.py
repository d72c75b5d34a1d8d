"""Scores of the author's pruning program, repeated in numpy, and the masks that follow."""

import numpy as np
import pytest
import torch
from reactivate.pruning.masks import start_masks
from reactivate.pruning.removal import Removal
from reactivate.pruning.targets import Target
from torch import nn

HALF, END = 0.5, 0.8  # shares that are gone before and after the pruning


def layer(seed=0):
    """A convolution of 36,864 weights and the entropies of its 64 channels at 8 x 8 positions."""
    stream = torch.Generator().manual_seed(seed)
    conv = nn.Conv2d(64, 64, 3, bias=False)
    with torch.no_grad():
        conv.weight.copy_(0.05 * torch.randn(conv.weight.shape, generator=stream) + 0.01)
    entropies = 0.7 * torch.rand(64, 8, 8, generator=stream, dtype=torch.float64)
    entropies *= torch.rand(64, 1, 1, generator=stream, dtype=torch.float64)
    return conv, entropies


def pruned(conv, entropies, blend, protocol, sparsity=END):
    target = Target("conv", conv, "act", tuple(entropies.shape), (0.0,))
    start_masks([target])
    Removal(blend, sparsity, protocol=protocol)([target], {"act": entropies}, torch.Generator())
    return conv.weight_mask.bool().numpy()


def programmed(weight, alive, entropies, blend, sparsity=END):
    """What is left by ``compute_importance`` and ``compute_mask`` of the author's program."""
    weight = np.where(alive, weight, 0.0)  # the program zeroes what it masks
    channels = entropies.mean(axis=(1, 2))
    of_channels = (channels - channels.mean()) / channels.std(ddof=1)
    of_weights = (weight - weight.mean()) / weight.std(ddof=1)
    of_channels = of_channels.reshape(-1, 1, 1, 1)
    score = of_channels * of_weights if blend == "normalised_product" else of_channels + of_weights
    score = np.abs(score)
    gone = int(sparsity * weight.size) - int((~alive).sum())
    threshold = np.sort(score[alive])[gone]
    return alive & (score >= threshold)


@pytest.mark.parametrize("blend", ["normalised_product", "sum"])
def test_masks_from_a_masked_layer_are_those_of_the_program(blend):
    conv, entropies = layer()
    weight = conv.weight.detach().double().numpy()
    alive = pruned(conv, entropies, "weight", "document", HALF)
    assert alive.sum() == 36_864 / 2
    wanted = programmed(weight, alive, entropies.numpy(), blend)
    found = pruned(conv, entropies, blend, "authors_code")
    assert (~found).sum() == 29_491
    assert (found != wanted).sum() == 0
