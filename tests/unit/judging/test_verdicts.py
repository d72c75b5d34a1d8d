"""The closed list: forms in files, sentences for people, kinds of claims, precedence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reactivate.judging import verdicts
from reactivate.judging.judgement import MANY, Judgement, hours_to_decide, replicates_text
from reactivate.judging.verdicts import Kind, Ruling, Verdict, first_applicable

FORMS = {  # the table of the specification, written out
    "not_run(compute)": "snc",
    "not_run(data_unavailable)": "snc",
    "not_run(underspecified)": "snc",
    "not_run(quoted)": "snc",
    "not_comparable(scale)": "snc",
    "not_comparable(untrained)": "snc",
    "not_comparable(unreachable)": "snc",
    "not_comparable(network)": "snc",
    "not_comparable(data)": "snc",
    "not_comparable(hardware)": "snc",
    "misprint": "sn",
    "self_contradictory": "s",
    "refuted": "sn",
    "confirmed(proof)": "sn",
    "confirmed(exhaustive)": "sn",
    "confirmed(sampled(1000))": "sn",
    "reproduced": "n",
    "differs": "n",
    "holds": "c",
    "fails": "c",
    "undecided": "nc",
    "depends": "nc",
}


@pytest.mark.parametrize("text", FORMS)
def test_a_verdict_is_read_back_as_it_was_written(text):
    assert str(Verdict.parse(text)) == text


@pytest.mark.parametrize(("text", "kinds"), FORMS.items())
def test_a_verdict_judges_only_its_kinds_of_claims(text, kinds):
    found = {kind for kind in Kind if Verdict.parse(text).may_judge(kind)}
    assert found == {kind for kind in Kind if kind[0] in kinds}


def test_the_list_is_closed():
    assert {Verdict.parse(text).ruling for text in FORMS} == set(Ruling)
    details = {(r, d) for r, known in verdicts.DETAILS.items() for d in known}
    written = {
        (Verdict.parse(t).ruling, t.partition("(")[2].split("(")[0].rstrip(")")) for t in FORMS
    }
    assert details == {(ruling, detail) for ruling, detail in written if detail}


@pytest.mark.parametrize(
    "text",
    [
        *("order_fails", "inconsistent", "recomputed_ok", "", "Holds", "holds()", "holds "),
        *("not_run", "not_run(time)", "not_comparable(compute)", "holds(laptop)", "confirmed"),
        *("confirmed(sampled)", "confirmed(sampled(0))", "confirmed(sampled(-1))"),
        *("not_run(compute", "misprint(typo)", "confirmed(sampled(many))"),
    ],
)
def test_what_is_not_on_the_list_is_refused_with_what_is(text):
    with pytest.raises(ValueError, match="accepted"):
        Verdict.parse(text)


@pytest.mark.parametrize("text", FORMS)
def test_people_read_a_sentence_without_keys(text):
    sentence = Verdict.parse(text).sentence
    assert "_" not in sentence
    assert "{" not in sentence
    assert len(sentence.split()) > 2


def test_a_sample_without_counter_example_is_no_proof_in_words():
    assert "no counter-example in 238367" in Verdict.parse("confirmed(sampled(238367))").sentence


def test_a_verdict_speaks_for_or_against_or_neither():
    found = {text: Verdict.parse(text) for text in FORMS}
    assert {t.partition("(")[0] for t, v in found.items() if v.is_favourable} == {
        *("confirmed", "reproduced", "holds")
    }
    assert {t for t, v in found.items() if v.is_contrary} == {"refuted", "differs", "fails"}


ORDER = ["not_run", "not_comparable", "misprint", "self_contradictory", "refuted", "confirmed"]


@given(st.permutations([text for text in FORMS if "s" in FORMS[text]]), st.integers(1, 16))
def test_the_first_of_the_list_applies_whatever_the_order_of_finding(texts, count):
    given = texts[:count]
    found = str(first_applicable(map(Verdict.parse, given), Kind.STATEMENT)).partition("(")[0]
    assert found == min((t.partition("(")[0] for t in given), key=ORDER.index)


@pytest.mark.parametrize("measured", ["reproduced", "differs", "undecided", "depends"])
def test_a_refuted_number_is_refuted_whatever_is_measured(measured):
    given = [Verdict.parse(measured), Verdict.parse("refuted")]
    assert str(first_applicable(given, Kind.NUMBER)) == "refuted"
    assert str(first_applicable(given[:1], Kind.NUMBER)) == measured


@pytest.mark.parametrize(
    ("texts", "kind", "said"),
    [
        (["holds", "fails"], Kind.COMPARISON, "disagree"),
        (["holds", "depends"], Kind.COMPARISON, "disagree"),
        (["holds"], Kind.NUMBER, "cannot get holds"),
        (["refuted"], Kind.COMPARISON, "cannot get refuted"),
        ([], Kind.NUMBER, "no verdict at all"),
    ],
)
def test_measured_verdicts_are_combined_before_and_fit_the_claim(texts, kind, said):
    with pytest.raises(ValueError, match=said):
        first_applicable(map(Verdict.parse, texts), kind)


@pytest.mark.parametrize("reason", ["", "two\nlines"])
def test_a_judgement_needs_its_reason_in_one_line(reason):
    with pytest.raises(ValueError, match="one line"):
        Judgement(verdicts.HOLDS, reason)


def test_a_judgement_reads_as_a_sentence():
    found = Judgement(verdicts.UNDECIDED, "two runs")
    assert found.sentence == "could not be decided: two runs"


def test_hours_count_the_missing_replicates_only():
    found = Judgement(verdicts.UNDECIDED, "open", n=5, seeds_to_decide=13)
    assert hours_to_decide(found, 900.0) == 2.0
    assert hours_to_decide(Judgement(verdicts.HOLDS, "sure", n=5), 900.0) is None
    assert replicates_text(MANY) == "more than 100 replicates"
    assert replicates_text(100) == "100 replicates"
