"""Comparisons behind headlines: every one of them, with what is published of it."""

import csv
import json
from itertools import chain as joined

import pytest
from reactivate.auditing.chain import Ledger
from reactivate.commands.headlines import (
    Promise,
    counted,
    decides,
    found_of,
    headlines,
    promises,
    published_verdicts,
)
from reactivate.evidence.records import read_record
from reactivate.experiment.loading import load_paper, paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file


@pytest.fixture(scope="module")
def ledger():
    return Ledger("laptop", PUBLISHED)


def published():
    """The rows of the published audit, by claim, read by another way."""
    with audit_file("laptop", "csv", PUBLISHED).open(newline="", encoding="utf-8") as file:
        return {row["claim"]: row for row in csv.DictReader(file)}


def test_every_comparison_behind_a_headline_is_told_once_with_its_verdict(ledger):
    rows = published()
    for paper in paper_names():
        known = load_paper(paper).headlines.values()
        behind = {f"{paper}/claims/{name}" for each in known for name in each.claims}
        expected = {name for name in behind if rows[name]["kind"] == "comparison"}
        told = list(promises(paper, ledger, {}))
        assert sorted(promise.claim for promise in told) == sorted(expected)
        assert all(promise.verdict == rows[promise.claim]["verdict"] for promise in told)


def test_hours_are_those_of_all_runs_that_an_analysis_read(ledger):
    (nep,) = [p for p in promises("thesis", ledger, {}) if p.claim.endswith("/nep_beats_weight")]
    folder = PUBLISHED / "laptop/thesis"
    analysis = read_record(folder / "analyse/figure5_11/run.json")
    runs = [PUBLISHED / kept.file.removeprefix("results/") for kept in analysis.read]
    records = [read_record(path) for path in runs if path.name == "run.json"]
    seconds = sum(each.times.seconds for each in (analysis, *records))
    assert len(records) > 50
    assert nep.core_hours == pytest.approx(seconds / 3600, rel=0.01)


def test_what_is_told_of_an_open_claim_is_what_would_decide_it(ledger):
    rows = ledger.rows.values()
    for row in (row for row in rows if row.kind == "comparison" and row.seeds_to_decide):
        seeds = int(row.seeds_to_decide)
        assert decides(row).startswith("more than 100" if seeds > 100 else f"{seeds} seeds")
        assert ("more than are looked at" in decides(row)) == (13 < seeds <= 100)
    assert all(not decides(row) for row in rows if row.verdict == "holds")


def test_effects_have_their_interval_and_lists_their_cases(ledger):
    rows = [row for row in ledger.rows.values() if row.kind == "comparison"]
    effects = [row for row in rows if row.low and row.high]
    lists = [row for row in rows if row.counts and not row.low]
    assert effects
    assert lists
    assert all(
        f"{float(row.low):.3g} to {float(row.high):.3g}" in found_of(row) for row in effects
    )
    assert all(found_of(row) == row.counts for row in lists)


def promise(verdict, before=""):
    return Promise("a/claims/b", ("c",), before, verdict, "1 | 2", 0.5, "3 seeds")


def test_verdicts_are_counted_without_their_reasons():
    found = [promise("holds", "undecided"), promise("not_run(compute)", "not_run(scale)")]
    assert counted(found) == ("2 comparisons: 1 holds, 1 not run; before: 1 undecided, 1 not run")
    assert counted([promise("holds")]) == "1 comparisons: 1 holds"


def test_a_line_is_a_row_of_six_columns():
    assert promise("holds").line == "| a/claims/b |  | holds | 1 / 2 | 0.50 | 3 seeds |"


def test_verdicts_of_an_older_publication_are_those_in_git():
    now = {claim: row["verdict"] for claim, row in published().items()}
    assert published_verdicts("laptop", "HEAD").keys() == now.keys()
    with pytest.raises(
        ValueError, match=r"'no-such-commit'.*accepted: a commit that has published"
    ):
        published_verdicts("laptop", "no-such-commit")


def test_programs_get_the_same(capsys, ledger):
    headlines(["psc", "gmp"], "laptop", as_json=True)
    told = json.loads(capsys.readouterr().out)
    expected = joined(promises("psc", ledger, {}), promises("gmp", ledger, {}))
    assert [each["claim"] for each in told] == [each.claim for each in expected]


@pytest.mark.parametrize(
    ("papers", "scale", "expected"),
    [(["pcs"], "laptop", "did you mean psc|unknown paper"), ([], "lap", "lap")],
)
def test_unknown_names_are_told(papers, scale, expected):
    with pytest.raises(ValueError, match=expected):
        headlines(papers, scale)
