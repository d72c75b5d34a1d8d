"""Values of the elementwise activations against their formulas, in Python's own arithmetic."""

import math

import pytest
import torch
from reactivate.activations import create
from reactivate.activations.acon import AconC, MetaAcon
from scipy.optimize import minimize_scalar
from torch import nn

POINTS = [-30.0, -5.0, -1.5, -0.75, -1e-3, 0.0, 1e-3, 0.4, 1.0, 2.5, 7.0, 30.0]


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))


def softplus(x):
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def smu(x, a, mu):
    return ((1 + a) * x + (1 - a) * x * math.erf(mu * (1 - a) * x)) / 2


def smu1(x, a, mu):
    return ((1 + a) * x + math.sqrt(((1 - a) * x) ** 2 + mu**2)) / 2


SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
FORMULAS = {
    "relu": lambda x: max(x, 0.0),
    "leaky_relu": lambda x: max(x, 0.0) + 0.01 * min(x, 0.0),
    "prelu": lambda x: max(x, 0.0) + 0.25 * min(x, 0.0),
    "elu": lambda x: x if x > 0 else math.expm1(x),
    "selu": lambda x: SELU_SCALE * (x if x > 0 else SELU_ALPHA * math.expm1(x)),
    "softplus": softplus,
    "sigmoid": sigmoid,
    "tanh": math.tanh,
    "gelu": lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2,
    "silu": lambda x: x * sigmoid(x),
    "swish": lambda x: x * sigmoid(x),
    "mish": lambda x: x * math.tanh(softplus(x)),
    "erfact": lambda x: x * math.erf(0.75 * math.exp(0.75 * x)),
    "pserf": lambda x: x * math.erf(1.25 * softplus(0.85 * x)),
    "smu": lambda x: smu(x, 0.01, 2.5),
    "smu1": lambda x: smu1(x, 0.01, 4.332461424154261e-9),
}


@pytest.fixture(autouse=True)
def double_precision():
    """Initial values in float64, not rounded to float32 first."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def value(name, x, **options):
    module = create(name, **options)
    with torch.no_grad():
        return module(torch.tensor([[x]], dtype=torch.float64)).item()


@pytest.mark.parametrize("x", POINTS)
@pytest.mark.parametrize("name", FORMULAS)
def test_activation_equals_its_formula(name, x):
    # torch's softplus is linear above 20, where that changes a value by 1e-9 of it
    assert value(name, x) == pytest.approx(FORMULAS[name](x), rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("x", POINTS)
def test_smu_of_the_first_arxiv_version_is_a_leaky_relu(x):
    expected = max(x, 0.0) + 0.25 * min(x, 0.0)
    assert value("smu", x, slope=0.25, mu=1e6) == pytest.approx(expected)
    smoothed = value("smu1", x, slope=0.25, mu=4.352665993287951e-9)
    assert smoothed == pytest.approx(expected, abs=3e-9)


def test_smu1_of_numbers_whose_squares_overflow_is_a_leaky_relu():
    x = torch.tensor([-1e200, 1e200], dtype=torch.float64)
    torch.testing.assert_close(create("smu1")(x), nn.functional.leaky_relu(x, 0.01))


def test_smu1_is_exported_as_it_computes():
    unit, x = create("smu1", slope=0.25, mu=0.7), torch.tensor(POINTS)
    exported = torch.export.export(unit, (x,)).module()
    torch.testing.assert_close(exported(x), unit(x))


@pytest.mark.parametrize(
    ("name", "where", "minimum"),
    [
        ("gelu", -0.75179, -0.16997),
        ("silu", -1.27846, -0.27846),
        ("mish", -1.19243, -0.30884),
    ],
)
def test_minimum_is_where_the_methods_say(name, where, minimum):
    found = minimize_scalar(lambda x: value(name, x), bounds=(-3, 0), method="bounded")
    assert found.x == pytest.approx(where, abs=1e-4)
    assert found.fun == pytest.approx(minimum, abs=5e-6)


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [("crelu", [-1.0, 2.0], [0.0, 2.0, 1.0, 0.0]), ("psc", [-1.0, 2.0], [0.0, 2.0, -1.0, 0.0])],
)
def test_positive_phase_comes_first(name, x, expected):
    out = create(name)(torch.tensor([x]))
    assert out.tolist() == [expected]


@pytest.mark.parametrize("x", POINTS)
def test_acon_c_equals_its_formula(x):
    unit = AconC(3).double()
    with torch.no_grad():
        unit.beta.copy_(torch.tensor([0.0, 1.0, 2.5]))
        out = unit(torch.full((1, 3), x, dtype=torch.float64))[0].tolist()
        p1, p2, beta = unit.p1.tolist(), unit.p2.tolist(), unit.beta.tolist()
    for channel in range(3):
        gap = (p1[channel] - p2[channel]) * x
        expected = gap * sigmoid(beta[channel] * gap) + p2[channel] * x
        assert out[channel] == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_meta_acon_switches_by_the_channel_means():
    unit = MetaAcon(4).double().eval()
    x = torch.randn(2, 4, 3, 3, dtype=torch.float64)
    fc1, bn1, fc2, bn2, _ = unit.switch
    means = x.mean(dim=(2, 3))
    hidden = (means @ fc1.weight.T + fc1.bias) / math.sqrt(1 + bn1.eps)
    beta = torch.sigmoid((hidden @ fc2.weight.T + fc2.bias) / math.sqrt(1 + bn2.eps))
    gap = (unit.p1 - unit.p2)[:, None, None] * x
    expected = gap * torch.sigmoid(beta[..., None, None] * gap) + unit.p2[:, None, None] * x
    torch.testing.assert_close(unit(x), expected)


@pytest.mark.parametrize(
    ("channels", "count"), [(64, 2416), (128, 4784), (256, 9520), (512, 35424)]
)
def test_meta_acon_adds_the_parameters_behind_16_1_m(channels, count):
    """The 3x3 activations of ResNet-26 add 104 288 in all: 16.1 M in Table 5 of IIEU."""
    assert sum(parameter.numel() for parameter in MetaAcon(channels).parameters()) == count
    assert 2 * (2416 + 4784 + 9520 + 35424) == 104_288
