"""Printed numbers keep their precision, and a verdict follows from the numbers alone."""

import math
import re
from statistics import stdev

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.auditing.numbers import judge_number, judge_recomputed
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.measured import Measured, difference_tolerance, prediction_tolerance
from reactivate.experiment.printed import Printed
from scipy.stats import norm, t, ttest_ind, ttest_ind_from_stats

CLOSED_LIST = {
    "reproduced",
    "differs",
    "order_holds",
    "order_fails",
    "not_comparable",
    "recomputed_ok",
    "inconsistent",
    "not_run(data_unavailable)",
    "not_run(compute)",
    "not_run(underspecified)",
}


def test_verdicts_are_the_closed_list_of_the_design():
    assert {str(verdict) for verdict in Verdict} == CLOSED_LIST


@given(
    units=st.integers(-(10**6), 10**6),
    digits=st.integers(0, 5),
    spread=st.none() | st.integers(0, 10**4),
)
def test_a_printed_number_is_read_with_the_precision_of_its_last_digit(units, digits, spread):
    text = f"{units / 10**digits:.{digits}f}"
    if spread is not None:
        text += f"±{spread / 10**digits:.{digits}f}"
    printed = Printed.parse(text)
    assert printed.value == pytest.approx(units / 10**digits, abs=1e-9)
    assert printed.half_unit == pytest.approx(0.5 / 10**digits, rel=1e-12)
    assert (printed.spread is None) == (spread is None)
    assert printed.spread is None or printed.spread == pytest.approx(spread / 10**digits)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "1.",
        ".5",
        "1,5",
        "1.5 ± 0.1",
        "1.5±",
        "±0.1",
        "1.5+-0.1",
        "1e3",
        "1.5±-0.1",
        "nan",
        "inf",
        "-",
        "––",
        "–±0.1",
    ],
)
def test_a_text_that_no_paper_prints_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=re.escape(f"cannot read {text!r} as a printed number")):
        Printed.parse(text)


@pytest.mark.parametrize(("text", "half_unit"), [("92.60", 0.005), ("92.6", 0.05), ("93", 0.5)])
def test_a_trailing_zero_is_a_digit(text, half_unit):
    assert Printed.parse(text).half_unit == half_unit


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("25.6M", 25.6e6, 0.05e6),
        ("1.5G", 1.5e9, 0.05e9),
        ("12K", 12e3, 0.5e3),
        ("0.3%", 0.3, 0.05),
        ("✓", 1.0, 0.0),
        ("×", 0.0, 0.0),
        ("–", math.inf, 0.0),
    ],
)
def test_a_unit_scales_the_number_and_its_precision(text, value, half_unit):
    printed = Printed.parse(text)
    assert (printed.value, printed.half_unit) == pytest.approx((value, half_unit))


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("25.6M", 25_557_032, Verdict.RECOMPUTED_OK),
        ("25.6M", 25_549_999, Verdict.INCONSISTENT),
        ("25.6M", 25_650_000, Verdict.RECOMPUTED_OK),
        ("0.30", 0.304, Verdict.RECOMPUTED_OK),
        ("0.30", 0.306, Verdict.INCONSISTENT),
        ("✓", 1.0, Verdict.RECOMPUTED_OK),
        ("✓", 0.0, Verdict.INCONSISTENT),
    ],
)
def test_a_recomputed_number_must_round_to_the_printed_one(text, value, verdict):
    judged = judge_recomputed(Printed.parse(text), value, "counted")
    assert judged.verdict == verdict
    assert judged.reason.endswith("; counted")


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
    error=st.floats(0.01, 2),
    printed_error=st.integers(1, 200),
    n=st.integers(2, 12),
    printed_seeds=st.integers(2, 12),
    excess=st.sampled_from([0.99, 1.01]),
)
def test_a_difference_is_tolerated_exactly_when_welchs_test_does_not_reject_it(
    error, printed_error, n, printed_seeds, excess
):
    printed = Printed(value=5.0, spread=printed_error / 100, half_unit=0.0)
    tolerance = difference_tolerance(
        Measured(0.0, error, n), Measured(0.0, printed.spread, printed_seeds)
    )
    ours = Measured(5.0 + excess * tolerance, error, n)
    p_value = ttest_ind_from_stats(
        ours.mean,
        error * math.sqrt(n),
        n,
        printed.value,
        printed.spread * math.sqrt(printed_seeds),
        printed_seeds,
        equal_var=False,
    ).pvalue
    judged = judge_number(printed, ours, "standard_error", printed_seeds, at_paper_scale=True)
    assert judged.verdict == (Verdict.REPRODUCED if p_value > 0.05 else Verdict.DIFFERS)
    assert (p_value > 0.05) == (excess < 1)


@given(
    printed=st.builds(Printed, st.floats(-9, 9), st.none() | st.floats(0, 9), st.just(0.5)),
    ours=st.builds(
        Measured,
        st.floats(-9, 9) | st.just(math.nan),
        st.none() | st.floats(0, 9),
        st.integers(1, 9),
    ),
    spread=st.sampled_from(["standard_error", "standard_deviation", "unstated"]),
    seeds=st.integers(1, 20),
)
def test_a_smaller_scale_is_never_reproduced(printed, ours, spread, seeds):
    judged = judge_number(printed, ours, spread, seeds, at_paper_scale=False)
    assert judged.verdict == Verdict.NOT_COMPARABLE
    assert "smaller scale" in judged.reason
    full = judge_number(printed, ours, spread, seeds, at_paper_scale=True)
    assert full.verdict in (Verdict.REPRODUCED, Verdict.DIFFERS)


@pytest.mark.parametrize(
    ("mean", "verdict"), [(3.3705, Verdict.REPRODUCED), (3.3706, Verdict.DIFFERS)]
)
def test_without_any_spread_half_the_last_digit_decides(mean, verdict):
    printed = Printed.parse("3.370")
    assert judge_number(printed, Measured(mean, None, 1), "unstated", 10, True).verdict == verdict


def test_a_printed_standard_deviation_allows_less_than_the_same_standard_error():
    printed = Printed.parse("3.000±0.300")
    ours = Measured(3.25, 0.01, 10)
    as_error = judge_number(printed, ours, "standard_error", 10, True)
    as_deviation = judge_number(printed, ours, "standard_deviation", 10, True)
    assert as_error.verdict == Verdict.REPRODUCED
    assert as_deviation.verdict == Verdict.DIFFERS


def test_an_unstated_spread_is_read_as_a_standard_error_and_said_so():
    printed, ours = Printed.parse("3.000±0.300"), Measured(3.25, 0.01, 10)
    unstated = judge_number(printed, ours, "unstated", 10, True)
    stated = judge_number(printed, ours, "standard_error", 10, True)
    assert unstated.verdict == stated.verdict
    assert "printed ± read as standard error" in unstated.reason
    assert "read as" not in stated.reason


@pytest.mark.parametrize("mean", [math.nan, math.inf])
def test_a_diverged_number_differs_from_any_printed_one(mean):
    judged = judge_number(Printed.parse("3.4±0.1"), Measured(mean, None, 3), "unstated", 10, True)
    assert judged.verdict == Verdict.DIFFERS


@pytest.mark.parametrize(
    ("printed", "values", "verdict", "reason"),
    [
        ("–", [math.inf], Verdict.REPRODUCED, "ours –, printed –"),
        ("–", [math.inf] * 3, Verdict.REPRODUCED, "ours –, printed –"),
        ("–", [97.0], Verdict.DIFFERS, "ours 97, printed –"),
        ("–", [97.0, math.inf], Verdict.REPRODUCED, "ours –, printed –"),  # so is the mean
        ("–", [math.nan], Verdict.DIFFERS, "ours nan, printed –"),
        ("97", [math.inf], Verdict.DIFFERS, "ours –, printed 97.00"),
        ("97", [math.inf, 97.0, 97.0], Verdict.DIFFERS, "ours –, printed 97.00"),
        ("97", [97.0], Verdict.REPRODUCED, "ours - printed = +0"),
    ],
)
def test_a_dash_is_an_epoch_that_is_never_reached(printed, values, verdict, reason):
    ours = Measured.of(values)
    judged = judge_number(Printed.parse(printed), ours, "unstated", 1, at_paper_scale=True)
    assert judged.verdict == verdict
    assert reason in judged.reason
    small = judge_number(Printed.parse(printed), ours, "unstated", 1, at_paper_scale=False)
    assert small.verdict == Verdict.NOT_COMPARABLE
    assert "smaller scale; ours" in small.reason


@pytest.mark.parametrize(
    ("printed", "value", "text"),
    [("–", math.inf, "–"), ("–", 97.0, "97"), ("97", math.inf, "–"), ("2.74", math.inf, "–")],
)
def test_never_is_shown_as_the_document_prints_it(printed, value, text):
    assert Printed.parse(printed).show(value) == text


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=10, unique=True))
def test_the_tolerance_for_one_run_is_the_prediction_interval(values):
    """Half width t * s * sqrt(1 + 1 / n), with n - 1 degrees of freedom."""
    values = [x / 7 for x in values]
    n = len(values)
    scale = stdev(values) * math.sqrt(1 + 1 / n)
    low, high = t.interval(0.95, n - 1, loc=sum(values) / n, scale=scale)
    assert prediction_tolerance(Measured.of(values)) == pytest.approx((high - low) / 2, rel=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10])
def test_one_more_run_is_within_the_tolerance_nineteen_times_of_twenty(n):
    stream = numpy.random.default_rng(0)
    runs = stream.normal(90.0, 0.5, size=(4000, n + 1))
    within = [
        abs(row[0] - ours.mean) <= prediction_tolerance(ours)
        for row in runs
        for ours in [Measured.of(row[1:].tolist())]
    ]
    error = norm.ppf(0.9995) * math.sqrt(0.95 * 0.05 / len(within))
    assert sum(within) / len(within) == pytest.approx(0.95, abs=error)


def test_one_run_may_differ_more_than_a_mean():
    ours = Measured.of([98.0, 98.1, 98.2])
    assert prediction_tolerance(ours) > difference_tolerance(ours, Measured(98.0, None, 1))


def test_a_single_run_of_ours_has_no_spread_to_tolerate_with():
    assert prediction_tolerance(Measured.of([98.0])) == 0.0
    assert prediction_tolerance(Measured.of([98.0, math.inf])) == 0.0


@pytest.mark.parametrize(("off", "verdict"), [(0.99, Verdict.REPRODUCED), (1.01, Verdict.DIFFERS)])
def test_a_number_without_a_spread_is_one_run(off, verdict):
    ours = Measured.of([98.0, 98.1, 98.2])
    value = ours.mean + off * prediction_tolerance(ours)
    judged = judge_number(Printed(value, None, 0.0), ours, "unstated", 3, at_paper_scale=True)
    assert judged.verdict == verdict
    assert judged.reason.endswith("; printed as one run, 3 of ours")


def test_few_seeds_widen_the_tolerance():
    theirs = Measured(0.0, 0.1, 10)
    few, many = (difference_tolerance(Measured(0.0, 0.1, n), theirs) for n in (2, 100))
    assert few > many > 1.96 * 0.1


def test_a_printed_spread_of_unknown_seeds_is_taken_as_known():
    tolerance = difference_tolerance(Measured(0.0, None, 1), Measured(0.0, 0.1, 1))
    assert tolerance == pytest.approx(1.959964 * 0.1, rel=1e-6)
