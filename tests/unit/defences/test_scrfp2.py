"""SCRFP-2's training: masks by definition, values and gradients scaled as each protocol says."""

import pytest
import torch
from reactivate.defences.noise import NoiseTraining, gaussian
from reactivate.defences.scrfp2 import (
    Scrfp2Training,
    amplified,
    masks_between,
    reforming,
    weighted,
)
from reactivate.defences.standardise import Standardised
from reactivate.layers.style import Style
from reactivate.models.residual import Block
from reactivate.patterns.paths import float_masks
from torch import nn
from torch.nn import functional

PROTOCOLS = ["document", "authors_code"]


class Dense:
    """Two ReLU layers written out; ``pattern(x)`` and a forward pass with factors."""

    def __init__(self):
        torch.manual_seed(3)
        self.layers = [
            nn.Linear(4, 6).double(),
            nn.Linear(6, 5).double(),
            nn.Linear(5, 3).double(),
        ]
        a, b, c = self.layers
        self.network = nn.Sequential(a, nn.ReLU(), b, nn.ReLU(), c)

    def preactivations(self, x):
        first = self.layers[0](x)
        return first, self.layers[1](first.relu())

    def floating(self, x, other):
        pairs = zip(self.preactivations(x), self.preactivations(other), strict=True)
        return [(one > 0) != (two > 0) for one, two in pairs]

    def scores(self, x, factors):
        for layer, factor in zip(self.layers, factors, strict=False):
            x = (layer(x) * factor).relu()
        return self.layers[2](x)

    def gradients(self, x, y, factors):
        """Of the weights, by hand: each gradient that passes a pre-activation is scaled."""
        first, second = self.preactivations(x)
        probabilities = self.layers[2](second.relu()).softmax(1)
        error = probabilities - functional.one_hot(y, 3)
        back = (error @ self.layers[2].weight) * (second > 0) * factors[1]
        below = (back @ self.layers[1].weight) * (first > 0) * factors[0]
        return below.T @ x, back.T @ first.relu(), error.T @ second.relu()


@pytest.fixture
def dense():
    return Dense()


@pytest.fixture
def points():
    stream = torch.Generator().manual_seed(5)
    return torch.rand(9, 4, generator=stream, dtype=torch.float64), torch.arange(9) % 3


@pytest.fixture(params=["float", "fixed"])
def paths(request):
    return request.param


@pytest.fixture
def reformed(dense, points, stream, paths):
    """Noisy points, and the masks of their neurons that are reformed in each layer."""
    x, _ = points
    noisy = x + gaussian(x, 0.5, stream())
    masks = dense.floating(x, noisy)
    assert all(mask.any() and not mask.all() for mask in masks)
    return noisy, masks if paths == "float" else [~mask for mask in masks]


@pytest.mark.parametrize("eta", [0.3, -0.2])
def test_the_document_scales_the_value_before_the_activation(
    dense, points, stream, reformed, paths, eta
):
    (x, y), (noisy, chosen) = points, reformed
    expected = dense.scores(noisy, [1 + eta * mask for mask in chosen])
    loss, scores = Scrfp2Training(0.5, eta, paths)(dense.network, x, y, stream(), 0)
    torch.testing.assert_close(scores, expected)
    torch.testing.assert_close(loss, functional.cross_entropy(expected, y, reduction="sum"))


@pytest.mark.parametrize("eta", [0.3, -0.2])
def test_the_authors_code_scales_the_gradient_only(dense, points, stream, reformed, paths, eta):
    (x, y), (noisy, chosen) = points, reformed
    defence = Scrfp2Training(0.5, eta, paths, "authors_code")
    loss, scores = defence(dense.network, x, y, stream(), 0)
    assert torch.equal(scores, dense.network(noisy))
    loss.backward()
    expected = dense.gradients(noisy, y, [1 + eta * mask for mask in chosen])
    gradients = [layer.weight.grad for layer in dense.layers]
    torch.testing.assert_close(gradients, list(expected))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_eta_0_is_training_on_noise_bit_for_bit(new_network, images, stream, protocol, paths):
    x, y = (tensor.float() if tensor.is_floating_point() else tensor for tensor in images)
    plain, reformed = new_network().float(), new_network().float()
    one = NoiseTraining(0.25)(plain, x, y, stream(), 0)
    two = Scrfp2Training(0.25, 0.0, paths, protocol)(reformed, x, y, stream(), 0)
    assert torch.equal(one.loss, two.loss)
    assert torch.equal(one.scores, two.scores)
    one.loss.backward()
    two.loss.backward()
    for first, second in zip(plain.parameters(), reformed.parameters(), strict=True):
        assert torch.equal(first.grad, second.grad)
    for first, second in zip(plain.buffers(), reformed.buffers(), strict=True):
        assert torch.equal(first, second)


def test_the_straight_through_gradient_is_the_scaled_one():
    z = torch.randn(6, dtype=torch.float64, requires_grad=True)
    more = torch.tensor([0.0, 0.5, -0.5, 0.1, 0.0, 0.9], dtype=torch.float64)
    value = weighted(z, more)
    assert torch.equal(value, z)
    (gradient,) = torch.autograd.grad((value**2).sum(), z)
    torch.testing.assert_close(gradient, 2 * z.detach() * (1 + more))
    (gradient,) = torch.autograd.grad((amplified(z, more) ** 2).sum(), z)
    torch.testing.assert_close(gradient, 2 * z.detach() * (1 + more) ** 2)


def test_masks_are_those_of_the_definition(network, images, stream):
    x = images[0]
    noisy = x + gaussian(x, 0.3, stream())
    found = masks_between(network.eval(), x, noisy)
    expected = float_masks(network, x, noisy)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in found)


def test_the_protocols_find_float_neurons_in_different_modes(new_network, images, stream):
    x, y = images
    noisy = x + gaussian(x, 0.25, stream())
    modes = {"document": True, "authors_code": False}
    for protocol, training in modes.items():
        masks = masks_between(new_network().train(training), x, noisy)
        network = new_network()
        reform = amplified if training else weighted
        with reforming(network, masks, lambda z, m, f=reform: f(z, 0.5 * m)):
            expected = functional.cross_entropy(network(noisy), y, reduction="sum")
        expected.backward()
        other = new_network()
        loss, _ = Scrfp2Training(0.25, 0.5, protocol=protocol)(other, x, y, stream(), 0)
        loss.backward()
        torch.testing.assert_close(loss, expected)
        torch.testing.assert_close(other[0].weight.grad, network[0].weight.grad)


def test_residual_networks_and_the_standardised_input_are_reformed_too(stream):
    torch.manual_seed(0)
    block = Block(Style("relu", "bn"), 2, [(3, 1), (3, 3), (2, 1)])
    network = Standardised(
        [0.5, 0.5], None, nn.Sequential(block, nn.Flatten(), nn.Linear(2 * 9, 3))
    )
    x, y = torch.rand(4, 2, 3, 3), torch.tensor([0, 1, 2, 0])
    with torch.no_grad():
        masks = masks_between(network, x, x + gaussian(x, 0.5, stream()))
    assert len(masks) == 3
    plain, reformed = (
        Scrfp2Training(0.5, eta)(network, x, y, stream(), 0).loss for eta in (0.0, 0.5)
    )
    assert not torch.equal(plain, reformed)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_network_that_is_not_piecewise_linear_is_named(protocol, images, stream):
    network = nn.Sequential(nn.Flatten(), nn.Linear(9, 4), nn.GELU(), nn.Linear(4, 3)).double()
    with pytest.raises(ValueError, match=r"^GELU at '2' is not piecewise linear.*accepted: relu"):
        Scrfp2Training(0.25, 0.1, protocol=protocol)(network, *images, stream(), 0)
