"""IIEU against loops over samples, channels and positions, written from the authors' formulas."""

import math

import pytest
import torch
from reactivate.activations import adjuster
from reactivate.activations.adjuster import Reweight, reweight
from reactivate.activations.coupler import DynamicCoupler
from reactivate.activations.iieu import IIEUB
from reactivate.activations.patch import patch_norm
from torch import nn

EPS = 1e-8
CONVOLUTIONS = {
    "3x3": {"kernel_size": 3, "padding": 1},
    "3x3 valid": {"kernel_size": 3},
    "3x3 same": {"kernel_size": 3, "padding": "same"},
    "stride 2": {"kernel_size": 3, "stride": 2, "padding": 1},
    "dilated": {"kernel_size": 3, "dilation": 2, "padding": 2},
    "7x7 stem": {"kernel_size": 7, "stride": 2, "padding": 3},
    "oblong": {"kernel_size": (1, 3), "stride": (2, 1), "padding": (0, 1)},
    "1x1": {"kernel_size": 1},
    "1x1 stride 2": {"kernel_size": 1, "stride": 2},
    "1x1 padded": {"kernel_size": 1, "padding": 1},
    "grouped": {"kernel_size": 3, "padding": 1, "groups": 2},
    "depthwise": {"kernel_size": 3, "stride": 2, "padding": 1, "groups": 4},
    "1x1 grouped": {"kernel_size": 1, "stride": 2, "groups": 2},
}


@pytest.fixture(autouse=True)
def same_numbers_every_time():
    torch.manual_seed(0)


def norm(numbers):
    return math.sqrt(sum(float(number) ** 2 for number in numbers))


def patch_norm_by_loop(image, convolution, position, channels):
    """Norm of what the filter covers at an output position; outside the image there is nothing."""
    covered = []
    for channel in channels:
        for i in range(convolution.kernel_size[0]):
            for j in range(convolution.kernel_size[1]):
                at = []
                for axis, offset in enumerate((i, j)):
                    padding = convolution.padding
                    pad = 1 if padding == "same" else padding[axis]
                    start = position[axis] * convolution.stride[axis] - pad
                    at.append(start + offset * convolution.dilation[axis])
                if 0 <= at[0] < image.shape[1] and 0 <= at[1] < image.shape[2]:
                    covered.append(image[channel, at[0], at[1]])
    return norm(covered)


def adjust(rho, eta):
    return rho if rho >= eta else eta * math.exp(rho - eta)


def layer_norm(numbers, eps=1e-6):
    mean = sum(numbers) / len(numbers)
    variance = sum((number - mean) ** 2 for number in numbers) / len(numbers)
    return [(number - mean) / math.sqrt(variance + eps) for number in numbers]


def iieu_by_loop(unit, response, image, convolution):
    """phi = adjust(s + nu) x, one position at a time."""
    out = torch.empty_like(response)
    group_in = convolution.in_channels // convolution.groups
    group_out = convolution.out_channels // convolution.groups
    for n in range(response.shape[0]):
        means = [float(channel.mean()) for channel in response[n]]
        for c, z in enumerate(layer_norm(means)):
            inner = float(unit.shift.weight[c]) * z + float(unit.shift.bias[c])
            nu = 1 / (1 + math.exp(-inner))
            first = (c // group_out) * group_in
            own = range(first, first + group_in)
            channels = own if unit.group_norm == "exact" else range(convolution.in_channels)
            size = norm(convolution.weight[c].flatten())
            for row in range(response.shape[2]):
                for column in range(response.shape[3]):
                    x = float(response[n, c, row, column])
                    patch = patch_norm_by_loop(image[n], convolution, (row, column), channels)
                    s = x / ((size + EPS) * (patch + EPS))
                    out[n, c, row, column] = adjust(s + nu, float(unit.eta[c])) * x
    return out


def trained_unit(channels, **options):
    """A unit away from its initial values, so that both sides of the adjuster occur."""
    unit = IIEUB(channels, **options).double()
    generator = torch.Generator().manual_seed(1)
    for parameter in unit.parameters():
        nn.init.normal_(parameter, 0.3, 0.5, generator=generator)
    return unit


@pytest.fixture
def image():
    generator = torch.Generator().manual_seed(0)
    return torch.randn(2, 4, 6, 5, dtype=torch.float64, generator=generator)


@pytest.mark.parametrize("group_norm", ["reference", "exact"])
@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_iieu_equals_the_loop_over_positions(kind, group_norm, image):
    convolution = nn.Conv2d(4, 8, **CONVOLUTIONS[kind]).double()
    unit = trained_unit(8, group_norm=group_norm)
    with torch.no_grad():
        response = 2 * convolution(image) + 0.1
        expected = iieu_by_loop(unit, response, image, convolution)
        torch.testing.assert_close(unit(response, image, convolution), expected)


@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_exact_similarity_of_the_bare_convolution_is_a_cosine(kind, image):
    convolution = nn.Conv2d(4, 8, **CONVOLUTIONS[kind], bias=False).double()
    sizes = convolution.weight.flatten(1).norm(dim=1)[:, None, None]
    patches = patch_norm(image, convolution, "exact").repeat_interleave(
        8 // convolution.groups if convolution.groups > 1 else 8, dim=1
    )
    product = sizes * patches
    assert (convolution(image).abs() <= product * (1 + 1e-12)).all()


def test_iieu_after_linear_equals_the_loop_over_units(image):
    linear, unit = nn.Linear(20, 6).double(), trained_unit(6)
    x = image.flatten()[:60].view(3, 20)
    with torch.no_grad():
        response = linear(x)
        pixel = nn.Conv2d(20, 6, 1).double()
        pixel.weight.copy_(linear.weight[..., None, None])
        expected = iieu_by_loop(unit, response[..., None, None], x[..., None, None], pixel)
        torch.testing.assert_close(unit(response, x, linear), expected[..., 0, 0])


@pytest.mark.parametrize("block", [1, 7, 40, 1 << 18])
@pytest.mark.parametrize("groups", [1, 2, 4])
@pytest.mark.parametrize("shape", [(2, 4, 5), (4, 8), (1, 4, 3, 3), (2, 4, 0)], ids=str)
def test_blockwise_function_equals_the_formula_for_any_block(shape, groups, block, monkeypatch):
    monkeypatch.setattr(adjuster, "BLOCK", block)
    sizes = [shape, (shape[0], groups, *shape[2:]), *[shape[:2]] * 3]
    arguments = [torch.randn(size, dtype=torch.float64, requires_grad=True) for size in sizes]
    gradient = torch.randn(shape, dtype=torch.float64)
    results = []
    for function in (reweight, Reweight.apply):
        out = function(*arguments)
        results.append([out, *torch.autograd.grad(out, arguments, gradient)])
    torch.testing.assert_close(results[1], results[0])


def test_second_derivatives_of_the_blockwise_function_equal_finite_differences():
    sizes = [(2, 3, 4), (2, 1, 4), (2, 3), (2, 3), (2, 3)]
    arguments = tuple(torch.randn(s, dtype=torch.float64, requires_grad=True) for s in sizes)
    assert torch.autograd.gradgradcheck(Reweight.apply, arguments)


def coupler_by_loop(coupler, identity, residual):
    """The dynamic coupler with Python numbers, step by step."""
    out = torch.empty_like(identity)
    channels, hidden = coupler.squeeze.in_features, coupler.squeeze.out_features
    for n in range(len(identity)):
        means = [float(map_.mean()) for branch in (identity[n], residual[n]) for map_ in branch]
        v = torch.tensor(layer_norm(means), dtype=torch.float64)
        v = (coupler.norm_in.weight * v + coupler.norm_in.bias).view(2, channels)
        logits = []
        for row in range(2):
            h = [float(coupler.squeeze.weight[j] @ v[row]) for j in range(hidden)]
            mean = sum(h) / hidden
            deviation = math.sqrt(sum((x - mean) ** 2 for x in h) / (hidden - 1))
            phi = []
            for j, x in enumerate(h):
                z = (x - mean) / (deviation + 1e-6)
                inner = float(coupler.weight[row, j]) * z + float(coupler.bias[row, j])
                nu = 1 / (1 + math.exp(-inner))
                s = x / ((norm(coupler.squeeze.weight[j]) + EPS) * (norm(v[row]) + EPS))
                phi.append(adjust(s + nu, float(coupler.eta[j])) * x)
            phi = torch.tensor(phi, dtype=torch.float64)
            logits += [float(coupler.expand.weight[c] @ phi) for c in range(channels)]
        logits = torch.tensor(layer_norm(logits), dtype=torch.float64)
        logits = (coupler.norm_out.weight * logits + coupler.norm_out.bias).view(2, channels)
        for c in range(channels):
            share = 1 / (1 + math.exp(float(logits[1, c] - logits[0, c])))
            out[n, c] = share * identity[n, c] + (1 - share) * residual[n, c]
    return out


@pytest.mark.parametrize(
    ("inputs", "filters"), [(1.0, 1.0), (1e-3, 1.0), (1.0, 1e-8)], ids=["", "flat", "short"]
)
def test_coupler_equals_the_loop_over_channels(inputs, filters):
    """Also where what is added to a variance or a length is as large as these."""
    coupler = DynamicCoupler(12, reduction=4).double()
    with torch.no_grad():
        coupler.squeeze.weight *= filters
        coupler.expand.weight /= filters
        norms = [*coupler.norm_in.parameters(), *coupler.norm_out.parameters()]
        for parameter in (coupler.eta, coupler.weight, coupler.bias, *norms):
            parameter.normal_(0.5, 0.5)
        identity, residual = inputs * torch.randn(2, 2, 12, 3, 3, dtype=torch.float64)
        expected = coupler_by_loop(coupler, identity, residual)
        torch.testing.assert_close(coupler(identity, residual), expected)
