"""Codes are what Definition 1 says, and every activation has breakpoints or is refused."""

from bisect import bisect_left

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reactivate.activations import create, names
from reactivate.patterns.breakpoints import breakpoints_of, encode
from torch import nn

CUT = names(lambda traits: traits.breakpoints)
REFUSED = sorted(set(names()) - set(CUT))
FINITE = st.floats(-4, 4, width=32)


@pytest.mark.parametrize("name", REFUSED)
def test_an_activation_that_reads_more_than_one_number_is_refused(name):
    unit = create(name, channels=3)
    message = rf"{type(unit).__name__} has no breakpoints: .*; accepted: .*relu"
    with pytest.raises(ValueError, match=message):
        breakpoints_of(unit)


def test_units_of_several_numbers_are_refused():
    assert {"iieu_b", "iieu_dc", "meta_acon"} <= set(REFUSED)


def test_an_activation_that_nobody_placed_is_refused_by_the_name_of_its_class():
    with pytest.raises(ValueError, match=r"Hardswish has no known .*; accepted: .*add its traits"):
        breakpoints_of(nn.Hardswish())


@pytest.mark.parametrize("name", ["relu", "prelu", "gelu", "leaky_relu"])
def test_units_of_the_author_switch_at_0(name):
    assert breakpoints_of(create(name)) == (0.0,)


@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
def test_units_that_saturate_twice_have_the_two_breakpoints_of_the_author(name):
    assert breakpoints_of(create(name)) == (-0.5, 0.5)


@pytest.mark.parametrize("name", CUT)
def test_declared_breakpoints_can_cut(name):
    points = breakpoints_of(create(name, channels=3))
    assert encode(torch.tensor([1e9]), points).item() == len(points)


@given(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 0.5, 2.0]), min_size=1, unique=True),
    st.lists(st.one_of(FINITE, st.sampled_from([-0.5, 0.0, 0.5, float("inf")])), min_size=1),
)
def test_a_code_counts_the_breakpoints_below(points, numbers):
    points = sorted(points)
    wanted = [-1 if z in points else bisect_left(points, z) for z in numbers]
    codes = encode(torch.tensor(numbers, dtype=torch.float64), points)
    assert codes.dtype == torch.int8
    assert codes.tolist() == wanted


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_signed_zeros_and_nan_abstain_and_infinities_do_not(dtype):
    z = torch.tensor([0.0, -0.0, float("nan"), float("inf"), -float("inf")], dtype=dtype)
    assert encode(z, (0.0,)).tolist() == [-1, -1, -1, 1, 0]


def test_the_smallest_numbers_are_not_zero():
    tiny = torch.tensor([5e-324, -5e-324], dtype=torch.float64)
    assert encode(tiny, (0.0,)).tolist() == [1, 0]


@pytest.mark.parametrize(
    "points", [(), (1.0, 0.0), (0.0, 0.0), (float("nan"),), (float("inf"),), range(200)], ids=str
)
def test_breakpoints_that_cannot_cut_are_refused(points):
    with pytest.raises(ValueError, match=r"cannot cut .*; accepted: 1 to 126 .*Change the call"):
        encode(torch.zeros(3), points)
