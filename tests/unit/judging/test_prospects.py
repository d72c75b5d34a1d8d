"""Prospects of open comparisons, against other arithmetic; and the loop's errors, simulated."""

import math
import random
from functools import partial

import numpy as np
import pytest
from reactivate.judging.asked import Asks, Which
from reactivate.judging.exact import not_run
from reactivate.judging.looks import SEQUENTIAL, judge
from reactivate.judging.prospects import (
    Inquiry,
    can_be_decided,
    chance_to_decide,
    is_open,
)
from reactivate.judging.questions import Question, Readings
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import FAILS, HOLDS

SIGN = Question()
OPEN = (0.9, 2.1, 0.4)  # t = 2.3


def of(*numbers, question=SIGN, **more):
    return Inquiry(Effect(numbers, **more), question.answer, question.plan)


def listed(which, **cases):
    question = Question(cases=which)
    return Inquiry(cases, question.answer, question.plan)


@pytest.mark.parametrize(
    ("attempted", "look"), [(0, 3), (1, 3), (2, 3), (3, 5), (4, 5), (5, 8), (8, 13), (12, 13)]
)
def test_the_next_look_is_the_next_of_the_plan_and_none_between(attempted, look):
    assert of(*range(attempted)).next_look == look


def test_there_is_no_look_after_the_last():
    assert of(*range(13)).next_look is None
    assert not is_open(of(*((-1.0) ** k for k in range(13))))


def test_replicates_are_counted_in_the_case_that_has_the_fewest():
    cases = {"a": Effect((1.0, 2.0)), "b": Effect((1.0, None, 2.0)), "c": not_run("compute", "x")}
    assert listed(Which.ALL, **cases).attempted == 2
    assert Inquiry(Readings({"r": cases}), SIGN.answer, SEQUENTIAL).next_look == 3
    assert of(1.0, None, None).attempted == 3


def test_after_futility_no_replicates_can_decide():
    quiet = (1.0, -1.0, 0.9, -0.95, 0.1)  # |t| < 0.5 at n = 5
    assert abs(Effect(quiet).t) < 0.5
    assert not can_be_decided(of(*quiet))
    assert not is_open(of(*quiet))
    loud = (1.0, -1.0, 0.9, 0.95, 0.1)
    assert 0.5 < abs(Effect(loud).t) < 4.09
    assert is_open(of(*loud))


def test_a_decided_comparison_is_not_open():
    assert judge(Effect((1.0, 1.01, 0.99))).verdict == HOLDS
    assert not is_open(of(1.0, 1.01, 0.99))


def test_more_replicates_may_part_two_arms_that_are_the_same():
    same = (1.0, 2.0, 1.2)
    assert is_open(of(*same, other=same, paired=False))


@pytest.mark.parametrize("unit", [2.0**-30, 2.0**30])
def test_what_is_open_does_not_depend_on_the_unit(unit):
    quiet = (1.0, -1.0, 0.9, -0.95, 0.1)
    assert is_open(of(*(unit * x for x in OPEN)))
    assert not is_open(of(*(unit * x for x in quiet)))


def test_eight_replicates_just_not_futile_can_be_decided_by_five_more():
    numbers = np.array([1.0, -1, 1, -1, 1, -1, 1, -1])
    numbers += 1.01 * numbers.std(ddof=1) / math.sqrt(8)  # t = 1.01
    assert is_open(of(*numbers))
    assert not is_open(of(*(numbers - 0.1)))


def test_of_a_list_with_a_futile_case_only_the_contrary_is_left():
    quiet = Effect((1.0, -1.0, 0.9, -0.95, 0.1))
    rising = Effect((0.5, 1.2, 0.1, 0.9, 0.2))
    assert is_open(listed(Which.ALL, a=quiet, b=rising))  # b may still fail
    assert not is_open(listed(Which.ALL, a=quiet, b=quiet))
    assert not is_open(listed(Which.SOME, a=quiet, b=quiet))
    assert is_open(listed(Which.SOME, a=quiet, b=rising))


def test_cases_that_were_not_run_leave_a_list_open_or_not():
    missing = not_run("compute", "not here")
    assert not is_open(listed(Which.ALL, a=missing, b=Effect((0.5, 1.2, 0.1))))
    assert not is_open(Inquiry(missing, lambda found: found, SEQUENTIAL))


def predicted(numbers, look, draws=200_000):
    """Share of continuations beyond the printed t of a look, drawn with numpy."""
    limits = {5: (4.09, 5.60), 8: (3.20, 4.03)}[look]
    old, n = np.array(numbers), len(numbers)
    chance = np.random.default_rng(7)
    sigma = old.std(ddof=1) * np.sqrt((n - 1) / chance.chisquare(n - 1, draws))
    mu = chance.normal(old.mean(), sigma / math.sqrt(n))
    new = chance.normal(mu[:, None], sigma[:, None], (draws, look - n))
    whole = np.concatenate([np.broadcast_to(old, (draws, n)), new], axis=1)
    t = whole.mean(1) / (whole.std(axis=1, ddof=1) / math.sqrt(look))
    return float(((t > limits[0]) | (t < -limits[1])).mean())


@pytest.mark.parametrize(
    ("numbers", "look"),
    [(OPEN, 5), ((0.9, 1.4, 0.7), 5), ((-0.8, -1.2, -0.9), 5), ((1, 0.2, 1.4, 0.3, 0.9), 8)],
)
def test_the_chance_is_that_of_an_independent_simulation(numbers, look):
    expected = predicted(numbers, look)
    found = chance_to_decide(of(*numbers), look, "x", tries=1500)
    assert found == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 1500))
    assert 0.02 < expected < 0.98


def test_pairs_are_their_differences_and_arms_are_apart():
    ahead, behind = (5.9, 7.1, 5.4), (5.0, 5.0, 5.0)
    paired = of(*ahead, other=behind)
    assert chance_to_decide(paired, 5, "x") == chance_to_decide(of(*OPEN), 5, "x")
    apart = of(*ahead, other=(5.0, 5.2, 4.8), paired=False)
    assert 0 < chance_to_decide(apart, 13, "x", 400) < 1
    turned = of(5.0, 5.2, 4.8, other=ahead, paired=False)
    assert chance_to_decide(turned, 5, "x", 400) < chance_to_decide(apart, 5, "x", 400)


def test_of_too_few_replicates_one_deviation_is_assumed():
    """With mean 1 and deviation 1 the plan decides 79 % by the last look, as VERDICTS says."""
    for few in (of(), of(-3.0), of(40.0, 41.0)):
        assert chance_to_decide(few, 13, "x", 800) == pytest.approx(0.79, abs=0.06)
    apart = of(1.0, other=(2.0,), paired=False)
    assert chance_to_decide(apart, 13, "x", 800) == pytest.approx(0.79, abs=0.08)


def test_the_chance_of_always_is_that_of_the_beta_distribution():
    question = Question(asks=Asks.ALWAYS)
    five = Inquiry(dict.fromkeys(range(5), True), question.answer, question.plan)
    expected = 5.5 * 6.5 * 7.5 / (6 * 7 * 8)  # three more, all true
    assert chance_to_decide(five, 8, "x", 2000) == pytest.approx(expected, abs=0.03)
    two = Inquiry({0: True, 1: True, 2: None}, question.answer, question.plan)
    assert is_open(two)  # eight of eight would do
    mixed = Inquiry({0: True, 1: False, 2: None}, question.answer, question.plan)
    assert not is_open(mixed)  # twelve can learn, and of eight one is contrary


def test_an_arm_without_spread_stays_as_it_is():
    constant = of(5.9, 7.1, 5.4, other=(5.0, 5.0, 5.0), paired=False)
    alone = of(0.9, 2.1, 0.4)
    found = chance_to_decide(constant, 5, "x", 500)
    assert found == pytest.approx(chance_to_decide(alone, 5, "x", 500), abs=0.1)
    assert chance_to_decide(of(1.0, 1.0, 1.0), 13, "x") == 0


def test_one_run_may_reach_a_bound():
    question = Question(asks=Asks.UP_TO, bound=3.0)
    low = Inquiry({0: 1.0, 1: 2.0, 2: 1.5}, question.answer, question.plan)
    assert 0.05 < chance_to_decide(low, 13, "x", 500) < 0.95
    assert is_open(low)


def test_networks_that_often_do_not_learn_decide_later():
    whole, half = (0.9, 1.6, 0.7), (0.9, None, 1.6, None, 0.7, None)
    assert of(*half).judgement.n == 3
    kept, lost = (chance_to_decide(of(*arm), 8, "x", 1000) for arm in (whole, half))
    assert lost < kept


def test_the_same_seed_draws_the_same():
    chances = {chance_to_decide(of(*OPEN), 5, "x") for _ in range(3)}
    assert len(chances) == 1
    assert chance_to_decide(of(*OPEN), 5, "y") != chances.pop()


def decide_one(draw):
    """Verdict and seeds of one comparison, decided as the loop does, from three seeds on."""
    numbers = [draw() for _ in range(3)]
    inquiry = of(*numbers)
    while is_open(inquiry):
        numbers += [draw() for _ in range(inquiry.next_look - len(numbers))]
        inquiry = of(*numbers)
    return inquiry.judgement.verdict, len(numbers)


def decide_many(shift, paths):
    chance = random.Random(f"loop {shift}")
    draw = partial(chance.gauss, shift, 1.0)
    ends = [decide_one(draw) for _ in range(paths)]
    used = sum(seeds for _, seeds in ends) / paths
    rates = {verdict: sum(end == verdict for end, _ in ends) / paths for verdict in (HOLDS, FAILS)}
    return rates[HOLDS], rates[FAILS], used, {seeds for _, seeds in ends}


@pytest.mark.parametrize(
    "paths", [400, pytest.param(10_000, marks=pytest.mark.slow)], ids=["fast", "whole"]
)
def test_the_loop_errs_as_seldom_as_the_rules_say_and_stops_early_without_an_effect(paths):
    holds, fails, used, seen = decide_many(0.0, paths)
    within = 3 * math.sqrt(0.024 / paths)
    assert holds < 0.024 + within
    assert fails < 0.009 + 3 * math.sqrt(0.009 / paths)
    assert seen <= {3, 5, 8, 13}
    assert used < 8.5  # of 13


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "decided", "seeds"), [(1.0, 0.79, 9.6), (2.0, 1.0, 5.7)])
def test_the_loop_decides_effects_with_the_seeds_that_the_rules_state(shift, decided, seeds):
    paths = 600
    holds, fails, used, _ = decide_many(shift, paths)
    assert holds == pytest.approx(decided, abs=3 * math.sqrt(0.21 / paths))
    assert fails <= 0.003
    assert used == pytest.approx(seeds, abs=0.45)
    assert used < 13
