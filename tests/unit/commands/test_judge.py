"""Published evidence is judged again by the code of this tree, without running anything."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from reactivate.auditing.chain import Ledger
from reactivate.commands.judge import judge
from reactivate.commands.publish import publish
from reactivate.experiment.experiment import forget
from reactivate.experiment.paths import PUBLISHED, audit_file
from reactivate.foundation.files import write_json


@pytest.fixture
def published(finished):
    """A clone that has nothing but what was published."""
    publish("smoke")
    shutil.rmtree("results")
    return finished


def test_the_same_evidence_and_code_give_the_same_audit(published, capsys):
    before = {p.relative_to(PUBLISHED): p.read_bytes() for p in PUBLISHED.rglob("*.csv")}
    judge("smoke")
    assert capsys.readouterr().out.splitlines()[-1] == "judged again: results/smoke/audit.html"
    assert Ledger("smoke").rows == Ledger("smoke", PUBLISHED).rows
    assert {p: (Path("results") / p).read_bytes() for p in before} == before
    assert not list(Path("results").rglob("SHA256SUMS"))
    assert not list(Path("results").rglob("*.safetensors"))


def test_another_rule_changes_the_verdict_and_nothing_that_is_published(published, edit):
    edit("config/papers/gmp/paper.yaml", "    misprint:", "    contradicts:")
    forget()
    before = audit_file("smoke", "csv", PUBLISHED).read_bytes()
    judge("smoke")
    claim = "gmp/claims/figure3_units"
    assert Ledger("smoke").rows[claim].verdict == "self_contradictory"
    assert Ledger("smoke", PUBLISHED).rows[claim].verdict == "misprint"
    assert audit_file("smoke", "csv", PUBLISHED).read_bytes() == before


def test_what_is_there_already_is_not_replaced(published):
    kept = Path("results/smoke/gmp/table3.csv")
    kept.parent.mkdir(parents=True)
    kept.write_text("mine", encoding="utf-8")
    judge("smoke")
    assert kept.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("kept", "checksum", "stays"),
    [
        ("values.csv", hashlib.sha256(b"x\n1\n").hexdigest(), True),
        ("values.csv", "ab" * 32, False),  # the same numbers, in other bytes: lent, not kept
        ("metrics.csv", "ab" * 32, False),
    ],
)
def test_the_values_of_an_analysis_are_those_of_its_figure(published, kept, checksum, stays):
    record = json.loads(next(PUBLISHED.rglob("run.json")).read_text(encoding="utf-8"))
    folder = PUBLISHED / "smoke/gmp/analyse/figure1"
    folder.mkdir(parents=True)
    write_json(folder / "run.json", {**record, "files": {kept: checksum}})
    (PUBLISHED / "smoke/gmp/figure1.csv").write_text("x\n1\n", encoding="utf-8")
    judge("smoke")
    values = Path("results/smoke/gmp/analyse/figure1/values.csv")
    assert values.exists() == stays
    assert not values.exists() or values.read_text(encoding="utf-8") == "x\n1\n"


def test_values_are_lent_for_a_judgement_that_fails_too(published, monkeypatch):
    record = json.loads(next(PUBLISHED.rglob("run.json")).read_text(encoding="utf-8"))
    folder = PUBLISHED / "smoke/gmp/analyse/figure1"
    folder.mkdir(parents=True)
    write_json(folder / "run.json", {**record, "files": {"values.csv": "ab" * 32}})
    (PUBLISHED / "smoke/gmp/figure1.csv").write_text("x\n1\n", encoding="utf-8")
    values = Path("results/smoke/gmp/analyse/figure1/values.csv")

    def fail(*_):
        assert values.exists()
        raise ValueError("a mistake")

    monkeypatch.setattr("reactivate.stages.join.join", fail)
    with pytest.raises(ValueError, match="a mistake"):
        judge("smoke")
    assert not values.exists()


def test_what_was_not_published_counts_as_not_run(published):
    for file in PUBLISHED.glob("smoke/gmp/table3.*"):
        file.unlink()
    judge("smoke")
    assert Ledger("smoke").reach == "existing"
    rows = Ledger("smoke").rows
    numbers = {row.verdict for claim, row in rows.items() if claim.startswith("gmp/table3/")}
    assert numbers == {"not_run(compute)"}


def test_a_scale_that_was_not_published_cannot_be_judged_again(finished):
    with pytest.raises(ValueError, match=r"published/smoke/audit\.json does not exist"):
        judge("smoke")
    with pytest.raises(ValueError, match="unknown scale 'smok'"):
        judge("smok")
