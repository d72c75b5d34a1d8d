"""The audit of a paper: one row for every claim, from tables, functions, or the document alone."""

import json
from pathlib import Path

import pytest
from reactivate.auditing.chain import Ledger
from reactivate.auditing.consistency import configured_claims
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import audit_file, checks_file
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import UNDECIDED
from reactivate.stages import audit, join


def rows():
    return {row.claim: row for row in audit.judge(Experiment.load("smoke"), "gmp")}


def test_every_claim_has_one_row_the_numbers_first(finished):
    listed = [row.claim for row in audit.judge(Experiment.load("smoke"), "gmp")]
    assert listed == list(configured_claims())


def test_a_claim_is_judged_from_the_document_a_function_or_a_table(finished):
    found = rows()
    read = found["gmp/claims/figure3_units"]
    assert (read.verdict, read.protocol, read.provenance) == ("misprint", "read", "")
    checks = checks_file("smoke", "gmp").as_posix()
    proved = found["gmp/claims/degrees_of_freedom"]
    assert (proved.protocol, proved.provenance) == ("computed", checks)
    trained = found["gmp/claims/gmp_best"]
    table = "results/smoke/gmp/table3.provenance.json"
    assert (trained.protocol, trained.provenance) == ("document", table)
    assert (
        trained.own_table == json.loads(Path(checks).read_text())["own_tables"]["gmp_best"]["says"]
    )
    assert proved.own_table == ""


def test_an_open_claim_says_what_the_missing_replicates_would_cost(finished, monkeypatch):
    open_claim = Judgement(UNDECIDED, "few", n=3, seeds_to_decide=9), "document"
    monkeypatch.setattr(audit, "trained_judgement", lambda *_: open_claim)
    spent = 0.0
    for path in Path("results").rglob("run.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        spent += record["times"]["seconds"] * record["environment"]["machine"]["threads"]
    hours = rows()["gmp/claims/gmp_best"].core_hours
    assert float(hours) == pytest.approx((9 - 3) * spent / 3 / 3600, rel=1e-4)


def test_without_what_functions_found_there_is_no_audit(finished):
    checks_file("smoke", "gmp").unlink()
    with pytest.raises(OSError, match=r"claims\.json"):
        audit.audit("smoke", "gmp")


def test_the_audits_of_all_papers_are_joined_and_nothing_is_judged_again(finished, edit):
    edit(audit_file("smoke", "csv", paper="gmp"), "not_comparable(scale)", "undecided")
    join.join("smoke")
    assert Ledger("smoke").rows == Ledger("smoke", paper="gmp").rows
    assert Ledger("smoke").rows["gmp/table3/gmp/boston"].verdict == "undecided"
    counts = json.loads(audit_file("smoke", "verdicts.json").read_text(encoding="utf-8"))
    assert counts["gmp"]["undecided"] == 4
