"""Hyperspherical coordinates against the printed formula, and against each other."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reactivate.layers.gmp import CHUNK, _gradient, _value, angles, unit_vector
from reactivate.training.tracing import count
from torch.func import jacrev, vmap

PRECISIONS = [torch.float32, torch.float64]


def printed(theta):
    """Eq. 10, coordinate by coordinate."""
    sines = [math.sin(t) for t in theta]
    body = [math.prod(sines[:k]) * math.cos(t) for k, t in enumerate(theta)]
    return [*body, math.prod(sines)]


def direction(vector):
    precise = vector.double()
    return precise / precise.norm(dim=-1, keepdim=True)


@pytest.mark.parametrize("n", [2, 3, 5, 40])
def test_unit_vector_is_equation_10(n):
    theta = torch.randn(n - 1, dtype=torch.float64) * 3
    expected = torch.tensor(printed(theta.tolist()), dtype=torch.float64)
    torch.testing.assert_close(unit_vector(theta), expected)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("n", [2, 3, 50, 4608])
def test_round_trip_is_accurate_to_the_last_bits(n, dtype):
    torch.manual_seed(n)
    vector = torch.randn(32, n, dtype=dtype)
    result = unit_vector(angles(vector))
    assert result.dtype == dtype
    # an angle near pi/2 is stored to eps/2: that much of every coordinate is lost, and no more
    error = (result.double() - direction(vector)).abs().max().item()
    assert error <= 4 * torch.finfo(dtype).eps


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("n", [2, 3, 50, 4608])
def test_unit_vectors_have_length_one(n, dtype):
    theta = angles(torch.randn(16, n, dtype=dtype))
    length = unit_vector(theta).double().norm(dim=-1)
    torch.testing.assert_close(length, torch.ones(16, dtype=torch.float64), atol=1e-6, rtol=0)


@pytest.mark.parametrize("n", [2, 3, 50, 4608])
def test_angles_come_back_from_their_unit_vector(n):
    theta = angles(torch.randn(8, n, dtype=torch.float64))
    torch.testing.assert_close(angles(unit_vector(theta)), theta, atol=1e-9, rtol=0)


coordinate = st.one_of(
    st.just(0.0), st.just(-0.0), st.floats(-1e3, 1e3), st.sampled_from([1e-30, -1e-30, 1e30])
)


@settings(deadline=None, max_examples=200)
@given(st.lists(coordinate, min_size=2, max_size=12).filter(lambda v: any(v)))
def test_any_direction_round_trips(values):
    vector = torch.tensor(values, dtype=torch.float64)
    scaled = vector / vector.abs().max()  # the oracle must not overflow either
    torch.testing.assert_close(unit_vector(angles(vector)), direction(scaled), atol=1e-14, rtol=0)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("zeros", [1, 2, 5])
def test_zeros_in_the_tail_round_trip(zeros, dtype):
    vector = torch.randn(6, 9, dtype=dtype)
    vector[:, -zeros:] = 0
    error = (unit_vector(angles(vector)).double() - direction(vector)).abs().max()
    assert error <= 2 * torch.finfo(dtype).eps


def test_small_vectors_do_not_underflow_in_float32():
    vector = torch.randn(4, 100) * 1e-30
    error = (unit_vector(angles(vector)).double() - direction(vector)).abs().max()
    assert error <= 2 * torch.finfo(torch.float32).eps


@pytest.mark.parametrize("shape", [(1,), (6,), (3, 4), (2, 3, 5)])
def test_gradient_equals_finite_differences(shape):
    theta = torch.randn(shape, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(unit_vector, theta)
    assert torch.autograd.gradgradcheck(unit_vector, theta)


@pytest.mark.parametrize("zero_at", [(0,), (2,), (0, 2), (0, 1, 2, 3), (3,)])
def test_gradient_is_right_where_a_sine_is_zero(zero_at):
    theta = torch.randn(4, dtype=torch.float64)
    theta[list(zero_at)] = 0
    assert torch.autograd.gradcheck(unit_vector, theta.requires_grad_())


@pytest.mark.parametrize("zero_at", [0, 1000, 2303])
def test_float32_gradient_equals_float64_at_a_large_fan_in(zero_at):
    theta = angles(torch.randn(3, 2305, dtype=torch.float64))
    theta[1, zero_at] = 0
    cotangent = torch.randn(3, 2305, dtype=torch.float64)
    precise, single = theta.clone().requires_grad_(), theta.float().requires_grad_()
    unit_vector(precise).backward(cotangent)
    unit_vector(single).backward(cotangent.float())
    torch.testing.assert_close(single.grad.double(), precise.grad, atol=2e-5, rtol=1e-4)


def test_many_rows_equal_one_row_at_a_time():
    theta = torch.randn(130, 2303, dtype=torch.float64)  # more than one chunk
    rows = torch.stack([unit_vector(row) for row in theta])
    torch.testing.assert_close(unit_vector(theta), rows, rtol=0, atol=0)


def test_pieces_for_a_cache_equal_the_formula_on_all_rows_at_once():
    """On a CPU rows are worked on in pieces, elsewhere together."""
    theta = torch.randn(130, 2303, dtype=torch.float64, requires_grad=True)
    assert theta.numel() > 2 * CHUNK
    value, cotangent = unit_vector(theta), torch.randn(130, 2304, dtype=torch.float64)
    (gradient,) = torch.autograd.grad(value, theta, cotangent)
    with torch.no_grad():
        torch.testing.assert_close(value, _value(theta), rtol=0, atol=0)
        torch.testing.assert_close(gradient, _gradient(theta, cotangent), rtol=0, atol=0)


def test_kernels_off_the_cpu_do_not_grow_with_the_rows():
    def kernels(rows):
        theta = torch.zeros(rows, 2303, device="meta", requires_grad=True)
        return count(lambda: unit_vector(theta).sum().backward()).kernels

    assert kernels(1000) == kernels(2)
    assert len(kernels(1000)) < 30


def test_works_under_vmap_and_jacrev():
    theta = torch.randn(3, 4, dtype=torch.float64)
    rows = torch.stack([jacrev(unit_vector)(row) for row in theta])
    torch.testing.assert_close(vmap(jacrev(unit_vector))(theta), rows)


def test_a_single_coordinate_has_no_angle():
    with pytest.raises(ValueError, match="at least 2 coordinates"):
        angles(torch.ones(3, 1))
