"""Norms against singular values of matrices written out, slopes against formulas."""

import math

import pytest
import torch
from reactivate.activations import create, names
from reactivate.activations.traits import traits_of
from reactivate.layers.chain import Chain
from reactivate.layers.style import Style
from reactivate.models.mlp import MLP
from reactivate.patterns import lipschitz
from reactivate.patterns.regions import patterns_of, same_region
from reactivate.patterns.slopes import pooling_slope, slopes_of
from torch import nn


def written_out(module, shape):
    """The matrix of an affine module, one column per number of its input."""
    origin = torch.zeros(1, *shape, dtype=torch.float64)
    columns = []
    for index in range(origin.numel()):
        one = origin.clone()
        one.view(-1)[index] = 1.0
        columns.append((module(one) - module(origin)).flatten())
    return torch.stack(columns, dim=1)


def normalised():
    norm = nn.BatchNorm2d(4)
    for tensor in (norm.weight, norm.bias, norm.running_mean):
        nn.init.normal_(tensor)
    nn.init.uniform_(norm.running_var, 0.5, 2.0)
    return norm


AFFINE = {
    "linear": (lambda: nn.Linear(7, 5), (7,)),
    "weight norm": (lambda: nn.utils.parametrizations.weight_norm(nn.Linear(7, 5)), (7,)),
    "conv": (lambda: nn.Conv2d(2, 4, 3, padding=1), (2, 6, 5)),
    "strided conv": (lambda: nn.Conv2d(2, 4, 3, stride=2), (2, 7, 7)),
    "grouped circular": (
        lambda: nn.Conv2d(4, 4, 3, padding=1, groups=2, padding_mode="circular"),
        (4, 5, 5),
    ),
    "conv and norm": (
        lambda: nn.Sequential(nn.Conv2d(2, 4, 3, padding=1, bias=False), normalised()),
        (2, 5, 5),
    ),
    "pooled": (lambda: nn.Sequential(nn.AvgPool2d(2), nn.Flatten(), nn.Linear(18, 3)), (2, 6, 6)),
}


@pytest.mark.parametrize("dense", [2**20, 0], ids=["written out", "power iteration"])
@pytest.mark.parametrize("kind", AFFINE)
def test_norm_is_the_largest_singular_value(monkeypatch, kind, dense):
    monkeypatch.setattr(lipschitz, "DENSE", dense)
    torch.manual_seed(0)
    make, shape = AFFINE[kind]
    module = make().double().eval().requires_grad_(False)
    largest = torch.linalg.svdvals(written_out(module, shape))[0].item()
    norm = lipschitz.operator_norm(module, shape)
    assert norm == pytest.approx(largest, rel=1e-6)
    assert norm <= largest * (1 + 1e-12)


@pytest.mark.parametrize(("side", "together"), [(20, 400), (40, 1)])
def test_only_a_small_map_is_written_out(side, together):
    """One of 400 x 400 entries is passed all directions at once, one of 1600 x 1600 never."""
    module, passed = nn.Conv2d(1, 1, 3, padding=1).double().requires_grad_(False), []
    module.register_forward_pre_hook(lambda module, x: passed.append(len(x[0])))
    lipschitz.operator_norm(module, (1, side, side), tolerance=0.1)
    assert max(passed) == together


def test_the_norm_of_nothing_is_zero(monkeypatch):
    monkeypatch.setattr(lipschitz, "DENSE", 0)
    module = nn.Linear(3, 2).double().requires_grad_(False)
    module.weight.zero_()
    assert lipschitz.operator_norm(module, (3,)) == 0.0


def gelu_slope(x):
    return 0.5 * (1 + math.erf(x / 2**0.5)) + x * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def sigmoid_slope(x):
    return 1 / (2 + math.exp(x) + math.exp(-x))


SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
STEEPEST = {
    "relu": [0.0, 1.0],
    "leaky_relu": [0.01, 1.0],
    "prelu": [0.25, 1.0],
    "crelu": [1.0, 1.0],
    "psc": [1.0, 1.0],
    "elu": [1.0, 1.0],
    "selu": [SELU_SCALE * SELU_ALPHA, SELU_SCALE],
    "softplus": [0.5, 1.0],
    "sigmoid": [sigmoid_slope(0.5), 0.25, sigmoid_slope(0.5)],
    "tanh": [1 - math.tanh(0.5) ** 2, 1.0, 1 - math.tanh(0.5) ** 2],
    "gelu": [0.5, gelu_slope(2**0.5)],  # its second derivative is 0 at the root of 2
}


@pytest.mark.parametrize("name", STEEPEST)
def test_slopes_are_those_of_the_formulas(name):
    found = slopes_of(create(name, channels=2), channels=2)
    assert found.shape == (len(STEEPEST[name]), 2)
    assert found[:, 0].tolist() == pytest.approx(STEEPEST[name], rel=1e-9)
    assert torch.equal(found[:, 0], found[:, 1])


@pytest.mark.parametrize("name", names(lambda traits: traits.breakpoints))
def test_no_secant_is_steeper_than_the_slope(name):
    torch.manual_seed(0)
    activation = create(name, channels=3).double()
    ends = traits_of(type(activation)).tested
    x = torch.linspace(*ends, 2401, dtype=torch.float64)[:, None].expand(-1, 3)
    with torch.no_grad():
        values = activation(x).reshape(len(x), -1, 3)
    secants = values.diff(dim=0).norm(dim=1) / x.diff(dim=0)
    steepest = slopes_of(activation, 3).amax(dim=0)
    assert (secants.amax(dim=0) <= steepest * (1 + 1e-9)).all()
    assert (secants.amax(dim=0) >= steepest * 0.99).all()


def test_channels_have_slopes_of_their_own():
    activation = nn.PReLU(3)
    with torch.no_grad():
        activation.weight.copy_(torch.tensor([0.5, -2.0, 0.0]))
    assert slopes_of(activation, 3).tolist() == [[0.5, 2.0, 0.0], [1.0, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("pooling", "slope"),
    [(nn.MaxPool2d(2), 1.0), (nn.MaxPool2d(3, 2), 2.0), (nn.MaxPool1d(5, (2,)), 3**0.5)],
)
def test_overlapping_windows_may_choose_an_input_several_times(pooling, slope):
    assert pooling_slope(pooling) == pytest.approx(slope)


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "gelu", "sigmoid", "crelu"])
@pytest.mark.parametrize("parameterization", ["sp", "bn", "gmp"])
def test_lemma_6_no_two_points_are_further_apart_than_the_product_allows(
    activation, parameterization
):
    torch.manual_seed(0)
    network = MLP(activation, parameterization, features=4, hidden=(8, 8), classes=3).double()
    network.eval()
    bound = lipschitz.product_bound(lipschitz.layer_bounds(network, (4,)))
    x, y = 3 * torch.randn(2, 500, 4, dtype=torch.float64)
    with torch.no_grad():
        ratio = (network(x) - network(y)).norm(dim=1) / (x - y).norm(dim=1)
    local = lipschitz.local_lipschitz(network, x)
    assert ratio.max() <= bound
    assert local.max() <= bound * (1 + 1e-9)
    assert ratio.max() > 0.02 * bound


@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "tanh"])
def test_lemma_5_and_6_hold_in_a_region_and_are_no_looser_there(activation):
    torch.manual_seed(0)
    network = MLP(activation, features=3, hidden=(6, 6), classes=2).double()
    x = torch.randn(40, 3, dtype=torch.float64)
    everywhere = lipschitz.layer_bounds(network, (3,))
    patterns = patterns_of(network, x)
    near = x + 1e-3 * torch.randn(40, 3, dtype=torch.float64)
    together = same_region(patterns.codes, patterns_of(network, near).codes)
    assert together.sum() > 20
    for index in together.nonzero().flatten().tolist():
        pattern = {name: patterns.layer(name)[index] for name in patterns.layers}
        here = lipschitz.layer_bounds(network, (3,), pattern)
        assert all(a.bound <= b.bound for a, b in zip(here, everywhere, strict=True))
        with torch.no_grad():
            moved = (network(x[[index]]) - network(near[[index]])).norm()
        assert moved <= lipschitz.product_bound(here) * (x[index] - near[index]).norm()


def test_a_dead_layer_has_bound_zero_in_its_region():
    network = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    dead = {"1": torch.zeros(3, dtype=torch.int8)}
    assert lipschitz.product_bound(lipschitz.layer_bounds(network, (2,), dead)) == 0.0
    unsure = {"1": torch.tensor([0, -1, 0], dtype=torch.int8)}
    assert lipschitz.layer_bounds(network, (2,), unsure)[0].slope == 1.0


def test_local_constant_is_the_largest_singular_value_of_the_jacobian():
    torch.manual_seed(0)
    network = MLP("gelu", "bn", features=5, hidden=(7, 7), classes=3).double()
    x = torch.randn(9, 5, dtype=torch.float64)
    found = lipschitz.local_lipschitz(network, x, chunk=4)
    assert network.training
    for point, value in zip(x, found.tolist(), strict=True):
        jacobian = torch.autograd.functional.jacobian(network.eval(), point[None]).reshape(3, 5)
        assert value == pytest.approx(torch.linalg.svdvals(jacobian)[0].item())


def test_convolutional_networks_with_max_pooling_have_bounds():
    torch.manual_seed(0)
    chain = Chain(Style("relu", "bn"), channels=2).conv(3, padding=1).append(nn.MaxPool2d(3, 2))
    chain.conv(4).append(nn.AdaptiveAvgPool2d(1)).flatten().output(3)
    network = nn.Sequential(*chain.modules).double().eval()
    bounds = lipschitz.layer_bounds(network, (2, 9, 9))
    assert [layer.name for layer in bounds] == ["0.activation", "1", "2.activation", "output"]
    assert bounds[1].slope == 2.0
    x = torch.randn(20, 2, 9, 9, dtype=torch.float64)
    assert lipschitz.local_lipschitz(network, x).max() <= lipschitz.product_bound(bounds)
