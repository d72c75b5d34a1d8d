"""Chains are taken apart into what they compute; anything else is refused."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.patterns.chains import blocks_of
from reactivate.patterns.preactivations import preactivations_of
from torch import nn

CHAINS = {
    "mlp": ({"hidden": (4, 3), "features": 5, "parameterization": "wn_mbn"}, (5,)),
    "fcnn": ({"parameterization": "gmp_imn"}, (1, 28, 28)),
    "vgg16": ({"dropout": 0.5}, (3, 32, 32)),
    "cifar_vgg_conv1": ({}, (3, 32, 32)),
    "allcnn": ({"classes": 3}, (3, 64, 64)),
}


@pytest.mark.parametrize("name", CHAINS)
def test_blocks_compute_what_the_network_computes(name):
    settings, shape = CHAINS[name]
    torch.manual_seed(0)
    network = MODELS.load(name)(width=0.1, **settings).double().eval()
    x = values = torch.randn(2, *shape, dtype=torch.float64)
    seen = {}
    for block in blocks_of(network):
        values = block.affine(values)
        if block.nonlinear is not None:
            seen[block.name] = values
            values = block.nonlinear(values)
    assert torch.equal(values, network(x))
    found = preactivations_of(network, x)
    assert set(found) <= set(seen)  # max pooling is nonlinear too
    assert all(torch.equal(z, seen[layer]) for layer, z in found.items())


def test_a_module_that_is_used_twice_is_two_links():
    relu, linear = nn.ReLU(), nn.Linear(2, 2)
    names = [block.name for block in blocks_of(nn.Sequential(linear, relu, linear, relu))]
    assert names == ["1", "1:2", "output"]


@pytest.mark.parametrize(
    ("network", "says"),
    [
        (MODELS.load("cifar_resnet56")(depth=1), "Block at '1' is no link of a chain: what it"),
        (nn.Sequential(nn.LayerNorm(3)), "LayerNorm at '0' is no link of a chain"),
        (
            nn.Sequential(nn.BatchNorm1d(3, track_running_stats=False)),
            "BatchNorm1d at '0' is no link of a chain: it normalises by the batch",
        ),
    ],
)
def test_what_is_no_chain_is_refused(network, says):
    with pytest.raises(ValueError, match=rf"{says}.*; accepted: .*Choose another network"):
        blocks_of(network)
