"""The second reading speaks of every claim once, in the words of the documents."""

import os
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.loading import load_paper, paper_names

ROOT = Path(__file__).parents[2]
READINGS = {path.stem: path for path in (ROOT / "docs/second_reading").glob("*.yaml")}
STATEMENTS = 440  # that were read; some became findings, or parts of other claims
KINDS = {"statement", "comparison", "number"}
FALSE = {"misprint", "self_contradictory", "refuted", "depends", None}
every = pytest.mark.parametrize("key", sorted(READINGS))


def read(key):
    return yaml.safe_load(READINGS[key].read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _configuration(monkeypatch):
    """Every test reads the project's own configuration."""
    monkeypatch.chdir(ROOT)


def test_no_statement_was_lost():
    assert set(READINGS) == set(paper_names())
    assert sum(len(read(key)) for key in READINGS) == STATEMENTS


@every
def test_every_claim_is_read(key):
    assert set(load_paper(key).claims) - set(read(key)) == set()


@every
def test_what_is_no_claim_any_more_was_withdrawn_with_a_reason(key):
    claims = load_paper(key).claims
    gone = {
        name: entry.get("withdrawn") for name, entry in read(key).items() if name not in claims
    }
    assert [name for name, reason in gone.items() if not reason] == []


@every
def test_what_was_withdrawn_is_no_claim(key):
    withdrawn = {name for name, entry in read(key).items() if "withdrawn" in entry}
    assert withdrawn & set(load_paper(key).claims) == set()


@every
def test_a_reading_has_known_words(key):
    for claim, entry in read(key).items():
        assert entry["kind"] in KINDS, claim
        assert entry.get("if_false") in FALSE, claim
        assert entry["changed"], claim


@every
@pytest.mark.skipif("REACTIVATE_TEXTS" not in os.environ, reason="the texts are not at hand")
def test_the_right_form_stands_in_the_text(key):
    texts = [p.read_text(encoding="utf-8") for p in Path(os.environ["REACTIVATE_TEXTS"]).iterdir()]
    whole = [" ".join(text.split()) for text in texts]
    for claim, entry in read(key).items():
        forms = entry.get("right_form") or []
        for form in [forms] if isinstance(forms, str) else forms:
            words = " ".join(form.split())
            assert any(words in text or words in text.replace("- ", "") for text in whole), claim
