"""Published notebooks have a list of sums, and say which audits they tell of."""

from pathlib import Path

import pytest
from reactivate.artifacts import notebooks
from reactivate.artifacts.notebooks import NOTEBOOKS, execute, notebook_findings


@pytest.fixture
def published(unrun, monkeypatch):
    """Pages of notebooks that were not executed, beside an audit."""

    def run(paper, program, *words):
        if program == "nbconvert":
            (NOTEBOOKS / f"{paper}.html").write_text(f"<p>{paper}</p>", encoding="utf-8")

    monkeypatch.setattr(notebooks, "_run", run)
    audit = Path("published/paper/audit.csv")
    audit.parent.mkdir(parents=True)
    audit.write_text("claim\n", encoding="utf-8")
    assert execute() == [NOTEBOOKS / "gmp.html"]
    return audit


def found():
    return {finding.path.as_posix(): finding.kind for finding in notebook_findings()}


def test_before_any_is_published_nothing_is_found(unrun):
    assert found() == {}


def test_pages_as_they_were_made_are_in_order(published):
    assert found() == {}


def test_pages_that_tell_of_an_older_audit_are_stale(published):
    published.write_text("claim\nnew\n", encoding="utf-8")
    (finding,) = notebook_findings()
    assert (finding.kind, finding.path) == ("stale", NOTEBOOKS)
    assert "reactivate publish --notebooks" in finding.says


@pytest.mark.parametrize(
    ("change", "name", "kind"),
    [
        (lambda path: path.write_text("forged", encoding="utf-8"), "gmp.html", "tampered"),
        (Path.unlink, "gmp.html", "missing"),
        (lambda path: path.write_text("new", encoding="utf-8"), "other.html", "unvouched"),
    ],
)
def test_pages_that_were_changed_are_named(published, change, name, kind):
    change(NOTEBOOKS / name)
    assert found() == {f"published/notebooks/{name}": kind}


def test_a_notebook_that_does_not_run_is_named_with_what_it_said(unrun):
    with pytest.raises(ValueError, match=r"notebooks/gmp\.ipynb cannot be executed: .+; see: sn"):
        execute(("gmp",))
