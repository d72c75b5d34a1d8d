"""Readings and choices: which verdict several of them leave."""

from itertools import product

import pytest
from reactivate.judging.intervals import Interval
from reactivate.judging.judgement import Judgement
from reactivate.judging.readings import Reading, combine, soften_by
from reactivate.judging.verdicts import (
    DATA,
    DEPENDS,
    DIFFERS,
    FAILS,
    HOLDS,
    REFUTED,
    REPRODUCED,
    SCALE,
    UNDECIDED,
    Verdict,
)

VERDICTS = (HOLDS, FAILS, UNDECIDED, SCALE)
FLAGS = tuple(product((False, True), repeat=2))


def reading(verdict, on_test_split=False, afterwards=False, seeds=None):
    judgement = Judgement(verdict, f"because {verdict}", seeds_to_decide=seeds)
    return Reading(f"reading {verdict}", judgement, on_test_split, afterwards)


KINDS = [reading(verdict, *flags) for verdict in VERDICTS for flags in FLAGS]
COMBINATIONS = [
    list(chosen)
    for count in (1, 2, 3)
    for chosen in product(KINDS, repeat=count)
    if not all(r.afterwards for r in chosen)
]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([HOLDS], HOLDS),
        ([FAILS], FAILS),
        ([UNDECIDED], UNDECIDED),
        ([SCALE], SCALE),
        ([HOLDS, FAILS], DEPENDS),
        ([HOLDS, FAILS, UNDECIDED], DEPENDS),
        ([REPRODUCED, DIFFERS], DEPENDS),
        ([FAILS, FAILS], FAILS),
        ([FAILS, UNDECIDED], UNDECIDED),
        ([FAILS, SCALE], UNDECIDED),
        ([HOLDS, UNDECIDED], HOLDS),
        ([UNDECIDED, HOLDS], HOLDS),
        ([UNDECIDED, UNDECIDED], UNDECIDED),
        ([SCALE, SCALE], SCALE),
        ([SCALE, UNDECIDED], UNDECIDED),
        ([DEPENDS, HOLDS], DEPENDS),
        ([SCALE, Verdict.parse("not_run(compute)")], Verdict.parse("not_run(compute)")),
    ],
)
def test_readings_are_combined_as_stated(verdicts, expected):
    assert combine([reading(verdict) for verdict in verdicts]).verdict == expected


@pytest.mark.parametrize(
    ("listed", "on_test", "expected"),
    [
        (FAILS, HOLDS, DEPENDS),
        (UNDECIDED, HOLDS, UNDECIDED),
        (SCALE, HOLDS, UNDECIDED),
        (HOLDS, HOLDS, HOLDS),
        (HOLDS, FAILS, DEPENDS),
        (FAILS, FAILS, FAILS),
    ],
)
def test_selection_on_the_test_split_excuses_but_never_confirms(listed, on_test, expected):
    found = combine([reading(listed), reading(on_test, on_test_split=True)])
    assert found.verdict == expected
    assert "selects on the test split" in found.reason


def test_selection_on_the_test_split_alone_confirms_nothing():
    assert combine([reading(HOLDS, on_test_split=True)]).verdict == UNDECIDED


@pytest.mark.parametrize(
    ("listed", "later", "expected"),
    [
        (FAILS, HOLDS, DEPENDS),
        (FAILS, UNDECIDED, UNDECIDED),
        (FAILS, FAILS, FAILS),
        (UNDECIDED, HOLDS, UNDECIDED),
        (UNDECIDED, FAILS, UNDECIDED),
        (HOLDS, FAILS, HOLDS),
    ],
)
def test_a_reading_added_afterwards_only_softens(listed, later, expected):
    found = combine([reading(listed), reading(later, afterwards=True)])
    assert found.verdict == expected
    assert "added afterwards" in found.reason


def test_whatever_the_readings_an_accusation_needs_them_all():
    accused = [chosen for chosen in COMBINATIONS if combine(chosen).verdict == FAILS]
    assert accused
    assert all(r.verdict == FAILS for chosen in accused for r in chosen)


def test_whatever_the_readings_a_confirmation_needs_one_that_is_fair_and_none_contrary():
    confirmed = [chosen for chosen in COMBINATIONS if combine(chosen).verdict == HOLDS]
    assert confirmed
    for chosen in confirmed:
        listed = [r for r in chosen if not r.afterwards]
        assert any(r.verdict == HOLDS and not r.on_test_split for r in listed)
        assert all(r.verdict != FAILS for r in listed)


def test_whatever_the_readings_a_later_one_leaves_all_but_accusations():
    for chosen in COMBINATIONS:
        listed = [r for r in chosen if not r.afterwards]
        before, after = combine(listed).verdict, combine(chosen).verdict
        assert after == before or (before == FAILS and after in (DEPENDS, UNDECIDED))


def test_the_order_of_readings_does_not_matter():
    for chosen in COMBINATIONS:
        assert combine(chosen).verdict == combine(chosen[::-1]).verdict


def test_readings_need_one_that_was_listed_before():
    with pytest.raises(ValueError, match="none was listed"):
        combine([reading(FAILS, afterwards=True)])
    with pytest.raises(ValueError, match="none was listed"):
        combine([])


def test_each_reading_is_shown_with_its_verdict():
    found = combine([reading(HOLDS), reading(FAILS)])
    assert [(name, part.verdict) for name, part in found.parts] == [
        ("reading holds", HOLDS),
        ("reading fails", FAILS),
    ]
    assert "reading holds: holds" in found.reason
    assert "reading is meant" in found.would_change
    assert "(" not in found.reason  # no reading has the verdict of all
    agreed = combine([reading(HOLDS), reading(UNDECIDED)])
    assert agreed.reason.endswith(f"({reading(HOLDS).judgement.reason})")


def test_one_reading_is_its_own_judgement():
    alone = reading(HOLDS)
    assert combine([alone]) is alone.judgement


def test_an_open_claim_needs_the_fewest_seeds_of_its_readings():
    found = combine([reading(UNDECIDED, seeds=40), reading(UNDECIDED, seeds=20)])
    assert found.seeds_to_decide == 20
    assert combine([reading(HOLDS), reading(UNDECIDED, seeds=20)]).seeds_to_decide is None


@pytest.mark.parametrize("verdict", [FAILS, DIFFERS, REFUTED])
def test_what_was_not_computed_under_every_reading_is_no_accusation(verdict):
    accused = Judgement(verdict, "below 0", mean=-1.0, n=5)
    found = soften_by(accused, ["margin: 0.5", "loss: mae"])
    assert found.verdict == UNDECIDED
    assert (found.mean, found.n) == (-1.0, 5)
    assert [name for name, _ in found.parts] == ["as chosen", "margin: 0.5", "loss: mae"]
    assert f"as chosen: {verdict}; margin: 0.5: not_run(compute)" in found.reason


@pytest.mark.parametrize("verdict", [FAILS, DIFFERS, REFUTED])
def test_an_accusation_under_every_reading_stays(verdict):
    accused = Judgement(verdict, "below 0")
    assert soften_by(accused, []) is accused


@pytest.mark.parametrize("verdict", [HOLDS, REPRODUCED, UNDECIDED, DEPENDS, SCALE])
def test_what_accuses_nobody_is_not_softened(verdict):
    judgement = Judgement(verdict, "so")
    assert soften_by(judgement, ["loss: mae"]) is judgement


UNTRAINED = Verdict.parse("not_comparable(untrained)")


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([FAILS, UNTRAINED], SCALE),
        ([UNTRAINED, UNTRAINED, FAILS], UNTRAINED),
        ([DIFFERS, UNTRAINED], SCALE),
        ([FAILS, UNDECIDED], UNDECIDED),
        ([UNTRAINED, UNDECIDED, FAILS], UNDECIDED),
        ([FAILS, FAILS], FAILS),
        ([FAILS], FAILS),
        ([HOLDS, FAILS], DEPENDS),  # the contrary one may come from the scale, and not vanish
        ([HOLDS, UNTRAINED, FAILS], DEPENDS),
        ([HOLDS, UNDECIDED], HOLDS),
        ([UNDECIDED, UNDECIDED], UNDECIDED),
        ([REFUTED, UNTRAINED], UNDECIDED),  # exact work has no scale
    ],
)
def test_a_contrary_reading_that_the_scale_may_cause_counts_as_not_comparable(verdicts, expected):
    assert combine([reading(verdict) for verdict in verdicts], SCALE).verdict == expected


def test_no_reading_is_told_as_contrary_where_the_scale_may_be_the_cause():
    for chosen in [chosen for chosen in COMBINATIONS if len(chosen) > 1]:
        found = combine(chosen, SCALE)
        assert FAILS not in [part.verdict for _, part in found.parts]
        assert ": fails" not in found.reason
        raw = combine(chosen)
        assert found.verdict == raw.verdict or (raw.verdict, found.verdict) == (UNDECIDED, SCALE)


def test_a_contrary_reading_that_the_scale_may_cause_keeps_its_evidence():
    interval = Interval(-2.0, -0.5, 0.995)
    below = Judgement(FAILS, "below 0", mean=-1.0, intervals=(interval,), n=5, seeds_to_decide=8)
    found = combine([Reading("a", below), reading(UNTRAINED)], DATA)
    assert (found.verdict, found.mean, found.intervals, found.n) == (DATA, -1.0, (interval,), 5)
    assert found.seeds_to_decide is None
    assert found.would_change == "runs with the printed settings at the printed scale"
    assert found.reason.startswith("a: not_comparable(data); reading not_comparable(untrained): ")
    assert found.reason.endswith("(contrary below the printed scale; below 0)")
    assert dict(found.parts)["a"].intervals == (interval,)


def test_what_the_scale_may_cause_is_not_softened_by_readings_that_were_not_computed():
    for verdict in (FAILS, DIFFERS):
        accused = Judgement(verdict, "below 0")
        assert soften_by(accused, ["loss: mae"], SCALE) is accused
    refuted = Judgement(REFUTED, "counted")
    assert soften_by(refuted, ["loss: mae"], SCALE).verdict == UNDECIDED
