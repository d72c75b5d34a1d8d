"""The story of a document: promises, verdicts in words at the telling scale, what would change."""

import csv
import json
import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from reactivate.auditing.rows import Row
from reactivate.auditing.story import Story, in_words, plain_math
from reactivate.experiment.loading import load_paper
from reactivate.foundation.workplace import PROJECT
from reactivate.judging.verdicts import Ruling

ROOT = Path(__file__).parents[3]
CLAIMS = ("never_below_the_bound", "bound_system")  # behind one promise of psc


def row(name, verdict, scale, **changed):
    empty = {field.name: "" for field in fields(Row)}
    known = {"claim": f"psc/claims/{name}", "verdict": verdict, "scale": scale}
    return Row(**{**empty, **known, "printed": f"{name} is so.", **changed})


@pytest.fixture
def audit(tmp_path, monkeypatch):
    """``write(path, *rows)``: an audit in an empty folder, with the project's configuration."""
    monkeypatch.setenv(PROJECT, str(ROOT))
    monkeypatch.chdir(tmp_path)

    def write(path, *rows):
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", newline="", encoding="utf-8") as out:
            lines = csv.DictWriter(out, [field.name for field in fields(Row)])
            lines.writeheader()
            lines.writerows(map(asdict, rows))
        found = [{"name": "both", "says": "We looked at psc_svd.", "numbers": path}]
        file.with_suffix(".json").write_text(json.dumps({"findings": {"psc": found}}))

    return write


def text(shown):
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", shown.html))


def test_an_audit_of_this_clone_comes_before_a_published_one(audit):
    audit("published/laptop/audit.csv", row(CLAIMS[0], "undecided", "laptop", n="5"))
    assert text(Story("psc", "laptop").read()).endswith("published/laptop/audit.csv (published). ")
    audit("results/laptop/audit.csv", row(CLAIMS[0], "holds", "laptop", n="5"))
    assert "results/laptop/audit.csv (made in this clone)" in text(Story("psc", "laptop").read())
    audit("results/laptop/psc/audit.csv", row(CLAIMS[0], "holds", "laptop", n="5"))
    assert "results/laptop/psc/audit.csv" in text(Story("psc", "laptop").read())
    alone = text(Story("psc", "laptop", "published").read())
    assert "published/laptop/audit.csv" in alone
    assert "results" not in alone


def test_where_there_is_no_audit_the_command_that_makes_one_is_named(audit):
    with pytest.raises(
        ValueError, match=r"make one with: snakemake results/laptop/psc/audit\.csv"
    ):
        Story("psc", "laptop").found()


def test_a_claim_is_told_at_the_printed_scale_if_it_was_judged_there(audit):
    audit("published/paper/audit.csv", row(CLAIMS[0], "holds", "paper", n="5", effect="2"))
    audit("published/laptop/audit.csv", row(CLAIMS[0], "undecided", "laptop", n="3"))
    assert "It holds in our runs (scale paper)." in text(Story("psc", "laptop").found())
    audit("published/paper/audit.csv", row(CLAIMS[0], "not_run(compute)", "paper"))
    told = text(Story("psc", "laptop").found())
    assert "It could not be decided (scale laptop)." in told
    assert "holds" not in told


def test_how_sure_a_verdict_is_stands_beside_it_with_the_reason(audit):
    measured = {"n": "5", "effect": "0.25", "low": "0.1", "high": "0.4", "level": "0.985"}
    told = row(CLAIMS[0], "holds", "laptop", **measured, reason="cells of authors_code")
    audit("published/laptop/audit.csv", told)
    shown = text(Story("psc", "laptop").found())
    assert "effect 0.25, 98.5% interval 0.1 to 0.4; 5 replicates" in shown
    assert "cells of authors code" in shown


def test_promises_are_told_in_our_words_and_in_those_of_the_document(audit):
    audit("published/laptop/audit.csv")
    told = text(Story("psc", "laptop").claimed())
    for headline in load_paper("psc").headlines.values():
        assert headline.says in told
        assert all(f"({passage.where})" in told for passage in headline.passages)
    assert "“Next, we propose a gating approach where ρ" in re.sub(" +", " ", told)


def test_what_is_open_comes_first_with_what_it_takes_to_decide_it(audit):
    takes = {"seeds_to_decide": "8", "core_hours": "1.25", "n": "3"}
    open_ = row(CLAIMS[0], "undecided", "laptop", would_change="More seeds.", **takes)
    true = row(CLAIMS[1], "confirmed(proof)", "laptop", would_change="An error in it.")
    audit("published/laptop/audit.csv", true, open_)
    html = Story("psc", "laptop").would_change().html
    still, _, decided = html.partition("<details>")
    assert "More seeds.</td><td>8 replicates, about 1.2 core-hours" in still
    assert "An error in it." not in still
    assert "Claims that are decided (1)" in decided
    assert "An error in it." in decided


@pytest.mark.parametrize(
    ("verdict", "is_open"),
    [
        ("not_run(compute)", True),
        ("not_comparable(scale)", True),
        ("undecided", True),
        ("depends", True),
        ("holds", False),
        ("fails", False),
        ("refuted", False),
        ("misprint", False),
        ("confirmed(sampled(20))", False),
    ],
)
def test_only_claims_without_an_answer_are_open(audit, verdict, is_open):
    audit("published/laptop/audit.csv", row(CLAIMS[0], verdict, "laptop", would_change="That."))
    html = Story("psc", "laptop").would_change().html
    assert ("That." in html.partition("<details>")[0]) == is_open


def test_statements_about_an_exhibit_are_told_below_it(audit):
    claims = load_paper("gmp").claims.items()
    about = [name for name, each in claims if each.check and each.check.exhibit == "figure1"]
    others = [name for name, each in claims if each.check and each.check.exhibit == "figure2"]
    names = {f"gmp/claims/{name}": name for name in (about[0], others[0])}
    rows = [row(name, "holds", "laptop", n="3") for name in names.values()]
    told = [
        Row(**{**asdict(each), "claim": claim}) for each, claim in zip(rows, names, strict=True)
    ]
    audit("published/laptop/audit.csv", *told)
    shown = text(Story("gmp", "laptop").about("figure1"))
    assert "Figure 1 was not made here" in shown
    assert in_words(f"{about[0]} is so.") in shown
    assert in_words(f"{others[0]} is so.") not in shown


def test_findings_are_told_without_a_verdict_from_the_notebooks_scale(audit):
    audit("published/paper/audit.csv")
    audit("published/laptop/audit.csv")
    told = text(Story("psc", "laptop").findings("both"))
    assert "We looked at psc svd. published/laptop/audit.csv" in told.replace("  ", " ")


def test_claims_of_other_documents_are_not_counted(audit):
    other = row("x", "holds", "laptop")
    other = Row(**{**asdict(other), "claim": "gmp/claims/x"})
    mine = [row(name, "holds", "laptop") for name in CLAIMS]
    audit("published/laptop/audit.csv", *mine, other)
    html = Story("psc", "laptop").counts().html
    assert "<td>holds</td><td>2</td>" in html


@pytest.mark.parametrize("ruling", [ruling for ruling in Ruling if "_" in ruling])
def test_no_key_of_a_verdict_is_shown_to_people(ruling):
    details = {"not_run": "(compute)", "not_comparable": "(scale)"}
    told = in_words(f"document: {ruling}{details.get(ruling, '')}; more")
    assert "_" not in told
    assert told.endswith("; more")
    assert in_words(f"{ruling} claims") != f"{ruling} claims"


@pytest.mark.parametrize(
    ("quote", "plain"),
    [
        (r"\mathbf{x}^- .", "x^- ."),
        (r"$\min\{N, M\}$", "min{N, M}"),
        (r"\mathcal{L}_{min}", "L_{min}"),
        (r"$\langle \mathbf{u}(\boldsymbol{\theta}), v \rangle$", "⟨u(θ), v⟩"),
        (r"\varepsilon and \epsilon", "ε and ε"),
        ("no formula: 5 % of $x", "no formula: 5 % of x"),
    ],
)
def test_marks_of_formulas_are_taken_off_quotations(quote, plain):
    assert plain_math(quote) == plain


def test_markup_in_what_is_told_is_shown_and_not_obeyed():
    assert in_words("a <b> & c") == "a &lt;b&gt; &amp; c"
