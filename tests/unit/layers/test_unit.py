"""Units honour what their activation declares."""

import copy

import pytest
import torch
from reactivate.activations import ACTIVATIONS
from reactivate.activations.traits import traits_of
from reactivate.layers.chain import Chain, scaled
from reactivate.layers.style import Style
from reactivate.layers.unit import Unit, connect
from torch import nn


@pytest.mark.parametrize("parameterization", ["sp", "wn_mbn", "bn", "gmp_imn"])
@pytest.mark.parametrize("name", sorted(ACTIVATIONS.targets))
def test_unit_has_the_channels_it_says(name, parameterization):
    unit = Unit(nn.Conv2d(3, 4, 3), name, parameterization)
    assert unit(torch.randn(2, 3, 5, 5)).shape == (2, unit.out_channels, 3, 3)
    assert unit.out_channels == 4 * traits_of(ACTIVATIONS.load(name)).channel_multiplier


def test_a_unit_is_a_plain_layer_and_relu_unless_something_else_is_asked_for():
    layer = nn.Linear(3, 4)
    unit, x = Unit(copy.deepcopy(layer)), torch.randn(5, 3)
    assert torch.equal(unit(x), layer(x).relu())
    assert dict(unit.named_parameters()).keys() == {"layer.weight", "layer.bias"}


def test_a_convolution_goes_by_single_steps_unless_told_otherwise():
    x = torch.randn(1, 4, 6, 5)
    style = Style("relu", "sp")
    assert style.conv(4, 8, kernel=3)(x).shape == (1, 8, 4, 3)
    assert style.conv(4, 8, 3, stride=2, padding=1)(x).shape == (1, 8, 3, 3)
    assert style.conv(4, 8, kernel=3).layer.weight.shape == (8, 4, 3, 3)  # one group


def test_iieu_reads_the_normalised_response_and_the_input_of_its_convolution():
    unit = Unit(nn.Conv2d(3, 4, 3, padding=1), "iieu_b", "bn").double().eval()
    x = torch.randn(2, 3, 5, 5, dtype=torch.float64)
    expected = unit.activation(unit.before(unit.layer(x)), x, unit.layer)
    torch.testing.assert_close(unit(x), expected)


@pytest.mark.parametrize("parameterization", ["sp", "wn", "gmp"])
def test_only_the_layer_that_reads_static_psc_is_gated(parameterization):
    chain = Chain(Style("spsc", parameterization), channels=3)
    chain.conv(4).conv(4).append(nn.AdaptiveAvgPool2d(1)).flatten().output(2)
    gated = ["PhaseGate" in str(module) for module in chain.modules]
    assert gated == [False, True, False, False, True]
    assert nn.Sequential(*chain.modules)(torch.randn(2, 3, 8, 8)).shape == (2, 2)


def test_layers_after_other_activations_are_left_alone():
    layer = nn.Linear(4, 3)
    connect(Unit(nn.Linear(2, 4), "relu"), layer)
    connect(None, layer)
    assert type(layer) is nn.Linear


def test_chain_counts_doubled_channels():
    chain = Chain(Style("crelu"), channels=3, width=0.5).conv(8).linear(10)
    assert chain.modules[1].layer.in_features == 2 * 4
    assert chain.channels == 2 * 5


@pytest.mark.parametrize(("width", "expected"), [(1.0, 96), (0.5, 48), (2.0, 192), (0.001, 1)])
def test_width_scales_filters(width, expected):
    assert scaled(96, width) == expected


@pytest.mark.parametrize("parameterization", ["wn", "wn_mbn"])
def test_output_of_weight_normalized_networks_is_weight_normalized(parameterization):
    assert "WeightNorm" in str(Style("relu", parameterization).output(3, 2))


@pytest.mark.parametrize("parameterization", ["sp", "bn", "gmp", "gmp_imn"])
def test_output_of_other_networks_is_plain(parameterization):
    assert type(Style("relu", parameterization).output(3, 2)) is nn.Linear
