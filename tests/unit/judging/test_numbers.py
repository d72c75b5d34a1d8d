"""Printed numbers against our runs, and networks whose weights are published."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reactivate.judging.artifacts import (
    Origin,
    judge_accuracy,
    judge_images,
    judge_most,
    judge_value,
)
from reactivate.judging.judgement import MANY
from reactivate.judging.numbers import PrintedNumber, Spread, judge_number
from reactivate.judging.verdicts import (
    DEPENDS,
    DIFFERS,
    FAILS,
    HOLDS,
    REPRODUCED,
    UNDECIDED,
    UNTRAINED,
)
from scipy import stats

WIDE_COLUMN = [-1e9, 1e9]


def runs(values):
    return dict(enumerate(values))


def around(mean, deviation=1.0, n=5):
    noise = np.resize([1.0, -1.0, 0.5, -0.5, 0.0], n)
    noise -= noise.mean()
    return runs(mean + deviation * noise / noise.std(ddof=1))


def ends(interval):
    return interval.low, interval.high


@given(
    st.lists(st.floats(-9, 9).map(lambda x: round(x, 3)), min_size=3, max_size=10),
    st.floats(-9, 9),
    st.floats(0, 0.5),
)
def test_without_a_spread_the_prediction_of_one_run_decides(values, value, half_unit):
    assume(np.std(values) > 1e-3)
    found = judge_number(runs(values), PrintedNumber(value, half_unit), WIDE_COLUMN)
    n, mean, sd = len(values), np.mean(values), np.std(values, ddof=1)
    for interval, level in zip(found.intervals, (0.95, 0.995), strict=True):
        reach = stats.t.ppf((1 + level) / 2, n - 1) * sd * math.sqrt(1 + 1 / n) + half_unit
        expected = (mean - value - reach, mean - value + reach)
        assert ends(interval) == pytest.approx(expected, rel=1e-6, abs=1e-7)


@given(
    st.lists(st.floats(-9, 9).map(lambda x: round(x, 3)), min_size=3, max_size=10),
    st.floats(-9, 9),
    st.floats(0.01, 3),
    st.integers(2, 20),
    st.sampled_from([Spread.DEVIATION, Spread.STANDARD_ERROR]),
)
def test_with_a_spread_welchs_interval_decides(values, value, spread, n_printed, meaning):
    assume(np.std(values) > 1e-3)
    printed = PrintedNumber(value, 0.0, spread, meaning, n_printed)
    found = judge_number(runs(values), printed, WIDE_COLUMN)
    deviation = spread * (1 if meaning == Spread.DEVIATION else math.sqrt(n_printed))
    theirs = stats.norm.ppf((np.arange(n_printed) + 0.5) / n_printed)  # any sample with these
    theirs = value + deviation * (theirs - theirs.mean()) / theirs.std(ddof=1)
    welch = stats.ttest_ind(values, theirs, equal_var=False)
    for interval, level in zip(found.intervals, (0.95, 0.995), strict=True):
        expected = tuple(welch.confidence_interval(level))
        assert ends(interval) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def tolerances(n=5):
    return [stats.t.ppf((1 + level) / 2, n - 1) * math.sqrt(1 + 1 / n) for level in (0.95, 0.995)]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_is_reproduced_inside_95_and_differs_outside_995_percent(sign):
    inside, outside = tolerances()
    for away, verdict in [
        *((inside - 0.01, REPRODUCED), (inside + 0.01, UNDECIDED)),
        *((outside - 0.01, UNDECIDED), (outside + 0.01, DIFFERS)),
    ]:
        printed = PrintedNumber(10 + sign * away, 0.0)
        assert judge_number(around(10), printed, WIDE_COLUMN).verdict == verdict


def test_half_a_printed_unit_is_part_of_the_tolerance():
    inside, outside = tolerances()
    ours = around(10)
    assert judge_number(ours, PrintedNumber(10 + inside + 0.4, 0.5), WIDE_COLUMN).verdict == (
        REPRODUCED
    )
    assert judge_number(ours, PrintedNumber(10 + outside + 0.4, 0.5), WIDE_COLUMN).verdict == (
        UNDECIDED
    )


def test_an_agreement_too_wide_to_tell_columns_apart_is_undecided():
    inside, _ = tolerances()
    ours, printed = around(10), PrintedNumber(10.0, 0.0)
    assert judge_number(ours, printed, [10.0, 10 + 2 * inside + 0.01]).verdict == REPRODUCED
    found = judge_number(ours, printed, [10.0, 10 + 2 * inside - 0.01])
    assert found.verdict == UNDECIDED
    assert f"too imprecise to tell: ±{inside:.4g} is more than" in found.reason
    assert "precise enough" in found.would_change
    apart = judge_number(ours, PrintedNumber(10 + inside + 0.01, 0.0), WIDE_COLUMN)
    assert "imprecise" not in apart.reason
    assert "0 crosses" in apart.would_change


@pytest.mark.parametrize("sign", [1, -1])
def test_what_is_just_reached_is_imprecise_not_apart(sign):
    printed = PrintedNumber(0.0, 0.5)
    found = judge_number(runs([sign * printed.reach] * 5), printed, [0.0, 0.1])
    assert 0.0 in ends(found.intervals[0])
    assert "too imprecise" in found.reason


def test_an_imprecise_difference_is_still_a_difference():
    _, outside = tolerances()
    printed = PrintedNumber(10 + outside + 0.01, 0.0)
    assert judge_number(around(10), printed, [10.0, 10.1]).verdict == DIFFERS


def test_a_number_alone_in_its_column_is_held_to_a_tenth():
    alone = PrintedNumber(100.0, 0.5)
    assert judge_number(around(100), alone, [100.0]).verdict == REPRODUCED
    assert judge_number(around(100, deviation=9), alone, [100.0]).verdict == UNDECIDED


def test_a_number_within_the_range_of_our_runs_does_not_differ():
    values = [*np.linspace(-0.01, 0.01, 40), 5.0]
    printed = PrintedNumber(5.0, 0.0)
    found = judge_number(runs(values), printed, WIDE_COLUMN)
    assert found.intervals[1].lies_outside(0, 0)
    assert found.verdict == UNDECIDED
    beyond = PrintedNumber(5.1, 0.0)
    assert judge_number(runs(values), beyond, WIDE_COLUMN).verdict == DIFFERS
    assert judge_number(runs(values), PrintedNumber(5.1, 0.1), WIDE_COLUMN).verdict == UNDECIDED


def test_a_spread_of_unstated_meaning_is_read_both_ways():
    ours = around(10, deviation=0.1)
    stated = {
        meaning: judge_number(ours, PrintedNumber(12.0, 0.05, 1.0, meaning, 5), [8.0, 20.0])
        for meaning in Spread
    }
    assert stated[Spread.DEVIATION].verdict == UNDECIDED
    assert stated[Spread.STANDARD_ERROR].verdict == REPRODUCED
    found = stated[Spread.UNSTATED]
    assert found.verdict == REPRODUCED
    assert [part.verdict for _, part in found.parts] == [UNDECIDED, REPRODUCED]


def test_a_number_that_differs_under_one_meaning_only_is_not_accused():
    ours = around(10, deviation=0.1, n=10)
    printed = PrintedNumber(12.0, 0.05, 1.0, Spread.UNSTATED, 10)
    found = judge_number(ours, printed, [8.0, 20.0])
    assert [part.verdict for _, part in found.parts] == [DIFFERS, REPRODUCED]
    assert found.verdict == DEPENDS


def test_sources_that_are_redrawn_widen_the_interval():
    printed = PrintedNumber(20.0, 0.0)
    assert judge_number(around(10), printed, WIDE_COLUMN).verdict == DIFFERS
    found = judge_number(around(10), printed, WIDE_COLUMN, redrawn=5.0)
    assert found.verdict == REPRODUCED
    reach = stats.t.ppf(0.975, 4) * math.sqrt(1.2 + 25)
    assert found.intervals[0].high == pytest.approx(reach - 10, rel=1e-6)


def test_zero_spread_is_no_proof_of_a_difference():
    assert judge_number(runs([0.9] * 5), PrintedNumber(0.8, 0.005), [0.1, 0.8]).verdict == (
        UNDECIDED
    )
    same = PrintedNumber(0.9, 0.005)
    assert judge_number(runs([0.905] * 5), same, [0.1, 0.9]).verdict == REPRODUCED
    grainy = judge_number(runs([0.9] * 5), PrintedNumber(0.8, 0.005), [0.1, 0.8], grain=0.01)
    reach = stats.t.ppf(0.975, 4) * 0.01 / math.sqrt(12) * math.sqrt(1.2) + 0.005
    assert grainy.intervals[0].high == pytest.approx(0.1 + reach, rel=1e-6)
    assert grainy.verdict == DIFFERS


def runs_needed(values, value, spread, n_printed, half_unit, largest):
    """Smallest number of runs that would decide, tried one by one with scipy's intervals."""
    mean, variance = np.mean(values) - value, np.var(values, ddof=1)
    within = min(values) <= value + half_unit and max(values) >= value - half_unit
    for n in range(len(values) + 1, 101):
        parts = [(variance, n), (spread**2, n_printed)] if spread else [(variance * (n + 1), n)]
        errors = [v / m for v, m in parts]
        freedom = sum(errors) ** 2 / sum(
            e**2 / (m - 1) for e, (_, m) in zip(errors, parts, strict=True)
        )
        inner, outer = (
            stats.t.ppf((1 + level) / 2, freedom) * math.sqrt(sum(errors)) + half_unit
            for level in (0.95, 0.995)
        )
        agrees, differs = abs(mean) <= inner <= largest, abs(mean) > outer and not within
        if agrees or differs:
            return n
    return 101


@given(
    st.lists(st.floats(-2, 2).map(lambda x: round(x, 2)), min_size=3, max_size=8),
    st.floats(-4, 4),
    st.sampled_from([None, 0.1, 1.0]),
    st.integers(2, 12),
    st.sampled_from([0.6, 2.0, 50.0]),
)
def test_an_open_number_says_how_many_runs_decide_it(values, value, spread, n_printed, largest):
    assume(np.std(values) > 0.05)
    meaning = Spread.UNSTATED if spread is None else Spread.DEVIATION
    printed = PrintedNumber(value, 0.05, spread, meaning, n_printed)
    found = judge_number(runs(values), printed, [value, value + 2 * largest])
    if found.verdict == UNDECIDED:
        assert found.seeds_to_decide > len(values)
        assert found.seeds_to_decide == runs_needed(
            values, value, spread, n_printed, 0.05, largest
        )
    else:
        assert found.seeds_to_decide is None


def test_runs_without_spread_never_decide_but_redrawn_images_may():
    equal, printed = runs([0.9] * 5), PrintedNumber(0.8, 0.005)
    assert judge_number(equal, printed, [0.1, 0.8]).seeds_to_decide == MANY
    deviation = 0.095 / stats.t.ppf(0.99, 5)  # outside 95 %, inside 99.5 % for five and six
    found = judge_number(equal, printed, [0.1, 0.8], redrawn=deviation)
    freedoms = [n for n in range(6, 101) if stats.t.ppf(0.9975, n - 1) * deviation < 0.095]
    assert (found.verdict, found.seeds_to_decide) == (UNDECIDED, freedoms[0])


@pytest.mark.parametrize("values", [[], [9.0], [9.0, 9.1], [9.0, 9.1, None]])
def test_fewer_than_three_runs_judge_no_number(values):
    found = judge_number(runs(values), PrintedNumber(9.0, 0.05), WIDE_COLUMN)
    assert found.verdict == UNDECIDED
    assert found.unlearned == values.count(None)
    assert found.seeds_to_decide == 3
    learned = [x for x in values if x is not None]
    assert found.mean == (pytest.approx(np.mean(learned) - 9.0) if learned else None)


def test_a_number_of_networks_that_did_not_learn_is_not_comparable():
    found = judge_number(runs([None] * 5), PrintedNumber(9.0, 0.05), WIDE_COLUMN)
    assert (found.verdict, found.unlearned) == (UNTRAINED, 5)


@pytest.mark.parametrize("count", [None, 1])
def test_a_spread_needs_the_number_of_runs_behind_it(count):
    with pytest.raises(ValueError, match="list the number as a choice"):
        PrintedNumber(1.0, 0.05, spread=0.1, runs=count)


@given(st.integers(0, 60), st.integers(0, 60))
def test_images_of_a_published_network_are_judged_by_mcnemars_exact_test(wins, losses):
    found = judge_images(wins, losses, 500, Origin.PUBLISHED).verdict
    if wins + losses == 0:
        assert found == UNDECIDED
        return
    tail = stats.binom.sf(wins - 1, wins + losses, 0.5)
    other = stats.binom.cdf(wins, wins + losses, 0.5)
    assert found == (HOLDS if tail < 0.025 else FAILS if other < 0.01 else UNDECIDED)


def test_most_images_of_a_published_network_is_an_exact_share():
    assert judge_most(60, 100, Origin.PUBLISHED).verdict == UNDECIDED
    assert judge_most(61, 100, Origin.PUBLISHED).verdict == HOLDS
    assert judge_most(30, 100, Origin.PUBLISHED).verdict == FAILS
    found = judge_most(61, 100, Origin.PUBLISHED)
    assert (found.n, found.cases, found.mean) == (1, 100, pytest.approx(0.11))
    assert judge_images(30, 10, 400, Origin.PUBLISHED).mean == pytest.approx(0.05)


def test_weights_of_a_published_network_are_judged_by_value():
    found = judge_value(0.01, Origin.PUBLISHED)
    assert (found.verdict, found.n, found.mean) == (HOLDS, 1, 0.01)
    assert judge_value(-0.01, Origin.PUBLISHED).verdict == FAILS
    assert judge_value(-0.0, Origin.PUBLISHED).verdict == UNDECIDED


def test_the_accuracy_of_a_published_network_has_an_exact_interval_over_images():
    printed, column = PrintedNumber(0.57, 0.005), [0.3, 0.9]
    low, high = stats.binomtest(560, 1000).proportion_ci(0.95, method="exact")
    found = judge_accuracy(560, 1000, printed, column, Origin.PUBLISHED)
    assert found.verdict == REPRODUCED
    assert found.mean == pytest.approx(-0.01)
    assert (found.n, found.cases) == (1, 1000)
    assert ends(found.intervals[0]) == pytest.approx((low - 0.575, high - 0.565), abs=1e-8)
    assert judge_accuracy(480, 1000, printed, column, Origin.PUBLISHED).verdict == DIFFERS
    assert judge_accuracy(530, 1000, printed, column, Origin.PUBLISHED).verdict == UNDECIDED
    assert judge_accuracy(56, 100, printed, [0.57, 0.6], Origin.PUBLISHED).verdict == UNDECIDED


def test_a_network_that_we_trained_is_never_an_artifact():
    """Images of one network say nothing of seeds, however many they are."""
    ours = Origin.TRAINED_HERE
    found = [
        judge_value(1.0, ours),
        judge_images(500, 0, 500, ours),
        judge_most(500, 500, ours),
        judge_accuracy(500, 500, PrintedNumber(1.0, 0.05), [0.0, 1.0], ours),
    ]
    assert [judgement.verdict for judgement in found] == [UNDECIDED] * 4
