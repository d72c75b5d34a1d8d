"""The second reading speaks of every claim once, in the words of the documents."""

import os
from pathlib import Path

import pytest
import yaml
from reactivate.experiment.loading import load_paper, paper_names

ROOT = Path(__file__).parents[2]
READINGS = {path.stem: path for path in (ROOT / "docs/second_reading").glob("*.yaml")}
KINDS = {"statement", "comparison", "number"}
FALSE = {"misprint", "self_contradictory", "refuted", "depends", None}


def read(key):
    return yaml.safe_load(READINGS[key].read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", sorted(READINGS))
def test_every_claim_is_read(key, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert key in paper_names()
    assert set(read(key)) == set(load_paper(key).claims)


@pytest.mark.parametrize("key", sorted(READINGS))
def test_a_reading_has_known_words(key):
    for claim, entry in read(key).items():
        assert entry["kind"] in KINDS, claim
        assert entry.get("if_false") in FALSE, claim
        assert entry["changed"], claim


@pytest.mark.parametrize("key", sorted(READINGS))
@pytest.mark.skipif("REACTIVATE_TEXTS" not in os.environ, reason="the texts are not at hand")
def test_the_right_form_stands_in_the_text(key):
    texts = [p.read_text(encoding="utf-8") for p in Path(os.environ["REACTIVATE_TEXTS"]).iterdir()]
    whole = [" ".join(text.split()) for text in texts]
    for claim, entry in read(key).items():
        forms = entry.get("right_form") or []
        for form in [forms] if isinstance(forms, str) else forms:
            words = " ".join(form.split())
            assert any(words in text or words in text.replace("- ", "") for text in whole), claim
