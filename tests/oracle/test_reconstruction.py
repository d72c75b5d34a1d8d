"""Reconstruction without matrices against matrices written out; the theorems in small cases."""

import pytest
import torch
from reactivate.activations.crelu import CReLU
from reactivate.documents.crelu import section2_2_claims as theory
from reactivate.foundation.seeding import generator
from reactivate.reconstruction.algorithms import pooled, ratio, reconstruct, reconstruct_pooled
from reactivate.reconstruction.bound import columns, extremes
from reactivate.reconstruction.least_squares import minimum_norm
from reactivate.reconstruction.ratios import map_ratios, region_ratios
from reactivate.reconstruction.shifts import Shifts
from torch import nn

# channels, filters, kernel, stride, padding, size: with rows no shift reaches, and overcomplete
FORMS = {
    "plain": (2, 3, (3, 3), (1, 1), (0, 0), (6, 5)),
    "padded": (2, 2, (3, 3), (1, 1), (1, 1), (5, 6)),
    "strided": (3, 4, (3, 2), (2, 3), (1, 0), (8, 9)),
    "left over": (1, 2, (3, 3), (2, 2), (0, 0), (8, 6)),
    "overcomplete": (1, 12, (3, 3), (1, 1), (1, 1), (4, 4)),
    "pointwise": (5, 3, (1, 1), (1, 1), (0, 0), (3, 3)),
}
forms = pytest.mark.parametrize("form", FORMS)


def normal(*shape):
    return torch.randn(shape, generator=generator("reconstruction", *shape), dtype=torch.float64)


def layer(form, bias=True):
    channels, filters, kernel, stride, padding, _ = FORMS[form]
    conv = nn.Conv2d(channels, filters, kernel, stride, padding, bias=bias).double()
    conv.weight = nn.Parameter(normal(*conv.weight.shape))
    if bias:
        conv.bias = nn.Parameter(normal(filters))
    return conv.requires_grad_(False)


def written_out(shifts, channels):
    """W^T as a matrix, one column per number of the input."""
    origin = torch.zeros(1, channels, *shifts.size, dtype=torch.float64)
    found = []
    for index in range(origin.numel()):
        one = origin.clone()
        one.view(-1)[index] = 1.0
        found.append(shifts.analyse(one).flatten())
    return torch.stack(found, dim=1)


@forms
def test_the_convolution_is_the_layer_without_its_bias(form):
    conv = layer(form)
    x = normal(2, FORMS[form][0], *FORMS[form][5])
    responses = Shifts.of(conv, FORMS[form][5]).analyse(x) + conv.bias[:, None, None]
    torch.testing.assert_close(responses, conv(x))


@forms
def test_synthesis_is_the_adjoint_of_analysis(form):
    channels, *_, size = FORMS[form]
    shifts = Shifts.of(layer(form), size)
    x = normal(3, channels, *size)
    z = normal(*shifts.analyse(x).shape)
    shifts = shifts.only(z > 0)
    left = (shifts.analyse(x) * z).sum(dim=(1, 2, 3))
    right = (x * shifts.synthesise(z)).sum(dim=(1, 2, 3))
    torch.testing.assert_close(left, right, rtol=1e-12, atol=1e-12)


@forms
def test_synthesis_is_the_transposed_matrix(form):
    channels, *_, size = FORMS[form]
    shifts = Shifts.of(layer(form), size)
    z = normal(*shifts.analyse(normal(1, channels, *size)).shape)
    matrix = written_out(shifts, channels)
    torch.testing.assert_close(shifts.synthesise(z).flatten(), matrix.T @ z.flatten())


@forms
def test_algorithm_1_is_the_pseudo_inverse(form):
    channels, *_, size = FORMS[form]
    conv = layer(form)
    shifts = Shifts.of(conv, size)
    x = normal(2, channels, *size)
    found = reconstruct(shifts, CReLU()(conv(x)), conv.bias, tolerance=1e-12)
    dense = torch.linalg.pinv(written_out(shifts, channels))
    expected = (shifts.analyse(x).flatten(1) @ dense.T).view_as(x)
    torch.testing.assert_close(found.x, expected, rtol=1e-7, atol=1e-7)
    assert float(found.residual.max()) < 1e-12


@forms
def test_inputs_that_the_shifts_span_come_back_exactly(form):
    channels, *_, size = FORMS[form]
    shifts = Shifts.of(layer(form, bias=False), size)
    x = shifts.synthesise(normal(*shifts.analyse(normal(2, channels, *size)).shape))
    found = reconstruct(shifts, CReLU()(shifts.analyse(x)), tolerance=1e-12)
    assert float(ratio(x, found.x).max()) < 1e-7


def selected_by_hand(z, pool):
    """Shifts with the largest positive and the largest negative response of every window."""
    mask = torch.zeros_like(z)
    windows = nn.functional.max_pool2d(z, **pool).shape[2:]
    kernel, stride = pool["kernel_size"], pool["stride"]
    for n, k, i, j in torch.cartesian_prod(*(torch.arange(s) for s in (*z.shape[:2], *windows))):
        rows, places = i * stride, j * stride
        part = z[n, k, rows : rows + kernel, places : places + kernel]
        for sign in (1, -1):
            if (sign * part).max() > 0:
                best = int((sign * part).argmax())
                mask[n, k, rows + best // part.shape[1], places + best % part.shape[1]] = 1
    return mask


@pytest.mark.parametrize("form", ["plain", "padded", "strided"])
@pytest.mark.parametrize(
    "pool",
    [
        {"kernel_size": 2, "stride": 2},
        {"kernel_size": 3, "stride": 2, "ceil_mode": True},
    ],
    ids=["apart", "overlapping"],
)
def test_algorithm_2_is_the_pseudo_inverse_of_the_selected_shifts(form, pool):
    channels, *_, size = FORMS[form]
    conv = layer(form)
    shifts = Shifts.of(conv, size)
    x = normal(2, channels, *size)
    z = conv(x)
    found = reconstruct_pooled(
        shifts, *pooled(z, nn.MaxPool2d(**pool)), z.shape[2:], conv.bias, tolerance=1e-12
    )
    matrix, mask = written_out(shifts, channels), selected_by_hand(z, pool)
    for image in range(2):
        chosen = matrix[mask[image].flatten().bool()]
        expected = torch.linalg.pinv(chosen) @ chosen @ x[image].flatten()
        torch.testing.assert_close(found.x[image].flatten(), expected, rtol=1e-7, atol=1e-7)
    whole = map_ratios(x, conv, nn.MaxPool2d(**pool), tolerance=1e-12)
    torch.testing.assert_close(whole.ratio, ratio(x, found.x))
    assert whole.bound.isnan().all()


def test_one_region_is_solved_like_its_dense_matrix():
    conv = nn.Conv2d(4, 3, 3, padding=1).double().requires_grad_(False)
    x = CReLU()(normal(6, 2, 9, 9))
    found = region_ratios(x, conv, nn.MaxPool2d(3, 2), generator("a"), tolerance=1e-12)
    rows, places = (2 * torch.rand(6, 2, generator=generator("a"))).int().T.tolist()
    shifts = Shifts(conv.weight, (5, 5))
    matrix = written_out(shifts, 4)
    for image, (row, place) in enumerate(zip(rows, places, strict=True)):
        # of four windows the first and the last reach into the padding
        part = x[image, :, 1 + 2 * row : 6 + 2 * row, 1 + 2 * place : 6 + 2 * place]
        z = (matrix @ part.flatten()).view(3, 9) + conv.bias[:, None]
        kept = [k * 9 + int(f(z[k])) for k in range(3) for f in (torch.argmax, torch.argmin)]
        kept = [index for index, ok in zip(kept, _active(z), strict=True) if ok]
        chosen = matrix[kept]
        rest = part.flatten() - torch.linalg.pinv(chosen) @ chosen @ part.flatten()
        assert float(found.ratio[image]) == pytest.approx(float(rest.norm() / part.norm()))
        strongest = matrix[[k * 9 + int(z[k].abs().argmax()) for k in range(3)]]
        values = torch.linalg.svdvals(strongest).square()
        expected = ((values.max() - values.min()) / values.min()).sqrt()
        assert float(found.bound[image]) == pytest.approx(float(expected))


@pytest.mark.parametrize("window", [(2, 3), (3, 2), (1, 4)])
def test_a_map_of_one_region_is_that_region(window):
    """Whatever its form: there is one region to draw, and nothing beside it."""
    conv = nn.Conv2d(2, 3, 3).double().requires_grad_(False)
    x = normal(4, 2, window[0] + 2, window[1] + 2)
    pool = nn.MaxPool2d(window)
    region = region_ratios(x, conv, pool, generator("a"), tolerance=1e-12)
    torch.testing.assert_close(region.ratio, map_ratios(x, conv, pool, tolerance=1e-12).ratio)


@pytest.mark.parametrize("factor", [2.0**-13, 2.0**13])  # exact, so that no rounding differs
def test_accuracy_is_relative_to_the_size_of_the_responses(factor):
    shifts = Shifts.of(layer("plain"), FORMS["plain"][5])
    z = normal(*shifts.analyse(normal(2, 2, *FORMS["plain"][5])).shape)
    one, other = minimum_norm(shifts, z), minimum_norm(shifts, factor * z)
    assert one.steps == other.steps
    assert torch.equal(other.x, factor * one.x)


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**20])
def test_what_is_left_to_solve_is_relative_to_the_size_of_the_responses(factor):
    shifts = Shifts.of(layer("plain"), FORMS["plain"][5])
    z = normal(*shifts.analyse(normal(2, 2, *FORMS["plain"][5])).shape)
    one, other = (minimum_norm(shifts, size * z, steps=2) for size in (1.0, factor))
    assert bool((one.residual > 0).all())
    assert torch.equal(other.residual, one.residual)


def _active(z):
    return [bool(ok) for row in z for ok in (row.max() > 0, row.min() < 0)]


def test_columns_are_those_of_the_matrix():
    shifts = Shifts(normal(3, 2, 2, 2), (4, 3))
    places = torch.tensor([[0, 5, 2], [3, -1, 1]])
    matrix = written_out(shifts, 2).view(3, 6, -1)
    for found, chosen in zip(columns(shifts, places), places.tolist(), strict=True):
        for filter_, place in enumerate(chosen):
            expected = matrix[filter_, place] * (place >= 0)
            torch.testing.assert_close(found[:, filter_], expected)


def test_the_smallest_singular_value_is_the_least_above_zero():
    matrix = normal(1, 6, 2)
    dependent = torch.cat([matrix, matrix.sum(dim=2, keepdim=True)], dim=2)
    values = torch.linalg.svdvals(dependent)[0].square()
    smallest, largest = extremes(dependent)
    assert (float(smallest), float(largest)) == pytest.approx((float(values[1]), float(values[0])))


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("filters", [1, 2, 4, 8])
@pytest.mark.parametrize(("kernel", "side"), [(1, 3), (2, 2), (3, 3)])
def test_the_bound_is_not_exceeded_where_every_column_exists(channels, filters, kernel, side):
    found = theory.random_sums(channels, filters, kernel, side, images=30)
    assert (found.ratio[found.complete] <= found.bound[found.complete] + 1e-6).all()
    assert (found.ratio[found.step] <= found.bound[found.step] + 1e-6).all()


def test_without_a_column_the_bound_says_nothing():
    """``x = (2, 1)`` from the filters 1, 1, -1, -1: the last two have no positive response."""
    weight = torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64).view(4, 1, 1, 1)
    places = torch.tensor([[0, 1, 0, 1]])
    coefficients = torch.tensor([[3.0, 2.0, 1.0, 1.0]], dtype=torch.float64)
    found = theory.sums(Shifts(weight, (1, 2)), places, coefficients)
    assert float(found.ratio) == pytest.approx(1 / 5**0.5)
    assert float(found.bound) == 0.0
    assert not found.step.any()
    assert not found.complete.any()


def test_no_shift_selected_gives_nothing_back():
    shifts = Shifts(normal(2, 1, 2, 2), (3, 3)).only(torch.zeros(1, 2, 2, 2))
    found = minimum_norm(shifts, normal(1, 2, 2, 2))
    assert found.steps == 0
    assert not found.x.any()
    assert not found.residual.any()


def test_a_ratio_is_approached_from_above():
    shifts = Shifts(normal(4, 2, 3, 3), (6, 6))
    x = normal(1, 2, 6, 6)
    ratios = [
        float(ratio(x, minimum_norm(shifts, shifts.analyse(x), 1e-14, steps).x))
        for steps in (1, 2, 4, 8, 100)
    ]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[0] > ratios[-1]
