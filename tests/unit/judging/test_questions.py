"""What a comparison asks: each question has its rule, its levels, and the form of its evidence."""

import math
from dataclasses import replace

import numpy as np
import pytest
from reactivate.judging.intervals import critical
from reactivate.judging.judgement import Judgement, Size
from reactivate.judging.questions import Asks, Question, Readings, Which
from reactivate.judging.replicates import Effect
from reactivate.judging.scale import contrary_verdict
from reactivate.judging.verdicts import (
    DEPENDS,
    FAILS,
    HOLDS,
    REPRODUCED,
    SCALE,
    UNDECIDED,
    UNREACHABLE,
    UNTRAINED,
)

ABSENT = Judgement(UNREACHABLE, "a radius beyond the draws")
COMPARABLE = Question(Asks.COMPARABLE, margin=1.0)
UP_TO = Question(Asks.UP_TO, bound=1.8, half_unit=0.05)
ALWAYS = Question(Asks.ALWAYS)


def test_the_words_of_the_configuration_are_these():
    assert [which.value for which in Which] == ["all", "some", "most"]
    assert [asks.value for asks in Asks] == ["sign", "comparable", "up_to", "always"]


def with_t(t, n=3):
    values = np.resize([1.0, -1.0, 0.3], n)
    values -= values.mean()
    return Effect(tuple(values + t * values.std(ddof=1) / math.sqrt(n)))


def near(mean, deviation, n=5):
    noise = np.resize([1.0, -1.0, 0.5, -0.5, 0.0], n)
    noise -= noise.mean()
    return Effect(tuple(mean + deviation * noise / noise.std(ddof=1)))


def times(value, count):
    return dict.fromkeys(range(count), value)


UP, OPEN, DOWN = with_t(99.0), with_t(2.0), with_t(-999.0)


@pytest.mark.parametrize(
    ("question", "found", "verdict"),
    [
        (Question(), UP, HOLDS),
        (Question(), OPEN, UNDECIDED),
        (Question(), DOWN, FAILS),
        (Question(), Effect((None,) * 3), UNTRAINED),
        (COMPARABLE, near(0.0, 0.01), HOLDS),
        (COMPARABLE, near(1.0, 0.01), DEPENDS),  # half and twice of the margin disagree
        (COMPARABLE, near(9.0, 0.01), FAILS),
        (COMPARABLE, near(0.0, 9.0), UNDECIDED),
        (UP_TO, {0: 0.1, 1: 1.76}, HOLDS),
        (UP_TO, {0: 0.1, 1: 1.74}, UNDECIDED),
        (UP_TO, {0: None}, UNTRAINED),
        (Question(Asks.UP_TO, bound=1.8), {0: 1.76}, UNDECIDED),
        (ALWAYS, times(True, 8), HOLDS),
        (ALWAYS, times(True, 5), UNDECIDED),
        (ALWAYS, times(False, 13), FAILS),
        (ALWAYS, times(None, 5), UNTRAINED),
        (ALWAYS, {**times(True, 8), 8: None}, HOLDS),
    ],
)
def test_every_question_has_its_rule(question, found, verdict):
    assert question.answer(found).verdict == verdict


def test_numbers_are_truths_where_always_is_asked():
    assert ALWAYS.answer(times(np.True_, 8)).verdict == HOLDS
    assert ALWAYS.answer(times(0.0, 13)).verdict == FAILS


@pytest.mark.parametrize(
    ("fixed", "n", "above", "below"), [(None, 3, 0.985, 0.995), (10, 10, 0.95, 0.98)]
)
def test_replicates_that_were_fixed_beforehand_are_one_look(fixed, n, above, below):
    question, few = Question(fixed=fixed), 0.01
    holds, fails = critical(above, n - 1), critical(below, n - 1)
    assert question.answer(with_t(holds + few, n)).verdict == HOLDS
    assert question.answer(with_t(holds - few, n)).verdict == UNDECIDED
    assert question.answer(with_t(-fails - few, n)).verdict == FAILS
    assert question.answer(with_t(few - fails, n)).verdict == UNDECIDED


def test_a_stated_size_is_a_field_beside_the_direction():
    found = Question(size=2.0).answer(near(2.0, 0.1))
    assert (found.verdict, found.size) == (HOLDS, Size(2.0, REPRODUCED))
    tiny = Question(size=100.0).answer(near(0.001, 1.0))  # futile, and surely below half
    assert tiny.verdict == FAILS
    assert Question().answer(near(0.001, 1.0)).verdict == UNDECIDED


@pytest.mark.parametrize(
    ("which", "ways", "verdict"),
    [
        (Which.ALL, [UP, UP], HOLDS),
        (Which.ALL, [UP, OPEN], UNDECIDED),
        (Which.ALL, [UP, DOWN], FAILS),
        (Which.ALL, [UP, ABSENT], UNREACHABLE),
        (Which.SOME, [UP, DOWN], HOLDS),
        (Which.SOME, [OPEN, DOWN], UNDECIDED),
        (Which.SOME, [DOWN, DOWN], FAILS),
        (Which.SOME, [UP, ABSENT], HOLDS),
        (Which.MOST, [UP, UP, DOWN], HOLDS),
        (Which.MOST, [UP, DOWN], FAILS),
        (Which.MOST, [UP, OPEN, DOWN], UNDECIDED),
        (Which.MOST, [UP, ABSENT, DOWN], UNREACHABLE),
    ],
)
def test_a_list_is_judged_by_what_it_says_of_its_cases(which, ways, verdict):
    cases = {f"case {number}": effect for number, effect in enumerate(ways)}
    found = Question(cases=which).answer(cases)
    assert found.verdict == verdict
    assert [name for name, _ in found.parts] == list(cases)


@pytest.mark.parametrize(
    ("question", "cases", "verdict"),
    [
        (Question(Asks.ALWAYS, Which.ALL), [times(True, 8), times(True, 8)], HOLDS),
        (Question(Asks.ALWAYS, Which.SOME), [times(True, 13), times(False, 13)], HOLDS),
        (Question(Asks.ALWAYS, Which.MOST), [times(True, 8), times(False, 13)], FAILS),
        (Question(Asks.UP_TO, Which.ALL, bound=2.0), [{0: 2.0}, {0: 1.0}], UNDECIDED),
        (Question(Asks.UP_TO, Which.SOME, bound=2.0), [{0: 2.0}, {0: 1.0}], HOLDS),
        (
            Question(Asks.COMPARABLE, Which.ALL, margin=1.0),
            [near(0.0, 0.01), near(0.1, 0.01)],
            HOLDS,
        ),
        (
            Question(Asks.COMPARABLE, Which.ALL, margin=1.0),
            [near(0.0, 0.01), near(9.0, 0.01)],
            FAILS,
        ),
    ],
)
def test_any_question_can_be_asked_of_a_list(question, cases, verdict):
    assert question.answer(dict(zip("abcd", cases, strict=False))).verdict == verdict


@pytest.mark.parametrize("m", [1, 2, 5])
def test_of_many_cases_one_decides_only_at_the_level_of_their_number(m):
    few = 0.01
    fails, holds = critical(1 - 0.005 / m, 2), critical(1 - 0.0125 / m, 2)

    def answer(which, t, others):
        cases = {str(number): others for number in range(m - 1)}
        return Question(cases=which).answer({**cases, "last": with_t(t)}).verdict

    assert answer(Which.ALL, -fails - few, UP) == FAILS
    assert answer(Which.ALL, few - fails, UP) == UNDECIDED
    assert answer(Which.SOME, holds + few, OPEN) == HOLDS
    assert answer(Which.SOME, holds - few, OPEN) == UNDECIDED


def test_fixed_replicates_of_a_list_are_one_look_of_each_case():
    cases = dict.fromkeys("abc", with_t(critical(0.95, 9) + 0.05, 10))
    assert Question(cases=Which.ALL, fixed=10).answer(cases).verdict == HOLDS
    assert Question(cases=Which.ALL).answer(cases).verdict == UNDECIDED


@pytest.mark.parametrize(
    ("found", "marks", "verdict"),
    [
        ({"a": UP, "b": UP}, {}, HOLDS),
        ({"a": UP, "b": DOWN}, {}, DEPENDS),
        ({"a": DOWN, "b": DOWN}, {}, FAILS),
        ({"a": DOWN, "b": OPEN}, {}, UNDECIDED),
        ({"a": OPEN, "b": UP}, {"on_test_split": {"b"}}, UNDECIDED),
        ({"a": DOWN, "b": UP}, {"on_test_split": {"b"}}, DEPENDS),
        ({"a": UP, "b": DOWN}, {"afterwards": {"b"}}, HOLDS),
        ({"a": OPEN, "b": UP}, {"afterwards": {"b"}}, UNDECIDED),
        ({"a": DOWN, "b": UP}, {"afterwards": {"b"}}, DEPENDS),
        ({"a": UP, "b": DOWN}, {"afterwards": {"no reading"}}, DEPENDS),
        ({"a": UP, "b": ABSENT}, {}, HOLDS),
    ],
)
def test_readings_are_combined_with_their_marks(found, marks, verdict):
    judged = Question().answer(Readings(found), **marks)
    assert judged.verdict == verdict
    assert [name for name, _ in judged.parts] == ["a", "b"]
    said = {"afterwards": "b: {} [added afterwards]", "on_test_split": "b: {} [selects on the"}
    for mark, names in marks.items():
        expected = said[mark].format(dict(judged.parts)["b"].verdict)
        assert (expected in judged.reason) == ("b" in names)


@pytest.mark.parametrize("name", ["new", "new / x", "x / new"])
def test_a_reading_has_the_marks_of_the_choices_it_is_made_of(name):
    found = Readings({"old": DOWN, name: UP, "newer / x": DOWN})
    judged = Question().answer(found, afterwards={"new"}, on_test_split={"x"})
    assert judged.verdict == DEPENDS
    tested = name != "new"
    marks = "selects on the test split, added afterwards" if tested else "added afterwards"
    assert f"{name}: holds [{marks}]" in judged.reason
    assert "newer / x: fails [selects on the test split]" in judged.reason


def test_each_reading_of_a_list_is_a_list():
    question = Question(cases=Which.ALL)
    found = question.answer(Readings({"a": {"x": UP, "y": UP}, "b": {"x": UP, "y": DOWN}}))
    assert found.verdict == DEPENDS
    assert [dict(part.parts)["y"].verdict for _, part in found.parts] == [HOLDS, FAILS]


def test_what_a_function_has_judged_itself_stays():
    assert Question().answer(ABSENT) is ABSENT
    assert Question(cases=Which.ALL).answer(ABSENT) is ABSENT
    assert Question().answer(Readings({"a": ABSENT})) is ABSENT


@pytest.mark.parametrize(
    ("question", "found", "message"),
    [
        (Question(), {"a": UP}, "has cases None, and the function found a list"),
        (Question(cases=Which.ALL), UP, "has cases all, and the function found one case"),
        (Question(cases=Which.SOME), times(True, 3), "has cases some, and the function found one"),
        (Question(), times(1.0, 3), "accepted: an Effect where the effect asks sign"),
        (COMPARABLE, times(1.0, 3), "accepted: an Effect where the effect asks comparable"),
        (UP_TO, UP, "the function found an Effect; accepted: numbers"),
        (ALWAYS, UP, "the function found an Effect; accepted: numbers"),
        (Question(cases=Which.ALL), {"a": times(1.0, 3)}, "accepted: an Effect where"),
        (Question(), Readings({}), "none was listed before results were known"),
    ],
)
def test_a_function_that_found_something_else_than_was_asked_is_named(question, found, message):
    with pytest.raises(ValueError, match=message):
        question.answer(found)


def test_readings_that_were_all_added_afterwards_judge_nothing():
    with pytest.raises(ValueError, match="none was listed before results were known"):
        Question().answer(Readings({"a": DOWN}), afterwards={"a"})


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"asks": Asks.COMPARABLE}, "asks comparable with margin None"),
        ({"asks": Asks.UP_TO}, "asks up_to with bound None"),
        ({"margin": 1.0}, "asks sign with margin 1.0; accepted: margin where it asks comparable"),
        ({"bound": 1.0}, "asks sign with bound 1.0; accepted: bound where it asks up_to"),
        ({"asks": Asks.ALWAYS, "bound": 1.0}, "asks always with bound 1.0"),
        ({"asks": Asks.UP_TO, "bound": 1.0, "margin": 1.0}, "asks up_to with margin 1.0"),
        ({"asks": Asks.ALWAYS, "size": 1.0}, "size is that of one effect whose sign is asked"),
        ({"cases": Which.ALL, "size": 1.0}, "size is that of one effect whose sign is asked"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(asked, message):
    with pytest.raises(ValueError, match=message):
        Question(**asked)


@pytest.mark.parametrize(
    ("scale", "found", "verdict"),
    [
        ("laptop", {"a": DOWN, "b": ABSENT}, SCALE),
        ("laptop", {"a": DOWN, "b": OPEN}, UNDECIDED),
        ("laptop", {"a": DOWN, "b": UP}, DEPENDS),
        ("paper", {"a": DOWN, "b": ABSENT}, UNDECIDED),
    ],
)
def test_a_contrary_reading_below_paper_is_not_told_as_contrary(scale, found, verdict):
    judged = Question(contrary_as=contrary_verdict(scale)).answer(Readings(found))
    assert judged.verdict == verdict
    assert ("a: fails" in judged.reason) == (scale == "paper")


def test_margins_are_told_as_readings_are_but_cases_of_a_list_are_counted():
    one = replace(COMPARABLE, contrary_as=SCALE)
    judged = one.answer(near(1.5, 0.1))  # inside of twice the margin, outside of the others
    assert judged.verdict == DEPENDS
    assert [part.verdict for _, part in judged.parts] == [SCALE, SCALE, HOLDS]
    listed = replace(one, cases=Which.ALL).answer({"far": near(9.0, 0.01)})
    assert (listed.verdict, listed.counts.below) == (FAILS, 1)
    assert "margin 1: fails" in listed.parts[0][1].reason
