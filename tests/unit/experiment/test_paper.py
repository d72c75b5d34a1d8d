"""The form of a paper: protocols, claims and findings, and the functions that look into them."""

from datetime import date
from pathlib import Path

import pytest
from reactivate.experiment.paper import Paper, Protocol
from reactivate.foundation.configuration import validate

CLAIMS = "reactivate.documents.toy.claims"
SOURCE = {"cited": "Author 2020", "read": date(2026, 11, 16)}
PASSAGE = {"quote": "one is two", "lines": [3, 3]}
EFFECT = {"number": "a minus b", "replicate": "a seed"}


def claim(**changes):
    known = {"says": "So it is.", **PASSAGE, "locator": "Section 1", "kind": "statement"}
    return {**known, "would_change": "A counter-example.", **changes}


def finding(**changes):
    return {"about": "program", "locator": "main.py", "says": "It does.", **changes}


def paper(**changes):
    given = {"paper": "toy", "title": "Toy", "source": SOURCE, "exhibits": {}, **changes}
    return validate(Paper, given, Path("config/papers/toy"))


def function(name):
    return {"function": f"{CLAIMS}:{name}"}


def test_a_protocol_is_a_sentence_or_says_more():
    found = paper(
        protocols={
            "document": "As printed.",
            "test": {"says": "As the program.", "on_test_split": True, "afterwards": True},
            "ours": {"says": "A check of ours.", "is_ours": True},
        }
    ).protocols
    assert found == {
        "document": Protocol(says="As printed."),
        "test": Protocol(says="As the program.", on_test_split=True, afterwards=True),
        "ours": Protocol(says="A check of ours.", is_ours=True),
    }
    plain = found["document"]
    assert (plain.on_test_split, plain.afterwards, plain.is_ours) == (False, False, False)


@pytest.mark.parametrize(
    ("protocols", "message"),
    [
        ({"document": 3}, r"protocols\.document is 3; "),
        ({"document": {"on_test_split": True}}, r"protocols\.document\.says is missing; add it"),
        ({"document": {"says": "x", "test": True}}, r"protocols\.document: unknown key 'test'"),
        (["document"], r"protocols is \['document'\]; "),
    ],
)
def test_a_protocol_of_another_form_is_named(protocols, message):
    with pytest.raises(ValueError, match=message):
        paper(protocols=protocols)


def test_a_name_is_a_claim_or_a_finding_not_both():
    claims, findings = {"one": claim(check=function("one"))}, {"two": finding()}
    assert paper(claims=claims, findings=findings).findings["two"].about == "program"
    with pytest.raises(ValueError, match="one is both a claim and a finding; rename one in conf"):
        paper(claims=claims, findings={**findings, "one": finding()})


@pytest.mark.parametrize("section", ["claims", "findings"])
def test_names_of_claims_and_findings_can_be_paths(section):
    given = claim(check=function("one")) if section == "claims" else finding()
    with pytest.raises(ValueError, match=r"'\.\./one' cannot be part of a result path"):
        paper(**{section: {"../one": given}})


def test_what_can_be_run_is_that_of_claims_and_of_findings():
    found = paper(
        claims={
            "exact": claim(check=function("exact"), own_table=f"{CLAIMS}:agrees"),
            "again": claim(check=function("exact")),
            "seen": claim(
                kind="comparison",
                effect=EFFECT,
                check={"exhibit": "figure1", "judge": f"{CLAIMS}:seen"},
            ),
            "best": claim(
                kind="comparison", effect=EFFECT, check={"exhibit": "table1", "best": "a"}
            ),
            "left": claim(check={"not_run": "compute", "why": "Long."}),
            "slip": claim(misprint=PASSAGE),
            "split": claim(contradicts=PASSAGE, own_table=f"{CLAIMS}:agrees"),
        },
        findings={"told": finding(check=function("told")), "read": finding()},
    )
    assert list(found.checks) == ["exact", "again", "seen", "best", "left", "told"]
    assert found.checked == {
        "exact": f"{CLAIMS}:exact",
        "again": f"{CLAIMS}:exact",
        "seen": f"{CLAIMS}:seen",
        "told": f"{CLAIMS}:told",
    }
    assert found.own_tables == {"exact": f"{CLAIMS}:agrees", "split": f"{CLAIMS}:agrees"}
    assert found.looked_into == [
        f"{CLAIMS}:{name}" for name in ("exact", "seen", "told", "agrees")
    ]
