"""What the audit tells programs and its page: headlines, findings, sentences, and evidence."""

import json
from dataclasses import asdict

import pytest
from reactivate.auditing.chain import Ledger
from reactivate.auditing.page import page_data
from reactivate.experiment.experiment import forget
from reactivate.experiment.loading import load_paper
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.judging.verdicts import Verdict

BEST = "gmp/claims/gmp_best"
EVIDENCE, QUOTES = 13, 11  # places in a claim, as page.js names them


@pytest.fixture
def content(finished):
    return json.loads(audit_file("smoke", "json").read_text(encoding="utf-8"))


@pytest.fixture
def data(finished):
    return page_data(Ledger("smoke"))


def test_the_promises_are_told_with_their_words_and_what_was_found(content, data):
    (headline,) = content["headlines"]["gmp"]
    assert headline["says"] == "GmP is best."
    assert headline["passages"] == [["line 253", "GmP consistently achieves the best test RMSE"]]
    claims = [(f["claim"], f["verdict"], f["scale"]) for f in headline["found"]]
    assert claims == [
        (BEST, "not_run(compute)", "smoke"),
        ("gmp/claims/figure3_units", "misprint", "smoke"),
        ("", "", "smoke"),
    ]
    assert headline["found"][2]["says"] == "of 24 printed numbers 4 not comparable, 20 not run."
    assert data["papers"][0]["headlines"] == [headline]


def test_a_headline_is_told_at_a_published_scale_that_tells_more(finished):
    text = audit_file("smoke", "csv").read_text(encoding="utf-8")
    other = audit_file("paper", "csv", PUBLISHED)
    other.parent.mkdir(parents=True)
    rows = text.replace("not_run(compute)", "holds").replace(",smoke,", ",paper,")
    other.write_text(rows, encoding="utf-8")
    (headline,) = page_data(Ledger("smoke"))["papers"][0]["headlines"]
    assert [(f["verdict"], f["scale"]) for f in headline["found"][:2]] == [
        ("holds", "paper"),
        ("misprint", "paper"),
    ]


def test_findings_are_told_with_the_sentence_that_a_function_found(content, data):
    (finding,) = content["findings"]["gmp"]
    known = load_paper("gmp").findings["uniform_angles"]
    assert (finding["name"], finding["about"]) == ("uniform_angles", "reading")
    assert (finding["says"], finding["locator"]) == (known.says, known.locator)
    assert finding["passages"] == [[p.where, p.words] for p in known.quotation.passages]
    assert finding["numbers"].startswith("n = ")
    assert data["papers"][0]["findings"] == [finding]


def test_verdicts_are_counted_without_their_draws(content):
    assert sum(content["verdicts"].values()) == len(content["claims"]) == 29
    assert content["verdicts"]["not_comparable(scale)"] == 4
    assert content["verdicts"]["misprint"] == 1
    sampled = [row for row in content["claims"] if row["verdict"].startswith("confirmed(sampled(")]
    assert content["verdicts"].get("confirmed(sampled)", 0) == len(sampled)


def test_every_verdict_on_the_page_has_its_sentence(data):
    ledger = Ledger("smoke")
    assert set(data["verdicts"]) == {row.verdict for row in ledger.rows.values()}
    rulings = [Verdict.parse(text).ruling for text in data["verdicts"]]
    assert rulings == sorted(rulings, key=list(type(rulings[0])).index)
    assert data["sentences"]["misprint"].startswith("is a slip of the pen")
    assert set(data["sentences"]) == set(data["verdicts"])


def test_a_claim_has_the_fields_of_its_row_that_are_not_empty(data):
    claims = {claim[0]: claim for claim in data["claims"]}
    row = asdict(Ledger("smoke").rows[BEST])
    evidence = claims[BEST][EVIDENCE]
    assert evidence == {name: row[name] for name in evidence}
    assert all(evidence.values())
    assert evidence["kind"] == "comparison"
    assert evidence["reply"] == "A. Author, 2027-01-31: Ten splits are few."
    assert {"own_table", "would_change"} <= evidence.keys()
    assert "choices" in claims["gmp/claims/optimal_lr"][EVIDENCE]
    assert "choices" not in evidence  # of this claim every reading is run
    number = claims["gmp/table3/gmp/boston"][EVIDENCE]
    assert {"effect", "low", "high", "level", "n", "overrides"} <= number.keys()


@pytest.mark.parametrize(
    ("key", "word"), [("misprint", "elsewhere"), ("contradicts", "against it")]
)
def test_the_other_passage_of_a_slip_or_a_contradiction_is_told_apart(finished, edit, key, word):
    edit("config/papers/gmp/paper.yaml", "    misprint:", f"    {key}:")
    forget()
    claims = {claim[0]: claim for claim in page_data(Ledger("smoke"))["claims"]}
    own, *others = claims["gmp/claims/figure3_units"][QUOTES]
    statement = load_paper("gmp").claims["figure3_units"]
    assert own == [statement.passages[0].where, statement.passages[0].words]
    elsewhere = (statement.misprint or statement.contradicts).passages
    assert others == [[f"{word}, {p.where}", p.words] for p in elsewhere]
