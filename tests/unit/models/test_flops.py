"""Operations against torch's own counter, and against the printed numbers."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.models.flops import count_operations, count_parameters
from torch.utils.flop_counter import FlopCounterMode


def build(name, **settings):
    with torch.device("meta"):
        net = MODELS.load(name)(**settings).eval()
    return net.dense if name == "retinanet" else net


def size_of(name):
    large = ("allcnn", "resnet", "mobilenet", "shufflenet", "retinanet", "allmlp")
    return {"mlp": (1,), "fcnn": (784,)}.get(
        name, (3, 224, 224) if name.startswith(large) else (3, 32, 32)
    )


@pytest.mark.parametrize("name", sorted(MODELS.targets))
def test_multiply_adds_are_half_of_torch_flops(name):
    net = build(name)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        net(torch.zeros(1, *size_of(name), device="meta"))
    assert count_operations(net, size_of(name)).multiply_adds == counter.get_total_flops() / 2


@pytest.mark.parametrize(
    ("name", "multiply_adds", "total", "printed"),
    [
        ("resnet14", "1.469", "1.48", "1.5"),
        ("resnet26", "2.342", "2.36", "2.4"),
        ("resnet50", "4.089", "4.12", "4.1"),
    ],
)
def test_printed_flops_count_normalisation_and_activation(name, multiply_adds, total, printed):
    operations = count_operations(build(name), (3, 224, 224))
    assert f"{operations.multiply_adds / 1e9:.3f}" == multiply_adds
    assert f"{operations.total / 1e9:.2f}" == total
    assert f"{operations.total / 1e9:.1f}" == printed


@pytest.mark.parametrize("activation", ["iieu_b", "iieu_dc"])
@pytest.mark.parametrize(
    ("name", "printed"), [("resnet14", "1.5"), ("resnet26", "2.4"), ("resnet50", "4.2")]
)
def test_printed_flops_of_iieu(name, printed, activation):
    operations = count_operations(build(name, activation=activation), (3, 224, 224))
    assert f"{operations.total / 1e9:.1f}" == printed


@pytest.mark.parametrize(
    ("name", "millions"),
    [("mobilenet_v2", "32.0"), ("shufflenet_v2", "40.5"), ("cifar_resnet56", "125.5")],
)
def test_multiply_adds_of_small_networks(name, millions):
    operations = count_operations(build(name), size_of(name))
    assert f"{operations.multiply_adds / 1e6:.1f}" == millions


def test_operations_of_one_unit_written_out():
    net = build("convpool8")[:1]
    operations = count_operations(net, (3, 32, 32))
    assert operations.multiply_adds == 96 * 32 * 32 * 27
    assert operations.normalization == 0
    assert operations.activation == 96 * 32 * 32


def test_counting_leaves_the_network_as_it_was():
    net = MODELS.load("vgg6")(width=0.1, parameterization="bn").train()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    count_operations(net, (3, 32, 32))
    assert net.training
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert not any(module._forward_hooks for module in net.modules())


def test_frozen_signs_are_not_parameters():
    net = MODELS.load("mlp")(parameterization="gmp", features=1)
    assert count_parameters(net) == 2 * 100 + 101
