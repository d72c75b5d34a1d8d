"""Our numbers are means with their standard errors, and two of them may differ by chance."""

import math
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.evidence.measured import Measured, difference_tolerance
from scipy.stats import ttest_ind, ttest_ind_from_stats


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=12))
def test_our_number_is_the_mean_and_its_standard_error(values):
    ours = Measured.of(values)
    assert ours.mean == pytest.approx(sum(values) / len(values), abs=1e-9)
    assert ours.standard_error == pytest.approx(stdev(values) / math.sqrt(len(values)), abs=1e-9)
    assert ours.n == len(values)


@pytest.mark.parametrize("values", [[1.0], [1.0, math.nan], [1.0, math.inf]])
def test_one_seed_or_a_diverged_one_has_no_standard_error(values):
    assert Measured.of(values).standard_error is None


@pytest.mark.parametrize(
    ("ours", "text"),
    [
        (Measured(3.05678, 0.0123, 10), "3.057±0.012"),
        (Measured(123.4, 12.3, 10), "123±12"),
        (Measured(3.05678, None, 1), "3.057"),
        (Measured(3.05678, 0.0, 3), "3.057±0"),
        (Measured(math.inf, None, 3), "–"),
        (Measured(math.nan, None, 3), "nan"),
    ],
)
def test_our_number_is_printed_with_two_digits_of_its_error(ours, text):
    assert str(ours) == text


@given(
    a=st.lists(st.integers(0, 1000), min_size=2, max_size=10, unique=True),
    b=st.lists(st.integers(0, 1000), min_size=2, max_size=10, unique=True),
)
def test_the_tolerance_is_the_welch_interval_of_scipy(a, b):
    a, b = [x / 7 for x in a], [x / 7 for x in b]
    interval = ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    wanted = (interval.high - interval.low) / 2
    assert difference_tolerance(Measured.of(a), Measured.of(b)) == pytest.approx(wanted, rel=1e-9)


@given(
    errors=st.tuples(st.floats(0.01, 2), st.floats(0.01, 2)),
    runs=st.tuples(st.integers(2, 12), st.integers(2, 12)),
    excess=st.sampled_from([0.99, 1.01]),
)
def test_a_difference_is_tolerated_exactly_when_welchs_test_does_not_reject_it(
    errors, runs, excess
):
    here, there = (Measured(0.0, error, n) for error, n in zip(errors, runs, strict=True))
    apart = excess * difference_tolerance(here, there)
    deviations = [error * math.sqrt(n) for error, n in zip(errors, runs, strict=True)]
    sample = (apart, deviations[0], runs[0]), (0.0, deviations[1], runs[1])
    p_value = ttest_ind_from_stats(*sample[0], *sample[1], equal_var=False).pvalue
    assert (p_value > 0.05) == (excess < 1)


def test_few_seeds_widen_the_tolerance():
    theirs = Measured(0.0, 0.1, 10)
    few, many = (difference_tolerance(Measured(0.0, 0.1, n), theirs) for n in (2, 100))
    assert few > many > 1.96 * 0.1


def test_a_spread_of_unknown_seeds_is_taken_as_known():
    tolerance = difference_tolerance(Measured(0.0, None, 1), Measured(0.0, 0.1, 1))
    assert tolerance == pytest.approx(1.959964 * 0.1, rel=1e-6)


def test_two_single_seeds_tolerate_nothing():
    assert difference_tolerance(Measured(1.0, None, 1), Measured(2.0, None, 1)) == 0.0
