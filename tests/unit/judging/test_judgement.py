"""A judgement with its evidence: kept in files, and read from them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging.intervals import Interval
from reactivate.judging.judgement import MANY, CaseCounts, Judgement, Size, hours_to_decide
from reactivate.judging.verdicts import DETAILS, FAILS, HOLDS, UNDECIDED, Ruling, Verdict

WORDS = st.text(st.characters(exclude_characters="\n", codec="utf-8"), min_size=1, max_size=20)
VERDICTS = st.sampled_from(
    [
        *(Verdict(ruling) for ruling in Ruling if ruling not in DETAILS),
        *(Verdict(r, word) for r, words in DETAILS.items() for word in words if word != "sampled"),
        Verdict(Ruling.CONFIRMED, "sampled(17)"),
    ]
)
NUMBERS = st.floats(allow_nan=False)
COUNTS = st.integers(0, 200)


def judgements(parts):
    """Judgements with any evidence, and with these parts."""
    return st.builds(
        Judgement,
        VERDICTS,
        WORDS,
        mean=st.none() | NUMBERS,
        intervals=st.lists(st.builds(Interval, NUMBERS, NUMBERS, NUMBERS), max_size=2).map(tuple),
        n=st.none() | COUNTS,
        cases=st.none() | COUNTS,
        unlearned=COUNTS,
        size=st.none() | st.builds(Size, NUMBERS, VERDICTS),
        counts=st.none() | st.builds(CaseCounts, COUNTS, COUNTS, COUNTS, COUNTS),
        seeds_to_decide=st.none() | COUNTS,
        would_change=st.just("") | WORDS,
        scale=st.sampled_from(["", "laptop"]),
        overrides=st.just("") | WORDS,
        parts=parts,
    )


def of_parts(depth):
    """Judgements of judgements, so many deep."""
    if depth == 0:
        return judgements(st.just(()))
    return judgements(st.lists(st.tuples(WORDS, of_parts(depth - 1)), max_size=2).map(tuple))


@given(of_parts(2))
def test_a_judgement_survives_its_file(judgement):
    kept = json.loads(json.dumps(judgement.as_json()))
    assert Judgement.from_json(kept) == judgement


def test_a_file_keeps_what_is_not_the_default_and_verdicts_as_their_texts():
    found = Judgement(
        Verdict.parse("not_comparable(scale)"),
        "small",
        intervals=(Interval(-1.0, 2.0, 0.985),),
        n=0,
        size=Size(0.5, FAILS),
        counts=CaseCounts(1, 2, 3),
        parts=(("case", Judgement(HOLDS, "so")),),
    )
    assert found.as_json() == {
        "verdict": "not_comparable(scale)",
        "reason": "small",
        "intervals": [[-1.0, 2.0, 0.985]],
        "n": 0,
        "size": {"stated": 0.5, "verdict": "fails"},
        "counts": {"above": 1, "open": 2, "below": 3, "unjudged": 0},
        "parts": [["case", {"verdict": "holds", "reason": "so"}]],
    }


@pytest.mark.parametrize(
    "kept",
    [
        {},
        [],
        None,
        {"verdict": "holds"},
        {"verdict": "order_holds", "reason": "so"},
        {"verdict": 3, "reason": "so"},
        {"verdict": "holds", "reason": "so", "p": 0.05},
        {"verdict": "holds", "reason": ""},
        {"verdict": "holds", "reason": "so", "intervals": [[1.0, 2.0]]},
        {"verdict": "holds", "reason": "so", "size": {"stated": 1.0}},
        {"verdict": "holds", "reason": "so", "counts": [1, 2, 3]},
        {"verdict": "holds", "reason": "so", "parts": [["case"]]},
        {"verdict": "holds", "reason": "so", "parts": [["case", {}]]},
    ],
)
def test_anything_else_in_a_file_is_no_judgement(kept):
    with pytest.raises(ValueError, match=r"\S"):
        Judgement.from_json(kept)


def test_hours_are_those_of_the_replicates_that_are_missing():
    found = Judgement(UNDECIDED, "open", n=5, seeds_to_decide=17)
    assert hours_to_decide(found, 600.0) == pytest.approx(2.0)
    assert hours_to_decide(Judgement(UNDECIDED, "open", seeds_to_decide=MANY), 36.0) == 1.01
    assert hours_to_decide(Judgement(HOLDS, "so", n=5), 600.0) is None
