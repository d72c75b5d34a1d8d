"""Exact work: each function gives one verdict of the closed list, with its cases."""

import pytest
from reactivate.judging.exact import checked, not_comparable, not_run, proved, refuted, sampled
from reactivate.judging.verdicts import Kind

WHY = "because"
FOUND = {
    "a proof": (proved(WHY), "confirmed(proof)", None),
    "every case, all true": (checked(True, WHY, cases=12), "confirmed(exhaustive)", 12),
    "every case, one false": (checked(False, WHY, cases=12), "refuted", 12),
    "drawn cases, all true": (sampled(True, WHY, cases=200), "confirmed(sampled(200))", 200),
    "drawn cases, one false": (sampled(False, WHY, cases=200), "refuted", 200),
    "a counter-example": (refuted(WHY), "refuted", 1),
    "several counter-examples": (refuted(WHY, cases=3), "refuted", 3),
    "too long": (not_run("compute", WHY), "not_run(compute)", None),
    "another network": (not_comparable("network", WHY), "not_comparable(network)", None),
}


@pytest.mark.parametrize("way", FOUND)
def test_exact_work_has_cases_and_no_replicates(way):
    judgement, verdict, cases = FOUND[way]
    assert (str(judgement.verdict), judgement.cases, judgement.reason) == (verdict, cases, WHY)
    assert (judgement.n, judgement.mean, judgement.intervals) == (None, None, ())
    assert judgement.unlearned == 0


@pytest.mark.parametrize("way", FOUND)
def test_exact_work_judges_statements(way):
    assert FOUND[way][0].verdict.may_judge(Kind.STATEMENT)


def test_no_counter_example_is_worded_with_the_number_of_draws():
    assert sampled(True, WHY, cases=200).verdict.sentence == (
        "has no counter-example in 200 cases that were drawn"
    )


@pytest.mark.parametrize("make", [not_run, not_comparable])
def test_a_reason_that_is_not_in_the_list_is_refused(make):
    with pytest.raises(ValueError, match="cannot have the detail 'tired'; accepted: "):
        make("tired", WHY)


@pytest.mark.parametrize("cases", [0, -1])
def test_nothing_is_confirmed_by_no_draws(cases):
    with pytest.raises(ValueError, match="cannot have the detail"):
        sampled(True, WHY, cases=cases)


@pytest.mark.parametrize("reason", ["", "two\nlines"])
def test_a_reason_is_one_line(reason):
    with pytest.raises(ValueError, match="accepted: one line of text"):
        proved(reason)
