"""Initial weights of GmP and WN against closed forms and the authors' conversion, written out.

Weights that are uniform up to ``b = sqrt(6 / (n + m))`` have the mean square ``b^2 / 3``, so a
unit of n weights has a length near ``sqrt(2 n / (n + m))``. The authors' own initializers take the
number of filters for m; Keras' takes filters times positions of the kernel.
"""

import math

import numpy as np
import pytest
import torch
from reactivate.layers.batched.gmp import GeometricUnits
from reactivate.layers.parameterizations import parameterize
from reactivate.layers.unit import Unit
from reactivate.models.batched_mlp import build
from reactivate.models.vgg import VGG6
from scipy import stats
from torch import nn

# channels, filters: mean radius of the authors' program and by Keras' bound
RADII = {(3, 128): (0.588, 0.212), (128, 128): (1.342, 1.001), (128, 256): (1.279, 0.816)}
GEOMETRIC, NORMALISED = ("gmp", "gmp_imn"), ("wn", "wn_mbn")


def convolution(channels, filters, parameterization, scheme, seed=0):
    torch.manual_seed(seed)
    return Unit(nn.Conv2d(channels, filters, 3), "relu", parameterization, scheme)


def lengths(unit):
    """Length of the weights of every unit, as its parameterization stores it."""
    if unit.scale is not None:
        return unit.scale.radius.detach()
    parametrized = getattr(unit.layer, "parametrizations", None)
    if parametrized is not None:
        return parametrized.weight.original0.detach().flatten()
    return unit.layer.weight.detach().flatten(1).norm(dim=1)


def mean_length(shape, parameterization, scheme):
    draws = [lengths(convolution(*shape, parameterization, scheme, seed)) for seed in range(12)]
    return torch.cat(draws).mean().item()


@pytest.mark.parametrize("scheme", ["authors_code", "authors_code_signed"])
@pytest.mark.parametrize("parameterization", [*GEOMETRIC, *NORMALISED])
@pytest.mark.parametrize("shape", RADII)
def test_the_authors_radii_count_filters_as_outputs(shape, parameterization, scheme):
    found = mean_length(shape, parameterization, scheme)
    assert found == pytest.approx(RADII[shape][0], abs=0.003)


@pytest.mark.parametrize("scheme", ["authors_code", "document", "document_direction"])
@pytest.mark.parametrize("parameterization", ["sp", "bn"])
@pytest.mark.parametrize("shape", RADII)
def test_plain_convolutions_keep_the_bound_of_keras(shape, parameterization, scheme):
    found = mean_length(shape, parameterization, scheme)
    assert found == pytest.approx(RADII[shape][1], abs=0.003)


@pytest.mark.parametrize("parameterization", NORMALISED)
@pytest.mark.parametrize("shape", RADII)
def test_the_document_says_nothing_of_wn_which_then_has_the_bound_of_keras(
    shape, parameterization
):
    found = mean_length(shape, parameterization, "document")
    assert found == pytest.approx(RADII[shape][1], abs=0.003)


@pytest.mark.filterwarnings("ignore:uniform angles")
@pytest.mark.parametrize("scheme", ["document", "document_direction"])
@pytest.mark.parametrize("parameterization", GEOMETRIC)
@pytest.mark.parametrize("shape", RADII)
def test_the_radii_of_the_document_are_1(shape, parameterization, scheme):
    unit = convolution(*shape, parameterization, scheme)
    assert lengths(unit).eq(1).all()
    assert unit.layer.bias.abs().max() == 0


@pytest.mark.parametrize(("scheme", "uniform"), [("document_direction", True), ("torch", False)])
def test_directions_of_the_document_are_uniform_on_the_circle(scheme, uniform):
    """Weights that are uniform in a square point to its corners more often than to its sides."""
    torch.manual_seed(0)
    unit = Unit(nn.Linear(2, 5000), "relu", "gmp", scheme)
    x, y = unit.layer.weight.detach().double().numpy().T
    from_side = np.arctan(np.minimum(abs(x), abs(y)) / np.maximum(abs(x), abs(y)))
    found = stats.kstest(from_side, stats.uniform(0, math.pi / 4).cdf).pvalue
    assert found > 0.01 if uniform else found < 1e-6


@pytest.mark.parametrize("bias", [True, False])
def test_the_bias_under_a_mean_becomes_its_shift(bias):
    layer = nn.Linear(3, 4, bias=bias)
    before = layer.bias.detach().clone() if bias else torch.zeros(4)
    parts = parameterize(layer, "wn_mbn")
    assert parts.layer.bias is None
    assert torch.equal(parts.before.shift, before)


@pytest.mark.parametrize("parameterization", ["sp", "bn", *GEOMETRIC, *NORMALISED])
def test_of_a_linear_layer_all_bounds_are_the_same(parameterization):
    torch.manual_seed(0)
    unit = Unit(nn.Linear(60, 100), "relu", parameterization, "authors_code")
    torch.manual_seed(0)
    plain = nn.Linear(60, 100).weight
    nn.init.xavier_uniform_(plain)
    torch.testing.assert_close(lengths(unit), plain.detach().norm(dim=1))


def test_over_vgg6_the_factors_of_the_two_bounds_multiply_to_16():
    """ReLU passes factors on and biases are 0, so the logits differ by the product."""
    x = torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    logits = []
    for parameterization in ("sp", "wn"):  # the same draws, other bounds
        torch.manual_seed(0)
        with torch.no_grad():
            logits.append(VGG6(parameterization=parameterization).eval()(x))
    keras, authors = logits
    layers = [(3, 128), (128, 128), (128, 256), (256, 256), (256, 512), (512, 512)]
    factors = [math.sqrt(9 * (c + f) / (9 * c + f)) for c, f in layers]
    assert math.prod(factors) == pytest.approx(16.35, abs=0.01)
    torch.testing.assert_close(authors, math.prod(factors) * keras, rtol=1e-3, atol=1e-5)


def converted(weights):
    """Directions after the authors' conversion to angles and back, each coordinate by itself."""
    found = np.empty_like(weights)
    for unit, w in enumerate(weights):
        n = len(w)
        theta = [math.pi / 2 - math.atan2(w[k], math.hypot(*w[k + 1 :])) for k in range(n - 2)]
        half = w[n - 2] + math.hypot(w[n - 2], w[n - 1])
        theta.append(2 * (math.pi / 2 - math.atan2(half, abs(w[n - 1]))))
        for k in range(n):
            sines = math.prod(math.sin(t) for t in theta[:k])
            found[unit, k] = sines * (math.cos(theta[k]) if k < n - 1 else 1)
    return found


def test_the_authors_conversion_loses_the_sign_of_the_last_coordinate():
    weight = np.array([[0.5, 2.0, -1.366]])
    assert converted(weight) * np.linalg.norm(weight) == pytest.approx(abs(weight))


@pytest.mark.parametrize("parameterization", GEOMETRIC)
def test_directions_are_those_of_the_authors_program(parameterization):
    kept = convolution(3, 8, parameterization, "authors_code_signed")
    lost = convolution(3, 8, parameterization, "authors_code")
    directions = kept.layer.weight.detach().flatten(1).double().numpy()
    assert (directions[:, -1] < 0).any()
    found = lost.layer.weight.detach().flatten(1).numpy()
    assert found == pytest.approx(converted(directions), abs=1e-5)
    assert found[:, :-1] == pytest.approx(directions[:, :-1], abs=1e-5)


def test_directions_of_batched_networks_are_those_of_the_authors_program():
    directions = {}
    for scheme in ("authors_code", "authors_code_signed"):
        streams = [torch.Generator().manual_seed(seed) for seed in (0, 1)]
        net = build(
            GeometricUnits, GeometricUnits, nn.ReLU(), 5, 9, streams, torch.float64, scheme, {}
        )
        directions[scheme] = net.hidden.affine(None).weight.detach().flatten(0, 1).numpy()
    kept = directions["authors_code_signed"]
    assert (kept[:, -1] < 0).any()
    assert directions["authors_code"] == pytest.approx(converted(kept), abs=1e-12)


def test_a_uniform_direction_has_the_same_share_in_every_coordinate():
    unit = convolution(2, 20_000, "gmp", "document_direction")
    directions = unit.layer.weight.detach().flatten(1)
    assert directions.square().mean(0).numpy() == pytest.approx([1 / 18] * 18, rel=0.05)
    assert directions.mean(0).abs().max() < 0.01
    correlations = directions.T @ directions * 18 / len(directions)
    assert (correlations - torch.eye(18)).abs().max() < 0.05


@pytest.mark.parametrize("mean_shift", [True, False])
def test_without_a_shift_the_mean_of_a_response_stays_0(mean_shift):
    """In the authors' code the mean removes the bias and nothing takes its place."""
    torch.manual_seed(0)
    unit = Unit(nn.Conv2d(3, 4, 3), None, "wn_mbn", "authors_code", mean_shift=mean_shift)
    with torch.no_grad():
        for parameter in unit.parameters():
            parameter.add_(0.3)
    mean = unit(torch.randn(5, 3, 8, 8)).mean([0, 2, 3]).detach()
    assert mean.numpy() == pytest.approx([0.3 if mean_shift else 0.0] * 4, abs=1e-5)
    assert any(name.endswith("shift") for name, _ in unit.named_parameters()) == mean_shift


@pytest.mark.parametrize("mean_shift", [True, False])
def test_a_network_passes_the_option_on(mean_shift):
    net = VGG6(width=0.02, parameterization="wn_mbn", mean_shift=mean_shift)
    shifts = [name for name, _ in net.named_parameters() if name.endswith("before.shift")]
    assert len(shifts) == (6 if mean_shift else 0)
