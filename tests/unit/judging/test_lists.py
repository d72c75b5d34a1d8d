"""All, every, best, some and most: each case, the level of many cases, ties, and the counts."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging.effects import difference
from reactivate.judging.extremes import judge_optimum
from reactivate.judging.intervals import critical
from reactivate.judging.judgement import Judgement
from reactivate.judging.lists import judge_all, judge_most, judge_some
from reactivate.judging.looks import SEQUENTIAL, fixed, judge
from reactivate.judging.reach import beyond_reach
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, UNREACHABLE, UNTRAINED, Verdict

ABSENT = Judgement(Verdict.parse("not_run(compute)"), "too long")


def with_t(t, n=3):
    values = np.resize([1.0, -1.0, 0.3], n)
    values -= values.mean()
    return Effect(tuple(values + t * values.std(ddof=1) / math.sqrt(n)))


UP, OPEN, DOWN = with_t(99.0), with_t(2.0), with_t(-999.0)
WAYS = {"up": UP, "open": OPEN, "down": DOWN, "absent": ABSENT}


def numbered(effects):
    return {f"case {number}": effect for number, effect in enumerate(effects)}


@given(st.lists(st.sampled_from(sorted(WAYS)), min_size=1, max_size=6))
def test_all_some_and_most_follow_from_the_cases(ways):
    cases = numbered(WAYS[way] for way in ways)
    every, some = judge_all(cases), judge_some(cases)
    if "down" in ways:
        assert every.verdict == FAILS
    elif "absent" in ways:
        assert every.verdict == ABSENT.verdict
    else:
        assert every.verdict == (UNDECIDED if "open" in ways else HOLDS)
    if "up" in ways:
        assert some.verdict == HOLDS
    elif "absent" in ways:
        assert some.verdict == ABSENT.verdict
    else:
        assert some.verdict == (UNDECIDED if "open" in ways else FAILS)
    most = judge_most(cases)
    if ways.count("up") > len(ways) / 2:
        assert most.verdict == HOLDS
    elif ways.count("down") >= len(ways) / 2:
        assert most.verdict == FAILS
    else:
        assert most.verdict == (ABSENT.verdict if "absent" in ways else UNDECIDED)
    for found in (every, some, most):
        counts = found.counts
        assert [counts.above, counts.open, counts.below, counts.unjudged] == [
            ways.count(way) for way in ("up", "open", "down", "absent")
        ]
        assert [name for name, _ in found.parts] == list(cases)


@pytest.mark.parametrize("m", [1, 2, 5, 10])
def test_of_many_cases_one_fails_only_at_their_level(m):
    limit = critical(1 - 0.005 / m, 2)
    others = [UP] * (m - 1)
    assert judge_all(numbered([with_t(-limit - 0.01), *others])).verdict == FAILS
    found = judge_all(numbered([with_t(-limit + 0.01), *others]))
    assert found.verdict == UNDECIDED
    assert found.counts.below == (m > 1)  # by itself it would have failed


@pytest.mark.parametrize("m", [1, 2, 5, 10])
def test_of_many_cases_one_shows_it_only_at_their_level(m):
    limit = critical(1 - 0.0125 / m, 2)
    others = [OPEN] * (m - 1)
    assert judge_some(numbered([with_t(limit + 0.01), *others])).verdict == HOLDS
    assert judge_some(numbered([with_t(limit - 0.01), *others])).verdict == UNDECIDED


def test_cases_that_cannot_be_judged_count_among_the_many():
    limit = critical(1 - 0.005 / 5, 2)
    weak = with_t(-limit + 0.01)
    assert judge_all(numbered([weak, *[ABSENT] * 4])).verdict == ABSENT.verdict
    assert judge_all(numbered([weak, *[ABSENT] * 3])).verdict == FAILS


def test_chance_seldom_fails_a_list_of_ties():
    rng = np.random.default_rng(3)
    lists = [numbered(Effect(tuple(rng.normal(size=13))) for _ in range(8)) for _ in range(150)]
    verdicts = [judge_all(cases).verdict for cases in lists]
    assert verdicts.count(FAILS) <= 6  # 0.9 % expected
    assert verdicts.count(HOLDS) == 0


def test_ties_are_no_losses():
    """An audit once let a best row fail because it was "beaten by -0"."""
    tie = dict.fromkeys(range(5), 0.9)
    cases = {"a": UP, "b": difference(tie, tie, paired=True, grain=0.001)}
    found = judge_all(cases)
    assert found.verdict == UNDECIDED
    assert (found.counts.above, found.counts.open, found.counts.below) == (1, 1, 0)


def test_an_unreachable_radius_is_no_failure():
    """An audit once counted radii that the number of samples cannot certify."""
    cap = 1.0
    cases = {str(radius): beyond_reach(radius, cap, "radius") or DOWN for radius in (0.5, 1.5)}
    assert judge_some(cases).verdict == UNREACHABLE
    assert judge_some({**cases, "0.25": UP}).verdict == HOLDS
    assert judge_all({"0.5": UP, "1.5": cases["1.5"]}).verdict == UNREACHABLE


def test_a_case_whose_networks_did_not_learn_is_not_a_loss():
    unlearned = Effect((None,) * 5)
    assert judge_all({"a": UP, "b": unlearned}).verdict == UNTRAINED
    assert judge_some({"a": UP, "b": unlearned}).verdict == HOLDS


def test_a_claim_on_certain_radii_is_not_judged_at_one_of_them():
    cases = {"0.25": DOWN, "0.5": UP, "0.75": DOWN}
    assert judge_some(cases).verdict == HOLDS


@pytest.mark.parametrize("judge_list", [judge_all, judge_some, judge_most])
def test_a_list_has_as_many_replicates_as_its_smallest_case(judge_list):
    cases = {"small": UP, "large": Judgement(HOLDS, "of eight", n=8), "absent": ABSENT}
    assert judge_list(cases).n == 3


def test_an_open_list_says_how_many_replicates_decide_it():
    cases = {"a": UP, "b": with_t(5.0), "c": with_t(1.0)}
    strict = SEQUENTIAL.at_levels(holds=1 - 0.0125 / 2)
    parts = [judge(effect).seeds_to_decide for effect in (with_t(5.0), with_t(1.0))]
    assert judge_all(cases).seeds_to_decide == max(parts)
    pair = {"b": with_t(5.0), "c": with_t(1.0)}
    assert judge_some(pair).seeds_to_decide == judge(with_t(5.0), strict).seeds_to_decide
    assert judge_all({"a": UP}).seeds_to_decide is None


@pytest.mark.parametrize("m", [1, 3, 5])
def test_most_asks_each_case_by_itself(m):
    """More than half must hold, so their number makes none of them stricter."""
    holds, fails = critical(0.985, 2), critical(0.995, 2)
    assert judge_most(numbered([with_t(holds + 0.01)] * m)).verdict == HOLDS
    assert judge_most(numbered([with_t(holds - 0.01)] * m)).verdict == UNDECIDED
    assert judge_most(numbered([with_t(-fails - 0.01)] * m)).verdict == FAILS
    assert judge_most(numbered([with_t(0.01 - fails)] * m)).verdict == UNDECIDED


@pytest.mark.parametrize(
    ("open_ts", "others", "place"),
    [
        ([5.0, 1.0, 3.0], [], 1),  # two of three must hold: the second to be decided
        ([5.0, 1.0], [UP], 0),  # one more
        ([5.0, 3.0, 1.0], [UP, DOWN], 1),  # two more of five
        ([5.0], [DOWN, UP], 0),
    ],
)
def test_most_is_decided_when_enough_open_cases_are(open_ts, others, place):
    needed = sorted(judge(with_t(t)).seeds_to_decide for t in open_ts)
    found = judge_most(numbered([*(with_t(t) for t in open_ts), *others]))
    assert (found.verdict, found.seeds_to_decide) == (UNDECIDED, needed[place])
    assert judge_most({"a": UP}).seeds_to_decide is None


def test_fixed_replicates_confirm_a_list_at_their_own_level():
    limit = critical(0.95, 9)
    cases = numbered([with_t(limit + 0.05, 10)] * 3)
    assert judge_all(cases, fixed(10)).verdict == HOLDS
    assert judge_all(cases).verdict == UNDECIDED


@pytest.mark.parametrize("judge_list", [judge_all, judge_some, judge_most])
def test_a_list_without_cases_is_refused(judge_list):
    with pytest.raises(ValueError, match="no cases"):
        judge_list({})


def test_an_optimum_beats_every_value_of_its_grid():
    assert judge_optimum({"0.1": UP, "0.001": UP}).verdict == HOLDS
    assert judge_optimum({"0.1": UP, "0.001": OPEN}).verdict == UNDECIDED
    assert judge_optimum({"0.1": UP, "0.001": DOWN}).verdict == FAILS
    limit = critical(1 - 0.005 / 2, 2)
    assert judge_optimum({"0.1": UP, "0.001": with_t(0.01 - limit)}).verdict == UNDECIDED
