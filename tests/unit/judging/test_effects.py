"""One number per replicate, positive as stated, and the interval of its mean."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reactivate.judging.effects import difference, log_difference, share, spearman, trend
from reactivate.judging.intervals import Interval, critical, exact_share, rounding_reach
from reactivate.judging.replicates import Effect
from scipy import stats

NUMBERS = st.floats(-100, 100).map(lambda x: round(x, 3))
SAMPLES = st.lists(NUMBERS, min_size=3, max_size=13)
LEVELS = st.sampled_from([0.95, 0.98, 0.985, 0.995])


def runs(values):
    return dict(enumerate(values))


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=13), LEVELS)
def test_pairs_have_the_interval_of_the_paired_t_test(pairs, level):
    a, b = np.array(pairs).T
    assume(np.std(a - b) > 1e-3)
    found = difference(runs(a), runs(b), paired=True).interval(level)
    expected = stats.ttest_rel(a, b).confidence_interval(level)
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-6, abs=1e-9)


@given(SAMPLES, SAMPLES, LEVELS)
def test_independent_arms_have_welchs_interval(a, b, level):
    assume(min(np.std(a), np.std(b)) > 1e-3)
    found = difference(runs(a), runs(b), paired=False)
    expected = stats.ttest_ind(a, b, equal_var=False)
    interval = found.interval(level)
    ends = tuple(expected.confidence_interval(level))
    assert (interval.low, interval.high) == pytest.approx(ends, rel=1e-6, abs=1e-9)
    assert found.t == pytest.approx(expected.statistic, rel=1e-6)


def test_arms_that_share_only_a_seeds_number_gain_nothing_from_its_order():
    a, b = [1.0, 2.0, 3.0, 4.0], [0.9, 1.9, 2.9, 3.9]
    apart = difference(runs(a), runs(b), paired=False)
    shuffled = difference(runs(a), runs(b[::-1]), paired=False)
    assert apart.interval(0.95) == shuffled.interval(0.95)
    assert apart.interval(0.95).low < 0


def test_the_better_arm_gives_a_positive_effect_in_either_direction():
    high, low = runs([3.0, 4.0, 5.0]), runs([1.0, 1.0, 2.0])
    assert difference(high, low, paired=True).mean == 3 - 1 / 3
    assert difference(low, high, paired=True, lower_is_better=True).mean == 3 - 1 / 3
    assert difference(low, high, paired=True).mean == -(3 - 1 / 3)


def test_losses_are_compared_by_their_ratio_and_smaller_is_better():
    small = log_difference(runs([1.0, 10.0, 100.0]), runs([2.0, 20.0, 200.0]), paired=True)
    assert small.samples[0] == pytest.approx([math.log(2)] * 3)
    assert small.grain == 0.0
    large = log_difference(
        runs([2.0, 20.0, 200.0]), runs([1.0, 10.0, 100.0]), paired=True, lower_is_better=False
    )
    assert large.samples[0] == pytest.approx([math.log(2)] * 3)


@pytest.mark.parametrize("bad", [0.0, -1.0])
def test_a_loss_without_a_logarithm_is_refused(bad):
    with pytest.raises(ValueError, match="accepted: positive"):
        log_difference(runs([1.0, bad]), runs([1.0, 1.0]), paired=True)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8))
def test_a_trend_is_spearmans_rho_ties_included(points):
    xs, ys = zip(*points, strict=True)
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        assert spearman(xs, ys) == 0.0
    else:
        assert spearman(xs, ys) == pytest.approx(stats.spearmanr(xs, ys).statistic)


def test_a_falling_curve_is_positive_where_the_document_says_it_falls():
    curves = {0: [3.0, 2.0, 1.0], 1: None, 2: [3.0, 1.0, 2.0]}
    assert trend([1, 2, 3], curves, rising=False).stated == (1.0, None, 0.5)
    assert trend([1, 2, 3], curves).stated == (-1.0, None, -0.5)
    assert trend([1, 2, 3], curves).grain == 0.5  # the step of rho for three places


def test_two_places_have_a_trend_and_one_has_none():
    assert trend([1, 2], {0: [1.0, 2.0], 1: [2.0, 1.0]}).stated == (1.0, -1.0)
    with pytest.raises(ValueError, match="two places or more"):
        trend([1], {0: [1.0]})


@pytest.mark.parametrize("curves", [{0: [1.0, 2.0]}, {0: [1.0, 2.0, 3.0, 4.0]}])
def test_a_curve_has_a_number_for_each_place(curves):
    with pytest.raises(ValueError, match="one number for each"):
        trend([1, 2, 3], curves)


def test_a_share_is_counted_from_a_half_with_one_case_as_its_grain():
    found = share({0: [True] * 8 + [False] * 2, 1: [True, False], 2: None})
    assert found.stated == pytest.approx((0.3, 0.0, None))
    assert found.grain == 0.5
    with pytest.raises(ValueError, match="no cases"):
        share({0: []})


@pytest.mark.parametrize("paired", [True, False])
def test_equal_numbers_keep_the_deviation_of_the_grain(paired):
    found = difference(runs([0.9] * 3), runs([0.8] * 3), paired=paired, grain=0.01)
    assert found.deviation == pytest.approx(0.01 / math.sqrt(6))
    assert difference(runs([0.9] * 3), runs([0.8] * 3), paired=paired).deviation == 0


def test_a_spread_above_the_grain_is_left_as_it_is():
    values = [0.0, 1.0, 2.0]
    assert Effect(tuple(values), grain=0.1).deviation == pytest.approx(1.0)
    assert Effect(tuple(values), grain=6.0).deviation == pytest.approx(6 / math.sqrt(6))


def test_rounding_of_the_machine_is_no_spread():
    found = difference(runs([0.7, 0.8, 1000.1]), runs([0.6, 0.7, 1000.0]), paired=True)
    assert np.std(found.samples[0]) > 0
    assert found.deviation == 0


def test_replicates_are_paired_by_number_in_their_order():
    found = difference({2: 5.0, 0: 1.0, 7: 9.0}, {0: 0.5, 2: 4.0, 3: 8.0}, paired=True)
    assert found.samples == [[0.5, 1.0]]


def test_runs_that_did_not_learn_leave_the_mean_and_are_counted():
    stated, other = runs([1.0, None, 3.0, 4.0, None]), runs([0.0, 0.0, None, 1.0, None])
    pairs = difference(stated, other, paired=True)
    assert pairs.samples == [[1.0, 3.0]]
    assert (pairs.n, pairs.attempted, pairs.unlearned) == (2, 5, 4)
    apart = difference(stated, other, paired=False)
    assert apart.samples == [[1.0, 3.0, 4.0], [0.0, 0.0, 1.0]]
    assert (apart.n, apart.mean) == (3, 8 / 3 - 1 / 3)


def test_a_collapsed_run_does_not_decide_the_mean():
    good, collapsed = runs([0.9, 0.91, 0.92]), runs([0.9, 0.91, 0.92, None])
    other = runs([0.8, 0.81, 0.85, 0.8])
    assert difference(collapsed, other, paired=True).mean == pytest.approx(
        difference(good, other, paired=True).mean
    )


def test_the_first_replicates_are_those_that_learned_and_no_later_ones():
    pairs = difference(runs([1.0, None, 3.0, 4.0, 9.0]), runs([0.0] * 5), paired=True)
    assert pairs.first(3).samples == [[1.0, 3.0, 4.0]]
    assert pairs.first(3).unlearned == 1
    assert pairs.until(3).samples == [[1.0, 3.0]]
    apart = difference(runs([1.0, None, 3.0, 4.0, 9.0]), runs([0.0] * 5), paired=False)
    assert apart.first(3).samples == [[1.0, 3.0, 4.0], [0.0] * 3]


def test_an_arm_that_was_not_run_is_not_an_effect_of_the_other():
    assert difference(runs([1.0, 2.0, 3.0]), {}, paired=False).n == 0
    assert difference(runs([1.0, 2.0, 3.0]), {}, paired=True).n == 0


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_diverged_run_is_none_and_not_a_number(bad):
    with pytest.raises(ValueError, match="None for a run that did not learn"):
        Effect((1.0, bad))


def test_pairs_need_as_many_replicates_in_both_arms():
    with pytest.raises(ValueError, match="cannot be paired"):
        Effect((1.0, 2.0), (1.0,))


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), LEVELS)
def test_a_share_has_the_exact_interval(counts, level):
    successes, cases = counts
    found = exact_share(successes, cases, level)
    expected = stats.binomtest(successes, cases).proportion_ci(level, method="exact")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_an_interval_that_touches_is_not_beyond():
    touching = Interval(0.0, 1.0, 0.95)
    assert not touching.is_above_zero
    assert not Interval(-1.0, 0.0, 0.95).is_below_zero
    assert touching.lies_within(0.0, 1.0)
    assert not touching.lies_within(0.1, 1.0)
    assert not touching.lies_within(0.0, 0.9)
    assert not touching.lies_outside(1.0, 2.0)
    assert not touching.lies_outside(-1.0, 0.0)
    assert touching.lies_outside(1.1, 2.0)
    assert touching.lies_outside(-1.0, -0.1)
    assert touching.widened(0.5) == Interval(-0.5, 1.5, 0.95)
    assert str(touching) == "0 to 1 (95 %)"


@pytest.mark.parametrize("value", [0.12, 1e-6, 5e6, -12.0])
def test_rounding_reaches_half_a_digit_and_hardly_more(value):
    more = rounding_reach(value, 0.005) - 0.005
    assert more == pytest.approx(1e-9 * max(0.005, abs(value)), rel=1e-3)


@pytest.mark.parametrize("counts", [(1, 0), (3, 2), (-1, 2)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match="accepted: at least one case"):
        exact_share(*counts, 0.95)


@given(st.integers(1, 50), LEVELS)
def test_the_critical_value_is_students(freedom, level):
    assert critical(level, freedom) == pytest.approx(stats.t.ppf((1 + level) / 2, freedom))
