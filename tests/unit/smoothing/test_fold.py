"""A folded network computes the same, and the one it came from is left alone."""

import pytest
import torch
from reactivate.foundation.seeding import generator
from reactivate.models import MODELS
from reactivate.smoothing.fold import folded, streamlined
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

NETWORKS = {
    "vgg16": ({"width": 0.05}, (3, 32, 32)),
    "resnet14": ({"width": 0.1, "classes": 5}, (3, 32, 32)),
    "cifar_resnet56": ({"depth": 1, "width": 0.5}, (3, 8, 8)),
    "mlp": ({"parameterization": "bn", "hidden": (8, 7), "features": 5}, (5,)),
    "mobilenet_v2": ({"width": 0.1, "classes": 5}, (3, 32, 32)),
    "fcnn": ({"parameterization": "wn_mbn", "width": 0.1}, (1, 28, 28)),  # nothing to fold
}


def build(name):
    settings, shape = NETWORKS[name]
    torch.manual_seed(0)
    network = MODELS.load(name)(**settings).double()
    stream = generator("test", "statistics")
    for part in network.modules():
        if isinstance(part, _BatchNorm):
            part.running_mean.normal_(0, 0.5, generator=stream)
            part.running_var.uniform_(0.2, 3, generator=stream)
            part.weight.data.uniform_(-1, 2, generator=stream)
            part.bias.data.normal_(0, 0.5, generator=stream)
    return network, torch.randn(4, *shape, generator=stream).double()


@pytest.mark.parametrize("fold", [folded, streamlined])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_folded_network_computes_the_same_without_batch_normalisation(name, fold):
    network, x = build(name)
    before = {key: value.clone() for key, value in network.state_dict().items()}
    in_place = [getattr(part, "inplace", None) for part in network.modules()]
    copy = fold(network)
    with torch.no_grad():
        torch.testing.assert_close(copy(x), network.eval()(x), rtol=1e-10, atol=1e-10)
    assert not copy.training
    assert not any(isinstance(part, _BatchNorm) for part in copy.modules())
    torch.testing.assert_close(dict(network.state_dict()), before, rtol=0, atol=0)
    assert [getattr(part, "inplace", None) for part in network.modules()] == in_place


@pytest.mark.parametrize("name", ["vgg16", "resnet14"])
def test_a_streamlined_network_overwrites_what_its_relus_read_and_has_channels_last(name):
    copy = streamlined(build(name)[0])
    relus = [part for part in copy.modules() if isinstance(part, nn.ReLU)]
    assert relus
    assert all(relu.inplace for relu in relus)
    filters = [weight for weight in copy.parameters() if weight.dim() == 4]
    assert all(one.is_contiguous(memory_format=torch.channels_last) for one in filters)


def test_normalisation_that_cannot_be_folded_stays():
    weight_norm = torch.nn.utils.parametrizations.weight_norm
    network = nn.Sequential(
        nn.BatchNorm1d(3),
        weight_norm(nn.Linear(3, 3)),
        nn.BatchNorm1d(3),
        nn.Linear(3, 3),
        nn.BatchNorm1d(3, track_running_stats=False),
    )
    assert sum(isinstance(part, _BatchNorm) for part in folded(network).modules()) == 3
