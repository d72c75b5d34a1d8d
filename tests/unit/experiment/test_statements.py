"""The form of a claim and of a finding: what is missing or too much is named."""

from datetime import date

import pytest
from pydantic import ValidationError
from reactivate.experiment.statements import Check, EffectForm, FindingForm, Reply, Statement
from reactivate.judging.looks import SEQUENTIAL
from reactivate.judging.questions import Asks, Which, question_of
from reactivate.judging.verdicts import Kind

FUNCTION = "reactivate.documents.gmp.boundary_claims:degrees_of_freedom"
BEST = {"exhibit": "table3", "best": "gmp"}
NUMBER = {"number": "log RMSE of SP minus that of GmP", "replicate": "a split"}
PASSAGE = {"quote": "the optimal learning rate is 0.1", "lines": [3, 3]}
CLAIM = {
    "says": "GmP is best.",
    "quote": "GmP consistently achieves the best test RMSE",
    "lines": [253, 253],
    "locator": "Section 4",
    "kind": "comparison",
    "check": BEST,
    "effect": NUMBER,
    "would_change": "A benchmark on which another is best.",
}
STATEMENT = {
    **{key: value for key, value in CLAIM.items() if key != "effect"},
    "kind": "statement",
    "check": {"function": FUNCTION},
}
FINDING = {"about": "program", "locator": "train.py:3", "says": "It watches the test split."}


def without(form, *keys):
    return {key: value for key, value in form.items() if key not in keys}


def problem(form, given):
    with pytest.raises(ValidationError) as error:
        form.model_validate(given)
    return "\n".join(str(part["msg"]) for part in error.value.errors())


@pytest.mark.parametrize(
    "given",
    [
        BEST,
        {"exhibit": "table3", "chance": 10.0, "rows": ["sp"]},
        {"exhibit": "table3", "chosen_lr": {"default": 0.1}, "protocol": "cv"},
        {"exhibit": "figure1", "judge": FUNCTION},
        {"function": FUNCTION},
        {"not_run": "data_unavailable", "why": "KITTI-Materials cannot be had."},
    ],
)
def test_a_check_asks_one_thing(given):
    found = Check.model_validate(given)
    assert found.model_dump(exclude_none=True) == given


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "needs exactly one of best, chance, chosen_lr, judge, function, not_run"),
        ({"exhibit": "table3"}, "needs exactly one of"),
        ({**BEST, "chance": 10.0}, "needs exactly one of"),
        ({"function": FUNCTION, "not_run": "compute", "why": "Long."}, "needs exactly one of"),
        ({"best": "gmp"}, "need an exhibit, function and not_run take none"),
        ({"judge": FUNCTION}, "need an exhibit, function and not_run take none"),
        ({"exhibit": "table3", "function": FUNCTION}, "function and not_run take none"),
        (
            {"exhibit": "table3", "not_run": "compute", "why": "Long."},
            "function and not_run take none",
        ),
        ({"not_run": "compute"}, "not_run needs why, in a sentence, and why needs not_run"),
        ({**BEST, "why": "Long."}, "why needs not_run"),
        (
            {"not_run": "tired", "why": "Long."},
            "not_run cannot have the detail 'tired'; accepted: 'compute', 'data_unavailable'",
        ),
        ({"not_run": "scale", "why": "Small."}, "not_run cannot have the detail 'scale'"),
        ({"function": "os:system"}, "String should match pattern"),
        ({**BEST, "better": "larger"}, "'lower' or 'higher'"),
        ({**BEST, "where": "every"}, "unknown key 'where'"),
    ],
)
def test_a_check_that_asks_nothing_or_too_much_is_named(given, message):
    assert message in problem(Check, given)


def test_an_effect_is_a_question_with_the_replicates_of_its_scale():
    given = {**NUMBER, "cases": "most", "fixed": {"paper": 10}, "shared": "split"}
    found = EffectForm.model_validate(given)
    assert question_of(found, "paper").plan.looks == (10,)
    assert question_of(found, "laptop").plan == SEQUENTIAL
    assert (question_of(found, "laptop").asks, question_of(found, "laptop").cases) == (
        Asks.SIGN,
        Which.MOST,
    )


def test_an_effect_hands_its_numbers_to_the_question():
    sized = question_of(EffectForm.model_validate({**NUMBER, "size": 0.5}), "paper")
    within = EffectForm.model_validate({**NUMBER, "asks": "comparable", "margin": 0.2})
    above = {**NUMBER, "asks": "up_to", "bound": 1.8, "half_unit": 0.05}
    reached = question_of(EffectForm.model_validate(above), "paper")
    assert sized.size == 0.5
    assert (question_of(within, "paper").asks, question_of(within, "paper").margin) == (
        Asks.COMPARABLE,
        0.2,
    )
    assert (reached.asks, reached.bound, reached.half_unit) == (Asks.UP_TO, 1.8, 0.05)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"asks": "comparable"}, "asks comparable with margin None; accepted: margin where"),
        ({"asks": "up_to"}, "asks up_to with bound None"),
        ({"margin": 0.1}, "asks sign with margin 0.1"),
        ({"asks": "always", "size": 0.1}, "size is that of one effect whose sign is asked"),
        ({"cases": "all", "size": 0.1}, "not of a list"),
        ({"asks": "often"}, "'sign', 'comparable', 'up_to' or 'always'"),
        ({"cases": "many"}, "'all', 'some' or 'most'"),
        ({"size": 0.0}, "greater than 0"),
        ({"asks": "comparable", "margin": -1.0}, "greater than 0"),
        ({"asks": "up_to", "bound": 1.0, "half_unit": -1.0}, "greater than or equal to 0"),
        ({"fixed": 10}, "valid dictionary"),
        ({"paired": "split"}, "unknown key 'paired'"),
    ],
)
def test_an_effect_that_cannot_be_judged_is_named(changes, message):
    assert message in problem(EffectForm, {**NUMBER, **changes})


@pytest.mark.parametrize("key", ["number", "replicate"])
def test_an_effect_is_a_number_of_a_replicate(key):
    assert problem(EffectForm, without(NUMBER, key)) == "Field required"


@pytest.mark.parametrize(
    "given",
    [
        CLAIM,
        STATEMENT,
        {**STATEMENT, "kind": "number"},
        {**without(CLAIM, "effect"), "check": {"not_run": "compute", "why": "Weeks."}},
        {**without(STATEMENT, "check"), "misprint": PASSAGE},
        {**without(STATEMENT, "check"), "contradicts": PASSAGE},
        {**without(CLAIM, "check", "effect"), "contradicts": PASSAGE},
    ],
)
def test_a_claim_is_judged_one_way(given):
    found = Statement.model_validate(given)
    assert found.kind == Kind(given["kind"])
    assert [found.check, found.misprint, found.contradicts].count(None) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (without(STATEMENT, "check"), "exactly one of check, misprint and contradicts"),
        ({**STATEMENT, "misprint": PASSAGE}, "exactly one of check, misprint and contradicts"),
        (
            {**without(STATEMENT, "check"), "misprint": PASSAGE, "contradicts": PASSAGE},
            "exactly one of check, misprint and contradicts",
        ),
        (without(CLAIM, "effect"), "a comparison needs effect: one number per replicate"),
        ({**STATEMENT, "effect": NUMBER}, "a statement has no effect; only a comparison has"),
        (
            {**STATEMENT, "kind": "number", "effect": NUMBER},
            "a number has no effect; only a comparison has",
        ),
        ({**STATEMENT, "kind": "order"}, "'statement', 'number' or 'comparison'"),
        (without(STATEMENT, "would_change"), "Field required"),
        (without(STATEMENT, "quote"), "Field required"),
        ({**STATEMENT, "text": "lost"}, "'damaged'"),
        ({**STATEMENT, "misprint": {"quote": "a", "lines": [3, 2]}}, "are no lines"),
    ],
)
def test_a_claim_that_is_judged_otherwise_is_named(given, message):
    assert message in problem(Statement, given)


def test_an_author_can_reply():
    reply = {"author": "A. Author", "date": date(2027, 1, 31), "says": "Ten splits are few."}
    assert Statement.model_validate({**CLAIM, "reply": reply}).reply == Reply(**reply)
    assert problem(Reply, without(reply, "date")) == "Field required"
    assert "valid date" in problem(Reply, {**reply, "date": "last week"})
    assert "unknown key 'verdict'" in problem(Reply, {**reply, "verdict": "holds"})


def test_a_finding_quotes_as_claims_do():
    found = FindingForm.model_validate({**FINDING, "quote": "with signs", "lines": [7, 8]})
    (passage,) = found.quotation.passages
    assert (passage.words, passage.first, passage.last) == ("with signs", 7, 8)
    assert FindingForm.model_validate(FINDING).quotation is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"about": "author"}, "'program', 'cited', 'choice', 'reading' or 'text'"),
        ({"quote": "words without lines"}, "Field required"),
        ({"quote": [], "lines": [1, 1]}, "[] is no quotation"),
        ({"lines": [1, 1]}, "unknown key 'lines'"),
        ({"verdict": "refuted"}, "unknown key 'verdict'"),
        ({"check": {}}, "needs exactly one of"),
        ({"would_change": "Nothing."}, "unknown key 'would_change'"),
    ],
)
def test_a_finding_of_another_form_is_named(changes, message):
    assert message in problem(FindingForm, {**FINDING, **changes})
