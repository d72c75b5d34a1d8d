"""The intervals that are drawn are those that were judged."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.auditing.forest import intervals_of, plots
from reactivate.auditing.rows import BETWEEN_PARTS, Row, judged_fields
from reactivate.experiment.loading import load_paper
from reactivate.experiment.quotes import Headline
from reactivate.judging.judgement import Judgement
from reactivate.judging.looks import SEQUENTIAL, fixed, judge
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import Verdict

CLAIM, NUMBER = "gmp/claims/gmp_best", "gmp/table3/gmp/boston"
INTERVAL = {"effect": "1.5", "low": "0.5", "high": "2.5", "level": "0.985", "n": "3"}


def row(claim=CLAIM, verdict="holds", **changed):
    empty = {field.name: "" for field in fields(Row)}
    return Row(**{**empty, "claim": claim, "verdict": verdict, "scale": "paper", **changed})


def drawn(**scales):
    headline = Headline(
        says="Best.", quote="best", lines=[1, 1], claims=["gmp_best"], exhibits=["table3"]
    )
    rows = {scale: {each.claim: each for each in told} for scale, told in scales.items()}
    return plots(load_paper("gmp"), headline, rows)


@given(
    values=st.lists(
        st.integers(-(10**6), 10**6).map(lambda x: x / 1000),
        min_size=3,
        max_size=3,
        unique=True,
    ),
    name=st.sampled_from(["SP", "r025: scrfp2_000", "21 points / sgd, 1 a step", "bn: relu"]),
    plan=st.sampled_from([SEQUENTIAL, fixed(3), SEQUENTIAL.at_levels(holds=1 - 0.0125 / 7)]),
)
def test_what_judging_words_is_read_back(values, name, plan):
    part = judge(Effect(tuple(values)), plan)
    whole = Judgement(Verdict.parse("undecided"), "open", parts=((name, part), ("other", part)))
    first, second = intervals_of(row(**judged_fields(whole) | {"would_change": ""}), "paper")
    level = plan.fails if str(part.verdict) == "fails" else plan.holds
    (shown,) = [one for one in part.intervals if one.level == level]
    assert (first.label, second.label) == (name, "other")
    assert first.verdict == str(part.verdict)
    assert (first.mean, first.low, first.high) == (
        pytest.approx(part.mean, rel=1e-3),
        pytest.approx(shown.low, rel=1e-3),
        pytest.approx(shown.high, rel=1e-3),
    )
    assert first.level == pytest.approx(100 * shown.level, rel=1e-4)
    assert first.n == 3


def test_parts_without_an_interval_are_left_out():
    parts = BETWEEN_PARTS.join(
        [
            "relu: undecided: 1 of at least 3 replicates, which say nothing of chance",
            "top1: relu: not_comparable(untrained): in none of 1 replicates have all learned",
            "gelu: fails: effect -0.3, -0.4 to -0.2 (98 %), n = 50",
            "odd: undecided: effect inf, -inf to inf (95 %), n = 3",
        ]
    )
    (line,) = intervals_of(row(parts=parts), "paper")
    assert (line.label, line.verdict, line.mean) == ("gelu", "fails", -0.3)
    assert (line.low, line.high, line.level, line.n) == (-0.4, -0.2, 98, 50)


PARTS = BETWEEN_PARTS.join(
    f"{name}: {verdict}: effect {mean}, {mean - 1} to {mean + 1} (95 %), n = 10"
    for name, verdict, mean in [("a", "holds", 2), ("b", "fails", -2)]
)


def test_a_claim_is_one_line_unless_its_readings_disagree(unrun):
    one = drawn(paper=[row(**INTERVAL, parts=PARTS)])["effects"]
    assert [(line["label"], line["mean"], line["low"], line["high"]) for line in one] == [
        ("", 1.5, 0.5, 2.5)
    ]
    assert one[0]["level"] == pytest.approx(98.5)
    assert (one[0]["printed"], one[0]["spread"]) == ("", 0.0)  # of a number alone
    each = drawn(paper=[row(verdict="depends", **INTERVAL, parts=PARTS)])["effects"]
    assert [(line["label"], line["verdict"]) for line in each] == [("a", "holds"), ("b", "fails")]
    cases = drawn(paper=[row(verdict="undecided", parts=PARTS)])["effects"]
    assert [line["label"] for line in cases] == ["a", "b"]


def test_scales_stand_beside_each_other_and_what_was_not_judged_is_left_out(unrun):
    found = drawn(
        paper=[row(**INTERVAL)],
        laptop=[row(verdict="undecided", **INTERVAL)],
        smoke=[row(verdict="not_comparable(scale)", **INTERVAL)],
    )
    assert [(line["scale"], line["verdict"]) for line in found["effects"]] == [
        ("paper", "holds"),
        ("laptop", "undecided"),
    ]
    assert "numbers" not in found


def test_numbers_are_drawn_in_percent_of_what_is_printed(unrun):
    ours = {"effect": "0.5", "low": "-1", "high": "2", "level": "0.95", "n": "10"}
    found = drawn(
        paper=[
            row(NUMBER, "reproduced", printed="4.00±0.20", **ours),
            row("gmp/table33/gmp/boston", "reproduced", printed="4", **ours),
            row("gmp/table3/sp/boston", "reproduced", printed="0", **ours),
            row("gmp/table3/bn/boston", "confirmed(exhaustive)", printed="4"),
            row("gmp/table3/wn/boston", "not_comparable(scale)", printed="4", **ours),
        ]
    )
    (line,) = found["numbers"]
    assert line["claim"] == NUMBER
    assert (line["mean"], line["low"], line["high"], line["spread"]) == (12.5, -25, 50, 5)
    assert (line["printed"], line["n"]) == ("4.00±0.20", 10)
