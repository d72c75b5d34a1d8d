"""Every claim of every document is finished: nothing in it is left to write."""

from pathlib import Path

import pytest
from reactivate.experiment import loading
from reactivate.foundation.configuration import read_yaml
from reactivate.judging.verdicts import Kind

PAPERS = loading.paper_names()
every = pytest.mark.parametrize("paper", PAPERS)


def claims(paper):
    return loading.load_paper(paper).claims.items()


def is_sentence(text):
    return text.endswith(".") and not text[0].islower()


@every
def test_what_would_change_a_verdict_is_a_sentence(paper):
    texts = {name: claim.would_change for name, claim in claims(paper)}
    assert {name: text for name, text in texts.items() if not is_sentence(text)} == {}


@every
def test_every_comparison_that_is_measured_has_an_effect(paper):
    compared = {name: claim for name, claim in claims(paper) if claim.kind is Kind.COMPARISON}
    measured = {n: c for n, c in compared.items() if c.check and c.check.not_run is None}
    assert [name for name, claim in measured.items() if claim.effect is None] == []


@every
def test_no_claim_is_kept_that_was_withdrawn(paper):
    notes = {name: claim.note or "" for name, claim in claims(paper)}
    assert [name for name, note in notes.items() if note.upper().startswith("WITHDRAWN")] == []


@every
def test_nothing_is_left_to_do(paper):
    files = sorted(Path("config/papers", paper).glob("*.yaml"))
    unfinished = [str(path) for path in files if "TODO" in str(read_yaml(path))]
    assert unfinished == []
