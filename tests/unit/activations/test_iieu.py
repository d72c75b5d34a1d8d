"""IIEU: parameter counts, the ablations of term-B, gradients, placement errors."""

import math

import pytest
import torch
from reactivate.activations import create
from reactivate.activations.coupler import DynamicCoupler
from reactivate.activations.iieu import IIEUB, IIEUDC
from reactivate.activations.patch import patch_norm
from reactivate.activations.shift import KINDS, ChannelShift
from torch import nn
from torch.nn import functional

DOUBLE = torch.float64


@pytest.fixture(autouse=True)
def same_numbers_every_time():
    torch.manual_seed(0)


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("channels", [8, 64])
def test_iieu_adds_three_parameters_per_channel(channels, kind):
    assert count(create("iieu_b", channels=channels, shift=kind)) == 3 * channels


@pytest.mark.parametrize(
    ("channels", "reduction"), [(256, 16), (512, 16), (2048, 16), (8, 4), (16, 4), (56, 4)]
)
def test_coupler_has_the_published_parameter_count(channels, reduction):
    hidden = channels // reduction
    expected = 8 * channels + 2 * channels * hidden + 5 * hidden
    assert count(DynamicCoupler(channels, reduction)) == expected


def test_couplers_and_units_account_for_the_published_resnet_26_dc():
    """16.0 M -> 17.5 M: two bottlenecks at each of four widths."""
    couplers = sum(2 * count(DynamicCoupler(channels)) for channels in (256, 512, 1024, 2048))
    assert 15_995_176 + 46_272 + couplers == 17_497_928


def test_coupler_starts_near_the_mean_of_both_branches():
    identity, residual = torch.randn(2, 3, 32, 4, 4)
    mean = (identity + residual) / 2
    torch.testing.assert_close(DynamicCoupler(32)(identity, residual), mean, atol=0.05, rtol=0.05)


def test_coupler_gradient_equals_finite_differences():
    coupler = DynamicCoupler(8, reduction=4).double()
    branches = torch.randn(2, 2, 8, 3, 2, dtype=DOUBLE).unbind()
    assert torch.autograd.gradcheck(coupler, [branch.requires_grad_() for branch in branches])


@pytest.mark.parametrize("channels", [1, 4, 16])
def test_coupler_of_few_channels_is_finite(channels):
    coupler = DynamicCoupler(channels)
    out = coupler(torch.randn(1, channels, 2, 2), torch.zeros(1, channels, 2, 2))
    out.sum().backward()
    assert out.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in coupler.parameters())


def test_initial_values_are_the_published_ones():
    unit, coupler = IIEUB(6), DynamicCoupler(32)
    assert unit.eta.unique().tolist() == pytest.approx([0.05])
    assert unit.shift.weight.unique().tolist() == pytest.approx([0.01])
    assert unit.shift.bias.unique().tolist() == [0.0]
    assert coupler.eta.unique().tolist() == pytest.approx([0.01])
    assert coupler.weight.unique().tolist() == pytest.approx([0.01])
    assert coupler.bias.unique().tolist() == [0.0]
    assert coupler.norm_in.weight.unique().tolist() == [1.0]
    assert coupler.norm_out.weight.unique().tolist() == pytest.approx([0.01])


def test_dc_unit_is_iieu_b_with_a_coupler():
    assert issubclass(IIEUDC, IIEUB)
    assert IIEUDC.traits.couples_residual
    assert IIEUDC.coupler is DynamicCoupler


def shift_of(kind, means, channels=8):
    shift = ChannelShift(channels, kind).double()
    with torch.no_grad():
        shift.weight.normal_()
        shift.bias.normal_()
    return shift, shift(means)


@pytest.mark.parametrize(
    ("kind", "groups"), [("layer_norm", 1), ("group_norm_2", 2), ("group_norm_4", 4)]
)
def test_shift_equals_torch_group_norm(kind, groups):
    means = torch.randn(5, 8, dtype=DOUBLE)
    shift, out = shift_of(kind, means)
    expected = functional.group_norm(means, groups, shift.weight, shift.bias, eps=1e-6)
    torch.testing.assert_close(out, expected.sigmoid())


def test_group_norm_of_single_channels_uses_the_bias_only():
    """Supplement, Appendix F: "GroupNorm of G = C" equals "using biases only"."""
    shift, out = shift_of("group_norm_c", torch.randn(5, 8, dtype=DOUBLE))
    torch.testing.assert_close(out, shift.bias.sigmoid().expand(5, 8))


def test_blank_group_is_affine_without_normalisation():
    means = torch.randn(5, 8, dtype=DOUBLE)
    shift, out = shift_of("affine", means)
    torch.testing.assert_close(out, (shift.weight * means + shift.bias).sigmoid())


def test_batch_norm_shift_normalises_every_channel_over_the_batch():
    means = torch.randn(5, 8, dtype=DOUBLE)
    shift, out = shift_of("batch_norm", means)
    standard = (means - means.mean(0)) / (means.var(0, unbiased=False) + 1e-6).sqrt()
    torch.testing.assert_close(out, (shift.weight * standard + shift.bias).sigmoid())


@pytest.mark.parametrize("kind", KINDS)
def test_iieu_gradient_equals_finite_differences_for_every_shift(kind):
    unit = IIEUB(4, shift=kind).double()
    convolution = nn.Conv2d(2, 4, 3, stride=2, padding=1, bias=False).double()
    image = torch.randn(2, 2, 4, 4, dtype=DOUBLE, requires_grad=True)

    def forward(image, weight):
        response = functional.conv2d(image, weight, stride=2, padding=1) - 0.5
        return torch.func.functional_call(
            Pair(unit, convolution), {"convolution.weight": weight}, (response, image)
        )

    assert torch.autograd.gradcheck(forward, (image, convolution.weight))


class Pair(nn.Module):
    """A unit and the convolution it reads, so that both can be given other parameters."""

    def __init__(self, unit, convolution):
        super().__init__()
        self.unit, self.convolution = unit, convolution

    def forward(self, response, image):
        return self.unit(response, image, self.convolution)


def test_zero_patch_divides_by_epsilon_and_has_a_finite_gradient():
    convolution, unit = nn.Conv2d(3, 4, 3, padding=1).double(), IIEUB(4).double()
    image = torch.zeros(1, 3, 5, 5, dtype=DOUBLE, requires_grad=True)
    response = torch.full((1, 4, 5, 5), 1e-3, dtype=DOUBLE)
    out = unit(response, image, convolution)
    size = convolution.weight.flatten(1).norm(dim=1)[:, None, None]
    expected = (1e-3 / ((size + 1e-8) * 1e-8) + 0.5) * 1e-3
    torch.testing.assert_close(out[0], expected.expand(4, 5, 5))
    (gradient,) = torch.autograd.grad(out.sum(), image)
    assert gradient.isfinite().all()


@pytest.mark.parametrize("size", [1e-14, 1e-20, 1e-40])
def test_norms_count_as_zero_only_far_below_epsilon(size):
    """Beside an epsilon of 1e-8, double precision does not see 1e-25."""
    found = patch_norm(torch.full((1, 2, 2, 2), size, dtype=torch.float64), nn.Conv2d(2, 3, 1))
    expected = size * math.sqrt(2) if size > 1e-25 else 0.0
    assert found.flatten().tolist() == pytest.approx([expected] * 4, rel=1e-12, abs=0.0)


def test_large_batches_are_finite_in_float32():
    convolution, unit = nn.Conv2d(3, 4, 3, padding=1), IIEUB(4)
    image = (1e4 * torch.randn(2, 3, 5, 5)).requires_grad_()
    out = unit(1e4 * convolution(image), image, convolution)
    out.sum().backward()
    assert out.isfinite().all()
    assert image.grad.isfinite().all()


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        (nn.Conv2d(4, 4, 3, padding=1, padding_mode="circular"), "padding_mode='circular'"),
        (nn.ConvTranspose2d(4, 4, 1), "ConvTranspose2d; accepted: Conv2d, Linear"),
    ],
)
def test_layer_without_a_patch_norm_is_refused(layer, message):
    x = torch.ones(1, 4, 3, 3)
    with pytest.raises(ValueError, match=message):
        IIEUB(4)(x, x, layer)


def test_unknown_options_are_explained():
    with pytest.raises(ValueError, match="unknown shift 'instance_norm'; accepted: layer_norm"):
        create("iieu_b", channels=4, shift="instance_norm")
    with pytest.raises(ValueError, match="unknown group_norm 'mine'; accepted: reference, exact"):
        create("iieu_b", channels=4, group_norm="mine")
    with pytest.raises(ValueError, match="cannot divide 6 channels; accepted: multiples of 4"):
        create("iieu_b", channels=6, shift="group_norm_4")
