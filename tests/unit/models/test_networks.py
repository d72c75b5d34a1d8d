"""Every network runs forward and backward, at its printed size and with every kind of unit."""

import subprocess
import sys

import pytest
import torch
from reactivate.activations import names
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.style import Style
from reactivate.layers.unit import Unit
from reactivate.models import MODELS
from reactivate.models.cifar_resnet import Subsample
from reactivate.models.residual import place
from torch import nn

OTHER_TASKS = {"retinanet", "allmlp_segmenter"}  # they have tests of their own
CLASSIFIERS = sorted(MODELS.targets.keys() - OTHER_TASKS)
IMAGENET = ("allcnn", "resnet", "mobilenet", "shufflenet")
DOUBLING = names(lambda traits: traits.channel_multiplier != 1)
KINDS = ["prelu", *names(lambda traits: traits.breakpoints is None)]
CHAINS = ("mlp", "vgg16", "vgg6", "cifar_vgg_conv1_3", "convpool8", "allcnn_conv1_4")
FAMILIES = (*CHAINS, "resnet14", "cifar_resnet56", "shufflenet_v2")


def printed_size(name):
    if name == "mlp":
        return (1,)
    if name == "fcnn":
        return (1, 28, 28)
    return (3, 224, 224) if name.startswith(IMAGENET) else (3, 32, 32)


def small_size(name):
    size = printed_size(name)
    return size if not name.startswith(("resnet", "mobilenet", "shufflenet")) else (3, 32, 32)


def small(name, **settings):
    """A network of few channels and blocks, not shallower in kinds of places."""
    if name.startswith("cifar_resnet"):
        settings["depth"] = 1
    return MODELS.load(name)(**{"width": 0.25, "classes": 6} | settings)


def shape_of(name, **settings):
    """Shape of the output of a small network for two inputs."""
    with torch.device("meta"):
        return small(name, **settings)(torch.zeros(2, *small_size(name))).shape


@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_shapes_at_the_printed_size(name):
    with torch.device("meta"):
        net = MODELS.load(name)(classes=8)
        out = net(torch.zeros(2, *printed_size(name)))
    assert out.shape == (2, 8)
    out.sum().backward()
    assert all(p.grad is not None for p in net.parameters())


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_parameter_gets_a_finite_gradient(name):
    torch.manual_seed(0)
    net = small(name)
    logits = net(torch.randn(2, *small_size(name)))
    loss = nn.functional.cross_entropy(logits, torch.tensor([0, 3]))
    loss.backward()
    assert loss.isfinite()
    assert all(p.grad.isfinite().all() for p in net.parameters())


@pytest.mark.parametrize("parameterization", sorted(PARAMETERIZATIONS.targets))
@pytest.mark.parametrize("name", FAMILIES)
def test_network_takes_every_parameterization(name, parameterization):
    assert shape_of(name, parameterization=parameterization) == (2, 6)


@pytest.mark.parametrize("activation", KINDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_network_takes_every_kind_of_activation(name, activation):
    assert shape_of(name, activation=activation) == (2, 6)


@pytest.mark.parametrize("activation", DOUBLING)
@pytest.mark.parametrize("name", [*CHAINS, "resnet14", "cifar_resnet56"])
def test_network_takes_activations_that_double_channels(name, activation):
    assert shape_of(name, activation=activation) == (2, 6)


@pytest.mark.parametrize("activation", names())
def test_network_takes_every_activation(activation):
    assert shape_of("convpool8", activation=activation) == (2, 6)


@pytest.mark.parametrize("activation", DOUBLING)
@pytest.mark.parametrize("name", ["mobilenet_v2", "shufflenet_v2"])
def test_mobile_networks_refuse_activations_that_double_channels(name, activation):
    with pytest.raises(ValueError, match="keep them"):
        MODELS.load(name)(activation=activation)


@pytest.mark.parametrize("name", ["vgg6", "resnet14", "convpool9", "cifar_resnet56"])
def test_width_scales_the_filters(name):
    with torch.device("meta"):
        first = [
            next(m for m in MODELS.load(name)(width=w).modules() if isinstance(m, Unit))
            for w in (1.0, 0.5)
        ]
    assert first[0].out_channels == 2 * first[1].out_channels


def activations(block):
    return [type(unit.activation).__name__ for unit in block.branch]


@pytest.mark.parametrize(
    ("activation", "inside", "joined"),
    [
        ("gelu", ["GELU", "GELU", "NoneType"], "GELU"),
        ("iieu_b", ["IIEUB", "IIEUB", "IIEUB"], "NoneType"),
        ("meta_acon", ["ReLU", "MetaAcon", "NoneType"], "ReLU"),
        ("crelu", ["CReLU", "CReLU", "NoneType"], "ReLU"),
    ],
)
def test_activations_stand_where_the_methods_say(activation, inside, joined):
    net = MODELS.load("resnet14")(activation=activation, width=0.1, classes=2)
    block = net[2]
    assert activations(block) == inside
    assert type(block.join.activation).__name__ == joined
    assert (block.shortcut.activation is None) == (activation != "iieu_b")


def test_only_iieu_dc_couples_its_blocks():
    couplers = {
        name: sum("DynamicCoupler" in type(m).__name__ for m in net.modules())
        for name in ("iieu_b", "iieu_dc")
        for net in [MODELS.load("resnet26")(activation=name, width=0.1, classes=2)]
    }
    assert couplers == {"iieu_b": 0, "iieu_dc": 8}


def test_mobilenet_couples_identity_blocks_only():
    net = MODELS.load("mobilenet_v2")(activation="iieu_dc", classes=2)
    names = [type(block).__name__ for block in net.features]
    # at width 0.17 the first blocks of stages 1 and 5 keep the channels too
    assert names.count("CoupledResidual") == sum((1, 1, 2, 3, 3, 2, 0))
    assert all(unit.activation is None for unit in last_units(net.features[1:-1]))


def last_units(blocks):
    return [[m for m in block.modules() if isinstance(m, Unit)][-1] for block in blocks]


def test_residual_stream_of_gmp_imn_is_centred():
    net = MODELS.load("cifar_resnet56")(parameterization="gmp_imn", depth=1, classes=2)
    out = net[:2](torch.randn(4, 3, 8, 8))
    assert out.mean([0, 2, 3]).abs().max() < 1e-6


def test_placement_keeps_options_with_their_activation():
    placement = place(Style("meta_acon", "bn", options={"reduction": 8}))
    assert placement.spatial.options == {"reduction": 8}
    assert placement.inner.options == {}


def test_the_shortcut_of_option_a_keeps_channels_in_place_and_appends_zeros():
    x = torch.randn(2, 3, 6, 6)
    found = Subsample(stride=2, added=4)(x)
    assert torch.equal(found[:, :3], x[:, :, ::2, ::2])
    assert found.shape == (2, 7, 3, 3)
    assert found[:, 3:].abs().max() == 0


def test_registries_do_not_import_torch():
    code = "import sys, reactivate.models, reactivate.layers; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
