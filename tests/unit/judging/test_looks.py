"""When a comparison is decided, and how often wrongly: the stated error rates, simulated."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging.effects import difference
from reactivate.judging.intervals import critical
from reactivate.judging.judgement import MANY
from reactivate.judging.looks import SEQUENTIAL, fixed, judge, seeds_to_decide
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, UNTRAINED
from scipy import stats

HOLDS_T = {3: 8.07, 5: 4.09, 8: 3.20, 13: 2.84}
FAILS_T = {3: 14.09, 5: 5.60, 8: 4.03, 13: 3.43}


def with_t(n, t):
    """Replicates whose mean is ``t`` standard errors from 0; none is hopeless before the last."""
    values = np.resize([1.0, -1.0, 1.5, -0.5, 1.0, -1.0, -0.5, -0.5], n) * math.copysign(1, t)
    values -= values.mean()
    return Effect(tuple(values + t * values.std(ddof=1) / math.sqrt(n)))


def simulate(shift, paths, seed=0):
    """Shares of ``holds`` and ``fails``, and replicates on average, of the plan itself."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((paths, SEQUENTIAL.looks[-1])) + shift
    verdict, used = _vectorised(values)
    return np.mean(verdict == 1), np.mean(verdict == -1), used.mean()


def _vectorised(values):
    verdict, used = np.zeros(len(values), int), np.zeros(len(values), int)
    for n in SEQUENTIAL.looks:
        seen = values[:, :n]
        t = seen.mean(1) / seen.std(1, ddof=1) * math.sqrt(n)
        decided = (t > critical(SEQUENTIAL.holds, n - 1)).astype(int)
        decided -= t < -critical(SEQUENTIAL.fails, n - 1)
        stops = (decided != 0) | (abs(t) < SEQUENTIAL.futility.get(n, 0))
        stops |= n == SEQUENTIAL.looks[-1]
        now = stops & (used == 0)
        verdict[now], used[now] = decided[now], n
    return verdict, used


@pytest.mark.parametrize(
    "paths", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)], ids=["fast", "whole"]
)
def test_under_the_null_the_plan_errs_as_seldom_as_stated(paths):
    holds, fails, _ = simulate(0.0, paths)
    error = 4 * math.sqrt(0.024 / paths)
    assert holds <= 0.025
    assert fails <= 0.010
    assert holds == pytest.approx(0.024, abs=0.0005 + error)
    assert fails == pytest.approx(0.009, abs=0.0005 + error)


@pytest.mark.parametrize(("shift", "decides", "seeds"), [(1.0, 0.79, 9.6), (2.0, 1.0, 5.7)])
def test_the_plan_decides_as_often_and_as_early_as_stated(shift, decides, seeds):
    holds, fails, used = simulate(shift, 100_000)
    assert holds + fails == pytest.approx(decides, abs=0.006)
    assert used == pytest.approx(seeds, abs=0.08)


def test_looking_at_every_number_of_seeds_until_five_percent_would_err_often():
    values = np.random.default_rng(0).standard_normal((20_000, 13))
    wrong = np.zeros(len(values), bool)
    for n in range(3, 14):
        t = values[:, :n].mean(1) / values[:, :n].std(1, ddof=1) * math.sqrt(n)
        wrong |= abs(t) > critical(0.95, n - 1)
    assert wrong.mean() == pytest.approx(0.19, abs=0.02)


@pytest.mark.parametrize("shift", [-1.5, -0.4, 0.0, 0.7, 1.5])
def test_the_simulated_plan_is_the_one_that_judges(shift):
    values = np.random.default_rng(7).standard_normal((200, 13)) + shift
    verdict, used = _vectorised(values)
    found = [judge(Effect(tuple(row))) for row in values]
    named = {1: HOLDS, -1: FAILS, 0: UNDECIDED}
    assert [j.verdict for j in found] == [named[v] for v in verdict.tolist()]
    assert [j.n for j in found] == used.tolist()


@pytest.mark.parametrize("n", [3, 5, 8, 13])
def test_the_critical_values_are_the_stated_ones(n):
    assert critical(SEQUENTIAL.holds, n - 1) == pytest.approx(HOLDS_T[n], abs=0.005)
    assert critical(SEQUENTIAL.fails, n - 1) == pytest.approx(FAILS_T[n], abs=0.005)


@pytest.mark.parametrize("n", [3, 5, 8, 13])
def test_a_confirmation_needs_its_level_and_an_accusation_more(n):
    assert judge(with_t(n, HOLDS_T[n] + 0.01)).verdict == HOLDS
    assert judge(with_t(n, HOLDS_T[n] - 0.01)).verdict == UNDECIDED
    assert judge(with_t(n, -HOLDS_T[n] - 0.01)).verdict == UNDECIDED
    assert judge(with_t(n, -FAILS_T[n] + 0.01)).verdict == UNDECIDED
    assert judge(with_t(n, -FAILS_T[n] - 0.01)).verdict == FAILS


@pytest.mark.parametrize(
    ("level", "sign", "verdict", "n"), [(0.95, 1, HOLDS, 10), (0.98, -1, FAILS, 10)]
)
def test_a_number_of_replicates_fixed_beforehand_is_one_look(level, sign, verdict, n):
    limit = stats.t.ppf((1 + level) / 2, n - 1)
    assert judge(with_t(n, sign * (limit + 0.01)), fixed(n)).verdict == verdict
    assert judge(with_t(n, sign * (limit - 0.01)), fixed(n)).verdict == UNDECIDED


def test_fixed_replicates_are_not_looked_at_before_they_are_all_there():
    effect = with_t(9, 50.0)
    assert judge(effect, fixed(10)).verdict == UNDECIDED
    assert judge(effect, fixed(9)).verdict == HOLDS
    assert judge(Effect((*effect.stated, None)), fixed(10)).verdict == HOLDS


def test_three_fixed_replicates_are_looked_at():
    three = Effect((1.0, 1.1, 1.2))
    assert [seen.n for seen in fixed(3).seen(three)] == [3]
    assert judge(three, fixed(3)).verdict == HOLDS


def test_replicates_run_after_the_fixed_ones_are_not_looked_at():
    effect = with_t(10, 1.0)
    assert judge(Effect((*effect.stated, *[9.0] * 20)), fixed(10)).n == 10


@pytest.mark.parametrize(("n", "look"), [(4, 3), (6, 5), (7, 5), (9, 8), (12, 8), (20, 13)])
def test_there_is_no_look_between(n, look):
    values = np.resize([1.0, -0.35], n) + 0.01
    found = judge(Effect(tuple(values), grain=1.0))
    assert found.n == look


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4), st.floats(-1e3, 1e3))
def test_a_fourth_replicate_alone_changes_nothing(values, fourth):
    three, four = (Effect(tuple(v), grain=0.1) for v in (values[:3], [*values[:3], fourth]))
    assert judge(three).verdict == judge(four).verdict
    assert judge(three).n == judge(four).n


def test_what_was_decided_early_stays_decided():
    early = (1.0, 1.01, 1.02)
    assert judge(Effect(early)).verdict == HOLDS
    assert judge(Effect((*early, *[-5.0] * 10))).verdict == HOLDS


def test_a_look_without_spread_is_passed_over():
    found = judge(Effect((1.0, 1.0, 1.0, 1.01, 1.02)))
    assert (found.verdict, found.n) == (HOLDS, 5)


@pytest.mark.parametrize(("n", "t"), [(5, 0.49), (5, -0.49), (8, 0.99), (8, -0.99)])
def test_a_hopeless_comparison_stops_as_undecided(n, t):
    effect = with_t(n, t)
    later = Effect((*effect.stated, *[50.0 + x / 10 for x in range(13 - n)]))
    found = judge(later)
    assert (found.verdict, found.n) == (UNDECIDED, n)


@pytest.mark.parametrize(("n", "t"), [(5, 0.51), (5, -0.51), (8, 1.01), (8, -1.01)])
def test_a_comparison_with_hope_goes_on(n, t):
    effect = with_t(n, t)
    assert judge(Effect((*effect.stated, *[50.0 + x / 10 for x in range(13 - n)]))).n > n


def test_no_look_is_futile_unless_it_was_planned_to_be():
    balanced = (1.0, -1.0, 0.0)
    assert Effect(balanced).t == 0
    assert judge(Effect((*balanced, *[50.0] * 10))).n > 3


@pytest.mark.parametrize("values", [(), (9.0,), (9.0, 9.1)])
def test_fewer_than_three_replicates_decide_nothing(values):
    found = judge(Effect(values))
    assert found.verdict == UNDECIDED
    assert found.n == len(values)
    assert judge(Effect(values), fixed(len(values) or 1)).verdict == UNDECIDED


def test_one_seed_has_no_p_value():
    """An audit once cited a t-test of one seed, with p = 1."""
    found = judge(difference({0: 0.2}, {0: 0.9}, paired=True, grain=0.001))
    assert found.verdict == UNDECIDED
    assert found.intervals == ()


@pytest.mark.parametrize("grain", [0.0, 0.01])
def test_a_tie_is_never_a_loss(grain):
    """An audit once said "beaten by -0"."""
    tie = dict.fromkeys(range(13), 0.9)
    assert judge(difference(tie, tie, paired=True, grain=grain)).verdict == UNDECIDED
    assert judge(difference(tie, tie, paired=False, grain=grain)).verdict == UNDECIDED


@pytest.mark.parametrize("sign", [1, -1])
def test_zero_spread_is_no_proof(sign):
    found = judge(Effect((sign * 0.1,) * 13))
    assert found.verdict == UNDECIDED
    assert "zero spread" in found.reason


def test_differences_of_one_image_in_every_run_decide_nothing_at_three():
    assert judge(Effect((0.001,) * 3, grain=0.001)).verdict == UNDECIDED
    assert judge(Effect((0.010,) * 3, grain=0.001)).verdict == HOLDS


def test_networks_that_did_not_learn_are_not_compared():
    """Laptop verdicts once came from networks at chance."""
    good, chance = dict.fromkeys(range(5), 0.9), dict.fromkeys(range(5))
    for paired in (True, False):
        for arms in ((good, chance), (chance, good)):
            found = judge(difference(*arms, paired=paired, grain=0.001))
            assert found.verdict == UNTRAINED
            assert found.unlearned == 5


def test_looks_count_the_replicates_that_learned():
    found = judge(Effect((1.0, None, 1.1, None, 1.05)))
    assert (found.verdict, found.n, found.unlearned) == (HOLDS, 3, 2)
    assert judge(Effect((1.0, None, 1.1, None))).verdict == UNDECIDED


@given(
    st.floats(-3, 3).filter(lambda x: abs(x) > 1e-3),
    st.floats(0.01, 3),
    st.sampled_from([0.985, 0.995]),
)
def test_seeds_to_decide_is_the_smallest_number_that_would(mean, deviation, level):
    needed = seeds_to_decide(mean, deviation, level)

    def decides(n):
        return stats.t.ppf((1 + level) / 2, n - 1) * deviation / math.sqrt(n) < abs(mean)

    enough = [n for n in range(2, 101) if decides(n)]
    assert needed == (enough[0] if enough else MANY)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=13))
def test_an_open_claim_needs_more_seeds_than_it_has(values):
    found = judge(Effect(tuple(values), grain=0.01))
    if found.verdict == UNDECIDED:
        assert found.seeds_to_decide > found.n
        assert "replicates" in found.would_change
    else:
        assert found.seeds_to_decide is None


def test_open_claims_of_fixed_replicates_need_what_a_new_plan_would():
    favourable, contrary = judge(with_t(10, 2.0), fixed(10)), judge(with_t(10, -2.0), fixed(10))
    for found, level in ((favourable, 0.985), (contrary, 0.995)):
        deviation = abs(found.mean) * math.sqrt(10) / 2.0
        assert found.seeds_to_decide == seeds_to_decide(found.mean, deviation, level)


def test_no_effect_at_all_needs_more_than_a_hundred():
    assert seeds_to_decide(0.0, 1.0) == MANY
    assert "more than 100" in judge(Effect((1.0, -1.0, 0.0))).would_change


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=13), st.sampled_from([SEQUENTIAL, None]))
def test_turning_the_claim_round_never_makes_both_true(values, plan):
    plan = plan or fixed(len(values))
    effect, turned = (
        Effect(tuple(values), grain=0.01),
        Effect(tuple(-x for x in values), grain=0.01),
    )
    found, other = judge(effect, plan).verdict, judge(turned, plan).verdict
    assert found != other or found == UNDECIDED
    if found == FAILS:  # an accusation is harder than a confirmation
        assert other == HOLDS


def test_the_evidence_is_that_of_the_look():
    found = judge(with_t(5, 6.0))
    assert [interval.level for interval in found.intervals] == [0.985, 0.995]
    assert found.intervals[0].low > 0
    assert found.intervals[0].low < found.mean < found.intervals[0].high
    assert "98.5 %" in found.reason
    assert "98.5 %" in found.would_change
    assert "99.5 %" in judge(with_t(5, -9.0)).would_change
