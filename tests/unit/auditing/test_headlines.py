"""What was found of a promise: at the scale that tells most, in sentences, and how sure."""

from dataclasses import fields

import pytest
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.headlines import decide_text, findings_of, summary, sure
from reactivate.auditing.rows import Row
from reactivate.experiment.loading import load_paper
from reactivate.experiment.quotes import Headline

CLAIM = "gmp/claims/gmp_best"
HEADLINE = {"says": "GmP is best.", "quote": "best", "lines": [1, 1]}


def row(verdict, claim=CLAIM, scale="paper", **changed):
    """A row of an audit with a verdict."""
    empty = {field.name: "" for field in fields(Row)}
    known = {"claim": claim, "verdict": verdict, "printed": "GmP is best.", "scale": scale}
    return Row(**{**empty, **known, **changed})


def found(claims=(), exhibits=(), **scales):
    """What was found of a headline, from rows by scale."""
    told = {scale: {each.claim: each for each in rows} for scale, rows in scales.items()}
    headline = Headline(**HEADLINE, claims=list(claims), exhibits=list(exhibits))
    return findings_of(load_paper("gmp"), headline, told)


@pytest.mark.parametrize(
    ("paper", "laptop", "told"),
    [
        ("holds", "undecided", "paper"),
        ("undecided", "holds", "paper"),
        ("not_run(compute)", "holds", "laptop"),
        ("not_comparable(untrained)", "undecided", "laptop"),
        ("not_run(compute)", "not_comparable(scale)", "laptop"),
        ("not_run(compute)", "not_run(data_unavailable)", "paper"),
        (None, "not_run(compute)", "laptop"),
    ],
)
def test_a_claim_is_told_at_the_first_scale_that_judges_it_or_compares_it(
    unrun, paper, laptop, told
):
    scales = {"paper": paper, "laptop": laptop}
    rows = {s: [row(verdict, scale=s)] if verdict else [] for s, verdict in scales.items()}
    (one,) = found(["gmp_best"], **rows)
    assert (one.scale, one.verdict, one.claim) == (told, scales[told], CLAIM)


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        ("holds", "It holds in our runs."),
        ("fails", "It does not hold in our runs."),
        ("confirmed(sampled(200))", "It has no counter-example in 200 cases that were drawn."),
        ("not_run(compute)", "It was not run, because it needs more computing than we had."),
    ],
)
def test_a_verdict_is_told_in_a_sentence(unrun, verdict, sentence):
    (one,) = found(["gmp_best"], paper=[row(verdict)])
    assert (one.says, one.about) == (sentence, "GmP is best.")


def test_one_claim_is_told_in_a_sentence_of_its_own(unrun):
    told = summary(found(["gmp_best"], paper=[row("holds")]))
    assert told.startswith("The one claim behind it, ")
    assert ", holds in our runs" in told


def test_a_claim_that_no_audit_has_is_not_told(unrun):
    assert found(["gmp_best"], paper=[]) == []


NUMBERS = {
    "boston": "reproduced",
    "concrete": "reproduced",
    "energy": "differs",
    "power": "undecided",
    "wine": "not_comparable(untrained)",
    "yacht": "depends",
}


def test_the_numbers_of_a_table_are_counted_at_the_scale_that_judged_most(unrun):
    judged = [row(v, f"gmp/table3/gmp/{data}") for data, v in NUMBERS.items()]
    few = [row("not_run(compute)", f"gmp/table3/gmp/{data}") for data in NUMBERS]
    one = row("reproduced", "gmp/table33/gmp/boston")  # of another table
    (told,) = found(exhibits=["table3"], paper=few, laptop=[*judged, one])
    assert (told.about, told.scale, told.verdict) == ("Table 3", "laptop", "")
    assert told.says == (
        "of 6 printed numbers 2 reproduced, 1 not reproduced, 1 right under some readings only, "
        "1 undecided, 1 not comparable."
    )


def test_equal_scales_tell_the_printed_one_and_no_numbers_tell_nothing(unrun):
    same = [row("reproduced", "gmp/table3/gmp/boston")]
    assert [each.scale for each in found(exhibits=["table3"], paper=same, laptop=same)] == [
        "paper"
    ]
    assert found(exhibits=["table3"], paper=[], laptop=[]) == []
    assert found(exhibits=["figure1"], paper=same) == []


@pytest.mark.parametrize(
    ("evidence", "text"),
    [
        (
            {"effect": "1.5", "low": "0.5", "high": "2.5", "level": "0.985", "n": "3"},
            "effect 1.5, 98.5% interval 0.5 to 2.5; 3 replicates",
        ),
        (
            {"effect": "1", "low": "0", "high": "2", "level": "0.95", "n": "1"},
            "effect 1, 95% interval 0 to 2; 1 replicate",
        ),
        ({"counts": "2 above 0, 1 open, 0 below 0", "n": "5"}, None),
        ({"cases": "200"}, "200 cases"),
        ({"cases": "1"}, "1 case"),
        (
            {"n": "2", "seeds_to_decide": "3"},
            "2 replicates; it takes at least 3 replicates to decide it",
        ),
        ({"n": "3", "seeds_to_decide": "17"}, "3 replicates; it takes 17 replicates to decide it"),
        (
            {"n": "5", "seeds_to_decide": "101", "core_hours": "12.345"},
            "5 replicates; it takes more than 100 replicates, about 12 core-hours to decide it",
        ),
        ({}, ""),
    ],
)
def test_how_sure_a_verdict_is(evidence, text):
    expected = "2 above 0, 1 open, 0 below 0; 5 replicates" if text is None else text
    assert sure(row("undecided", **evidence)) == expected


def test_claims_are_counted_by_paper_and_verdict_in_the_order_of_the_closed_list(unrun):
    judged = [
        ("gmp/claims/a", "holds"),
        ("gmp/claims/b", "confirmed(sampled(10))"),
        ("gmp/claims/c", "confirmed(sampled(200))"),
        ("gmp/claims/d", "not_run(quoted)"),
        ("gmp/claims/e", "not_run(compute)"),
        ("gmp/claims/f", "depends"),
    ]
    counts = verdict_counts(judged)["gmp"]
    assert list(counts.items()) == [
        ("not_run(compute)", 1),
        ("not_run(quoted)", 1),
        ("confirmed(sampled)", 2),
        ("holds", 1),
        ("depends", 1),
    ]
    with pytest.raises(ValueError, match="'order_holds' is no verdict"):
        verdict_counts([("gmp/claims/a", "order_holds")])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        ({"seeds_to_decide": "7", "n": "3"}, "7 replicates"),
        ({"seeds_to_decide": "7", "n": "2"}, "at least 7 replicates"),
        ({"seeds_to_decide": "7"}, "at least 7 replicates"),
        (
            {"seeds_to_decide": "7", "n": "5", "core_hours": "1.26"},
            "7 replicates, about 1.3 core-hours",
        ),
    ],
)
def test_what_would_decide_a_claim_is_said_if_it_is_open(changed, said):
    assert decide_text(row("undecided", **changed)) == said
