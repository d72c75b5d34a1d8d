"""Counts and formulas behind checks of printed statements, against networks and simulations."""

import pytest
import torch
from reactivate.documents.crelu import tables_s1_to_s12_claims as crelu_architectures
from reactivate.models import MODELS
from torch import nn


def windows(side, layers, up):
    """The side that torch's own layers leave."""
    x = torch.empty(1, 1, side, side, device="meta")
    for kernel, stride, padding in layers:
        pool = nn.AvgPool2d(kernel, stride, padding, ceil_mode=True)
        layer = pool if up and stride > 1 else nn.Conv2d(1, 1, kernel, stride, padding)
        x = layer.to("meta")(x)
    return x.shape[-1]


@pytest.mark.parametrize("up", [False, True])
def test_the_last_map_has_the_side_that_layers_leave(up):
    for side, layers in ((32, crelu_architectures.TABLE_S1), (224, crelu_architectures.TABLE_S7)):
        found = crelu_architectures.last_side(side, layers, up)
        assert found == windows(side, layers, up)


NETWORKS = {
    "S1 left": ("convpool8", {"classes": 100}),
    "S1 right": ("convpool8_double", {"classes": 100}),
    "S2 left": ("convpool8", {"classes": 100, "activation": "crelu"}),
    "S2 right": ("convpool8_half_printed", {"classes": 100}),
    "S3": ("cifar_vgg", {"classes": 100}),
    "S4": ("cifar_vgg_conv1", {"classes": 100}),
    "S5": ("cifar_vgg_conv1_3", {"classes": 100}),
    "S6": ("cifar_vgg_conv1_3_5", {"classes": 100}),
    "S7": ("allcnn", {}),
    "S8": ("allcnn_conv1_4", {}),
    "S9": ("allcnn_conv1_7", {}),
    "S10": ("allcnn_conv1_9", {}),
    "S12": ("allcnn_conv1_4_7", {}),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_printed_kernels_are_those_of_our_networks(name):
    model, settings = NETWORKS[name]
    with torch.device("meta"):
        network = MODELS.load(model)(**settings)
    weights = [
        tuple(module.weight.shape)
        for module in network.modules()
        if isinstance(module, nn.Conv2d | nn.Linear)
    ]
    ours = [(shape[0], shape[1], shape[2] if len(shape) > 2 else 1) for shape in weights]
    printed = crelu_architectures.PRINTED[name]
    assert [(kernel.filters, kernel.reads, kernel.size) for kernel in printed] == ours
