"""Up to, always, never, comparable and around."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging.equality import around_margin, judge_comparable, judge_within
from reactivate.judging.extremes import judge_always, judge_up_to
from reactivate.judging.judgement import MANY
from reactivate.judging.looks import SEQUENTIAL, fixed
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import DEPENDS, FAILS, HOLDS, UNDECIDED, UNTRAINED
from scipy import stats


def runs(values):
    return dict(enumerate(values))


def around(mean, deviation=1.0, n=5):
    noise = np.resize([1.0, -1.0, 0.5, -0.5, 0.0], n)
    noise -= noise.mean()
    return Effect(tuple(mean + deviation * noise / noise.std(ddof=1)))


@given(st.lists(st.floats(0, 2), min_size=1, max_size=9), st.floats(0.1, 2))
def test_up_to_needs_one_observation_and_its_absence_decides_nothing(values, bound):
    found = judge_up_to(runs(values), bound)
    assert found.verdict == (HOLDS if max(values) >= bound - 1e-8 else UNDECIDED)


def test_what_rounds_to_the_printed_bound_reaches_it():
    assert judge_up_to({0: 1.75}, 1.8, half_unit=0.05).verdict == HOLDS
    assert judge_up_to({0: 1.74}, 1.8, half_unit=0.05).verdict == UNDECIDED


def test_up_to_is_not_judged_by_runs_that_did_not_learn():
    found = judge_up_to({0: None, 1: 3.0, 2: 0.5}, 2.0)
    assert (found.unlearned, found.n, found.mean) == (1, 2, 1.0)
    assert judge_up_to({0: None}, 2.0).verdict == UNTRAINED
    assert judge_up_to({}, 2.0).verdict == UNDECIDED


def brute_force(flags):
    """The same with binomial tails instead of intervals."""
    for n in (3, 5, 8, 13):
        if n > len(flags):
            break
        true = sum(flags[:n])
        if stats.binom.sf(true - 1, n, 0.5) < 0.0075:
            return HOLDS
        if stats.binom.cdf(true, n, 0.5) < 0.0025:
            return FAILS
    return UNDECIDED


@given(st.lists(st.booleans(), max_size=16))
def test_always_is_an_exact_binomial_test_against_a_half(flags):
    assert judge_always(runs(flags)).verdict == brute_force(flags)


def test_five_runs_say_always_to_nobody_and_eight_do():
    assert judge_always(runs([True] * 5)).verdict == UNDECIDED
    assert judge_always(runs([True] * 5)).seeds_to_decide == 8
    assert judge_always(runs([True] * 7)).n == 5
    assert judge_always(runs([True] * 8)).verdict == HOLDS
    assert judge_always(runs([False] * 8)).verdict == UNDECIDED
    assert judge_always(runs([False] * 13)).verdict == FAILS


@pytest.mark.parametrize(
    ("flags", "plan", "needed"),
    [
        ([], SEQUENTIAL, 3),  # of a share that nobody knows: the first look
        ([True, True], SEQUENTIAL, 8),  # 2**-8 < 0.75 % < 2**-7
        ([False, None, False], SEQUENTIAL, 9),  # 2**-9 < 0.25 % < 2**-8
        ([True] * 4, fixed(10), 10),  # six would do, but no look is planned before ten
    ],
)
def test_runs_before_the_first_look_say_how_many_decide(flags, plan, needed):
    found = judge_always(runs(flags), plan)
    assert (found.verdict, found.seeds_to_decide) == (UNDECIDED, needed)


def test_three_runs_are_looked_at_though_they_cannot_decide():
    found = judge_always(runs([True] * 3))
    exact = stats.binomtest(3, 3).proportion_ci(0.985, method="exact")
    assert (found.verdict, found.n, found.mean) == (UNDECIDED, 3, 0.5)
    assert found.intervals[0].low == pytest.approx(exact.low - 0.5)


@pytest.mark.parametrize("true", [0, 2, 8])
def test_the_intervals_of_always_are_those_of_the_share_around_a_half(true):
    found = judge_always(runs([True] * true + [False] * (8 - true)), fixed(8))
    exact = stats.binomtest(true, 8)
    assert found.mean == true / 8 - 0.5
    assert [interval.level for interval in found.intervals] == [0.95, 0.98]
    for interval in found.intervals:
        low, high = exact.proportion_ci(interval.level, method="exact")
        assert (interval.low, interval.high) == pytest.approx((low - 0.5, high - 0.5))


@pytest.mark.parametrize(("count", "text"), [(1, "1 run"), (3, "3 runs")])
def test_runs_in_which_no_network_learned_are_counted(count, text):
    assert judge_always(runs([None] * count)).reason == f"no network learned in {text}"


def test_one_exception_does_not_refute_always():
    assert judge_always(runs([True] * 7 + [False] + [True] * 5)).verdict == HOLDS
    assert judge_always(runs([True] * 3 + [False] * 3)).verdict == UNDECIDED


def test_always_counts_the_runs_that_learned():
    found = judge_always(runs([None, True, True] * 5))
    assert (found.verdict, found.n, found.unlearned) == (HOLDS, 8, 5)
    assert judge_always(runs([None] * 5)).verdict == UNTRAINED
    assert judge_always({}).verdict == UNDECIDED
    assert judge_always(runs([True, True])).verdict == UNDECIDED


@pytest.mark.parametrize(("n", "verdict"), [(6, HOLDS), (5, UNDECIDED)])
def test_always_of_fixed_runs_is_one_look_at_95_percent(n, verdict):
    assert judge_always(runs([True] * n), fixed(n)).verdict == verdict
    assert judge_always(runs([True] * n), fixed(n + 1)).verdict == UNDECIDED
    assert judge_always(runs([True] * 30), fixed(5)).n == 5


def test_never_of_fixed_runs_fails_at_98_percent():
    assert judge_always(runs([False] * 6), fixed(6)).verdict == UNDECIDED  # 1/64 > 1 %
    assert judge_always(runs([False] * 7), fixed(7)).verdict == FAILS


@pytest.mark.parametrize(("true", "n"), [(14, 19), (8, 29), (5, 8), (4, 10), (5, 10), (30, 60)])
def test_an_open_always_says_how_many_more_runs_decide_it(true, n):
    def decides(more):
        so = round(true * more / n)
        holds = stats.binom.sf(so - 1, more, 0.5) < 0.025
        return holds or stats.binom.cdf(so, more, 0.5) < 0.01

    found = judge_always(runs([True] * true + [False] * (n - true)), fixed(n))
    assert found.verdict == UNDECIDED
    assert found.seeds_to_decide == next((m for m in range(n + 1, 101) if decides(m)), MANY)


@pytest.mark.parametrize("n", [3, 5, 8, 13])
def test_equality_needs_the_interval_inside_and_its_contrary_outside(n):
    narrow, wide = (stats.t.ppf((1 + level) / 2, n - 1) / math.sqrt(n) for level in (0.985, 0.995))
    shift, few = 0.5, 1e-6
    assert judge_within(around(shift, n=n), shift + narrow + few).verdict == HOLDS
    last = judge_within(around(shift, n=n), shift + narrow - few)
    assert last.verdict == UNDECIDED
    far = wide + 1
    for sign in (1, -1):
        assert judge_within(around(sign * far, n=n), far - wide + few).verdict == UNDECIDED
        assert judge_within(around(sign * far, n=n), far - wide - few).verdict == FAILS


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=13), st.floats(0.01, 3))
def test_a_difference_that_is_not_significant_is_no_equality(values, margin):
    effect = Effect(tuple(values), grain=0.01)
    found = judge_within(effect, margin)
    if found.verdict == HOLDS:
        assert found.intervals[0].lies_within(-margin, margin)
    if found.verdict == FAILS:
        assert found.intervals[1].lies_outside(-margin, margin)


@pytest.mark.parametrize(("mean", "level"), [(0.0, "98.5 %"), (9.0, "99.5 %"), (1.0, "98.5 %")])
def test_the_interval_that_decides_an_equality_is_told(mean, level):
    assert f"({level})" in judge_within(around(mean, deviation=0.1), 1.0).reason


def test_equality_is_not_futile_because_the_difference_is_small():
    effect = around(0.0, n=13)
    assert abs(effect.first(5).t) < 0.5
    assert judge_within(effect, 1.0).verdict == HOLDS
    assert judge_within(effect, 1.0).n == 13


def test_an_equality_that_was_decided_early_stays_decided():
    early = (0.0, 0.01, -0.01)
    for later, verdict in [((9.0, 9.1), HOLDS), ((-1.0, 1.0), FAILS)]:
        shifted = early if verdict == HOLDS else tuple(x + 5 for x in early)
        found = judge_within(Effect((*shifted, *later)), 1.0)
        assert (found.verdict, found.n) == (verdict, 3)


def test_equality_of_few_or_unlearned_runs_is_undecided_or_not_comparable():
    assert judge_within(Effect((0.0, 0.0)), 1.0).verdict == UNDECIDED
    assert judge_within(Effect((0.0,) * 5), 1.0).verdict == UNDECIDED  # no spread, no grain
    assert judge_within(Effect((0.0,) * 5, grain=0.001), 1.0).verdict == HOLDS
    assert judge_within(Effect((None,) * 5), 1.0).verdict == UNTRAINED


def test_an_open_equality_says_how_many_seeds_it_takes():
    found = judge_within(around(0.5), 1.0)
    assert found.verdict == UNDECIDED
    expected = next(
        n for n in range(2, 101) if stats.t.ppf(0.9925, n - 1) / math.sqrt(n) < 1.0 - 0.5
    )
    assert found.seeds_to_decide == expected


@pytest.mark.parametrize(
    ("mean", "parts", "verdict"),
    [
        (0.0, [HOLDS, HOLDS, HOLDS], HOLDS),
        (0.9, [HOLDS, FAILS, HOLDS], DEPENDS),
        (1.0, [UNDECIDED, FAILS, HOLDS], DEPENDS),
        (1.5, [FAILS, FAILS, HOLDS], DEPENDS),
        (2.0, [FAILS, FAILS, UNDECIDED], UNDECIDED),
        (5.0, [FAILS, FAILS, FAILS], FAILS),
    ],
)
def test_margins_of_half_and_twice_are_alternatives(mean, parts, verdict):
    found = judge_comparable(around(mean, deviation=0.01), 1.0)
    assert [name for name, _ in found.parts] == ["margin 1", "margin 0.5", "margin 2"]
    assert [part.verdict for _, part in found.parts] == parts
    assert found.verdict == verdict


def test_an_equality_that_is_open_at_the_margin_holds_at_twice():
    assert judge_comparable(around(0.0, deviation=0.6), 1.0).verdict == HOLDS


@pytest.mark.parametrize("margin", [0.0, -1.0])
def test_a_margin_is_positive(margin):
    with pytest.raises(ValueError, match="accepted: a positive"):
        judge_within(around(0.0), margin, SEQUENTIAL)


def test_around_allows_a_printed_unit_or_a_tenth():
    assert around_margin(0.62, 0.01) == pytest.approx(0.062)
    assert around_margin(-3.0, 1.0) == 1.0
    assert around_margin(0.0, 0.1) == 0.1
