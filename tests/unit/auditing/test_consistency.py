"""An audit says what the functions that looked into claims say."""

from pathlib import Path

import pytest
from reactivate.commands.publish import publish
from reactivate.commands.verify import find
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.publication import write_sums

CHECKS = "gmp/analyse/claims.json"


@pytest.fixture
def found(finished, edit, monkeypatch):
    """``found(root, *changes)``: what is no longer vouched for after texts of files changed."""
    monkeypatch.setattr("reactivate.commands.verify.data_findings", list)  # it is made up

    def wrong(root, *changes):
        publish("smoke")
        for file, old, new in changes:
            edit(Path(root, "smoke", file), old, new)
        write_sums(Path("published/smoke"))
        listed, _ = find(["smoke"], published=root == "published")
        audits = [f for f in listed if f.kind == "tampered" or f.path.name == "audit.csv"]
        return [(f.kind, f.path.as_posix()) for f in audits], "; ".join(f.says for f in audits)

    return wrong


def test_what_nobody_changed_agrees(found):
    assert found("published") == ([], "")
    assert found("results") == ([], "")


def test_a_judgement_forged_in_the_published_audit_is_betrayed_by_the_function(found):
    kept = read_judgements(Path("results/smoke", CHECKS)).claims["degrees_of_freedom"].reached
    endings = ("csv", "json")
    files = [(f"audit.{ending}", kept.reason, "another reason") for ending in endings]
    named, says = found("published", *files)
    assert named == [("tampered", f"published/smoke/{CHECKS}")]
    assert "degrees_of_freedom has reason" in says


@pytest.mark.parametrize(
    ("root", "named"),
    [
        ("published", ("tampered", f"published/smoke/{CHECKS}")),
        ("results", ("stale", "results/smoke/audit.csv")),
    ],
)
def test_a_judgement_that_is_not_the_one_of_the_audit_is_named(found, root, named):
    listed, says = found(root, (CHECKS, '"cases": ', '"cases": 9'))
    assert listed == [named]
    assert "degrees_of_freedom has cases" in says
