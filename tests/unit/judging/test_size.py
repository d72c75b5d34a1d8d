"""Size is a field beside the direction, judged against half and twice of what is stated."""

import numpy as np
import pytest
from reactivate.judging.looks import fixed, judge
from reactivate.judging.replicates import Effect
from reactivate.judging.size import judge_size, stated_size
from reactivate.judging.verdicts import DIFFERS, FAILS, HOLDS, REPRODUCED, UNDECIDED

NOISE = np.array([0.5, -0.5, 1.0, -1.0, 0.2, -0.2, 0.7, -0.7, 0.3, -0.3, 0.9, -0.9, 0.0])


def around(mean, deviation=0.1, n=13):
    noise = NOISE[:n] - NOISE[:n].mean()
    return Effect(tuple(mean + deviation * noise / noise.std(ddof=1)))


@pytest.mark.parametrize(
    ("mean", "verdict"),
    [
        *((1.0, REPRODUCED), (0.65, REPRODUCED), (1.85, REPRODUCED)),
        *((0.35, DIFFERS), (-1.0, DIFFERS)),
        *((0.5, UNDECIDED), (0.55, UNDECIDED), (0.45, UNDECIDED), (2.0, UNDECIDED)),
        *((1.95, UNDECIDED), (5.0, UNDECIDED)),
    ],
)
def test_a_size_is_reproduced_from_half_to_twice_and_differs_below(mean, verdict):
    assert judge_size(around(mean), 1.0).verdict == verdict


def test_a_size_needs_985_percent_inside_and_995_percent_below():
    effect = around(0.0)
    narrow, wide = effect.interval(0.985).high, effect.interval(0.995).high
    assert judge_size(around(0.5 + narrow * 1.01), 1.0).verdict == REPRODUCED
    assert judge_size(around(0.5 + narrow * 0.99), 1.0).verdict == UNDECIDED
    assert judge_size(around(0.5 - wide * 1.01), 1.0).verdict == DIFFERS
    assert judge_size(around(0.5 - wide * 0.99), 1.0).verdict == UNDECIDED


def test_the_direction_is_the_verdict_and_the_size_a_field():
    found = judge(around(0.35), fixed(13), stated=1.0)
    assert found.verdict == HOLDS
    assert found.size.verdict == DIFFERS
    assert found.size.stated == 1.0
    assert judge(around(0.35)).size is None


def test_of_a_range_the_lower_end_is_stated():
    assert stated_size(5.0, 2.0) == 2.0


@pytest.mark.parametrize("bad", [(), (0.0,), (-1.0, 2.0)])
def test_a_size_is_positive_as_stated(bad):
    with pytest.raises(ValueError, match="accepted: positive"):
        stated_size(*bad)


def test_an_effect_surely_below_half_of_the_stated_size_fails_at_the_last_look():
    weak = around(0.08, deviation=0.2)  # t = 1.4
    assert judge(weak).verdict == UNDECIDED
    found = judge(weak, stated=1.0)
    assert (found.verdict, found.n) == (FAILS, 13)
    assert "stated size" in found.reason
    assert "stated size" in found.would_change
    assert judge(weak, stated=0.3).verdict == UNDECIDED


def test_before_the_last_look_a_small_effect_does_not_fail():
    weak = around(0.08, deviation=0.2, n=8)
    assert abs(weak.t) > 1
    assert judge(weak, stated=10.0).verdict == UNDECIDED
    assert judge(around(0.08, deviation=0.2, n=3), stated=100.0).verdict == UNDECIDED


def test_at_futility_a_small_effect_fails():
    none = around(0.01, deviation=0.2, n=5)
    assert abs(none.t) < 0.5
    assert judge(none, stated=10.0).verdict == FAILS
    assert judge(none, stated=0.5).verdict == UNDECIDED


def test_the_one_look_of_a_fixed_number_is_the_last():
    weak = around(0.08, deviation=0.2, n=10)
    assert judge(weak, fixed(10)).verdict == UNDECIDED
    assert judge(weak, fixed(10), stated=2.0).verdict == FAILS
