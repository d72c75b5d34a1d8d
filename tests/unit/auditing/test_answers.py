"""The answer to a headline never says more than the verdicts behind it."""

from itertools import product

import pytest
from reactivate.auditing.answers import MEANS, TONES, WORDS, Answer, Kind, answer_of, sentence
from reactivate.auditing.headlines import Found

VERDICTS = (
    "confirmed(proof)",
    "confirmed(sampled(20))",
    "holds",
    "refuted",
    "self_contradictory",
    "fails",
    "depends",
    "undecided",
    "misprint",
    "not_comparable(scale)",
    "not_run(compute)",
)
FOR = {"confirmed(proof)", "confirmed(sampled(20))", "holds"}
AGAINST = {"refuted", "self_contradictory", "fails"}


def claim(verdict, scale="paper"):
    return Found("A claim.", "gmp/claims/a", scale, verdict, "It is.", "")


def numbers(**counts):
    return Found("Table 1", "", "paper", "", "of 2 printed numbers", "", counts)


def kind(*verdicts, tables=()):
    return answer_of([*map(claim, verdicts), *tables]).kind


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["confirmed(proof)", "confirmed(exhaustive)"], Kind.TRUE),
        (["confirmed(proof)", "misprint"], Kind.TRUE),
        (["confirmed(proof)", "confirmed(sampled(9))"], Kind.HOLDS),
        (["confirmed(proof)", "holds"], Kind.HOLDS),
        (["holds", "undecided"], Kind.PARTLY),
        (["holds", "not_comparable(scale)"], Kind.PARTLY),
        (["holds", "depends"], Kind.DEPENDS),
        (["holds", "refuted"], Kind.IN_PART),
        (["refuted", "undecided"], Kind.IN_PART),
        (["self_contradictory", "not_run(compute)"], Kind.IN_PART),
        (["refuted", "fails"], Kind.NO),
        (["undecided", "not_run(compute)"], Kind.UNDECIDED),
        (["not_run(compute)", "not_comparable(scale)"], Kind.UNTESTED),
        (["misprint"], Kind.UNTESTED),
        ([], Kind.UNTESTED),
    ],
)
def test_an_answer_follows_from_the_verdicts(verdicts, expected):
    assert kind(*verdicts) == expected


def test_no_answer_says_more_than_its_verdicts():
    for verdicts in product(VERDICTS, repeat=3):
        check(verdicts)


def check(verdicts):
    given, counted = set(verdicts) - {"misprint"}, answer_of(map(claim, verdicts))
    if counted.kind in (Kind.TRUE, Kind.HOLDS):
        assert given <= FOR
    if counted.kind == Kind.TRUE:
        assert given == {"confirmed(proof)"}
    if counted.kind in (Kind.NO, Kind.IN_PART):
        assert given & AGAINST
    else:
        assert not given & AGAINST
    if counted.kind == Kind.NO:
        assert given <= AGAINST
    assert counted.favourable == sum(v in FOR for v in verdicts)
    assert counted.against == sum(v in AGAINST for v in verdicts)
    assert counted.claims == 3


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"confirmed": 2}, Kind.TRUE),
        ({"reproduced": 2, "misprint": 1}, Kind.TRUE),
        ({"reproduced": 2, "not_run": 1}, Kind.PARTLY),
        ({"differs": 1}, Kind.PARTLY),
    ],
)
def test_a_headline_with_numbers_that_are_open_is_not_true(counts, expected):
    assert kind("confirmed(proof)", tables=[numbers(**counts)]) == expected


def test_numbers_alone_give_no_answer():
    assert kind(tables=[numbers(reproduced=4)]) == Kind.UNTESTED


def test_a_smaller_scale_is_named_and_exact_work_has_none():
    mixed = answer_of([claim("holds", "laptop"), claim("confirmed(proof)", "smoke")])
    assert mixed.words == f"{WORDS[Kind.HOLDS]}, at the smaller scale laptop"
    assert answer_of([claim("holds", "paper")]).words == WORDS[Kind.HOLDS]
    assert answer_of([claim("undecided", "laptop")]).words == "Undecided"


@pytest.mark.parametrize(
    ("sides", "told"),
    [
        ((0, 0, 0), "no claim behind it could be checked"),
        ((0, 0, 1), "of 1 claim behind it none decided"),
        ((2, 0, 5), "of 5 claims behind it 2 for it"),
        ((1, 2, 5), "of 5 claims behind it 1 for it, 2 against it"),
        ((0, 2, 2), "of 2 claims behind it 2 against it"),
    ],
)
def test_claims_are_counted_on_both_sides(sides, told):
    assert Answer(Kind.UNDECIDED, *sides, ()).counted == told


def test_a_document_is_told_in_one_sentence():
    def of(*kinds):
        return sentence(Answer(kind, 0, 0, 1, ()) for kind in kinds)

    assert of() == "It makes no headline claim."
    assert of(Kind.NO) == "Its one headline claim is not true as stated."
    assert of(Kind.UNDECIDED, Kind.TRUE, Kind.UNDECIDED) == (
        "Of 3 headline claims 1 is true; 2 are undecided."
    )


def test_every_answer_has_words_a_tone_and_both_numbers():
    assert WORDS.keys() == TONES.keys() == MEANS.keys() == set(Kind)
