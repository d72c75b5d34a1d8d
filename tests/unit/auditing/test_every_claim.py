"""No claim is missing from the audit, and none is there twice, whatever was run."""

import shutil
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from reactivate.auditing.quantities import measure_of, measures_of
from reactivate.auditing.rows import (
    number_rows,
    read_judgement,
    statement_row,
    trained_judgement,
)
from reactivate.evidence.provenance import Evidence, ShownCell
from reactivate.evidence.tables import COMPUTED, Entry
from reactivate.experiment import loading
from reactivate.experiment.exhibits import Computed, Recomputed
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.metrics import METRICS, metric, metric_names
from reactivate.experiment.printed import Printed
from reactivate.judging.exact import checked
from reactivate.judging.verdicts import HOLDS, Kind, Verdict

ROOT = Path(__file__).parents[3]
SCALES = ["smoke", "laptop", "paper"]


@pytest.fixture(autouse=True)
def _from_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def as_printed(row, column, printed):
    entry = Entry(row, column, COMPUTED, [Printed.parse(printed).value], "by hand")
    return ShownCell.of(entry, printed, [])


def nothing_trained(exhibit):
    """Evidence of what follows from definitions, as if it were the printed numbers."""
    computed = isinstance(exhibit, Recomputed) and exhibit.function is not None
    return Evidence(
        {
            (row, column, COMPUTED): as_printed(row, column, exhibit.printed_at(row, column))
            for row in exhibit.row_names
            for column in exhibit.column_names
            if computed and exhibit.is_computed(row, column)
        }
    )


@cache
def all_rows(scale):
    """The audit of a scale of which nothing was trained."""
    rows, experiment = [], Experiment.load(scale)
    for name in loading.paper_names():
        paper = loading.load_paper(name)
        for key, exhibit in paper.tables.items():
            rows += number_rows(experiment, paper, key, nothing_trained(exhibit), "p.json")
        for key, statement in paper.claims.items():
            judgement = _judgement(experiment, paper, statement)
            rows.append(statement_row(scale, paper, key, judgement))
    return rows


def _judgement(experiment, paper, statement):
    """Of what nobody ran, or as if a function had found it so."""
    read = read_judgement(statement)
    if read is not None:
        return read
    if statement.check.exhibit in paper.trained:
        return trained_judgement(experiment, paper, statement, Evidence({}))[0]
    found = checked(True, "as if", cases=1)
    return replace(found, verdict=HOLDS) if statement.kind is Kind.COMPARISON else found


def printed_places():
    """Every printed number: paper, exhibit, row and column."""
    for name in loading.paper_names():
        for exhibit in loading.load_paper(name).tables.values():
            for row in exhibit.row_names:
                for column in exhibit.column_names:
                    if exhibit.is_printed(row, column):
                        yield loading.load_paper(name), exhibit, row, column


@pytest.mark.parametrize("scale", SCALES)
def test_every_claim_has_exactly_one_verdict(scale):
    rows = all_rows(scale)
    assert {claim: n for claim, n in Counter(row.claim for row in rows).items() if n > 1} == {}
    statements = sum(len(loading.load_paper(name).claims) for name in loading.paper_names())
    assert len(rows) == len(list(printed_places())) + statements
    assert all(Verdict.parse(row.verdict).may_judge(Kind(row.kind)) for row in rows)
    assert {row.scale for row in rows} == {scale}
    assert all(row.reason for row in rows)


def test_every_row_says_where_its_claim_is_printed_and_what_it_measures():
    for row in all_rows("paper"):
        paper = loading.load_paper(row.claim.split("/")[0])
        assert row.document == paper.title
        assert row.printed
        assert row.protocol
        if "/claims/" in row.claim:
            assert row.locator
            assert (row.metric, row.unit, row.better) == ("", "", "")
        else:
            _, _, line, column = row.claim.split("/")
            assert row.locator.endswith(f", row {line}, column {column}")
            known = metric(row.metric)
            assert (row.unit, row.better) == (known.unit, known.better)


def test_every_metric_is_of_some_number():
    used = {measure_of(*place).metric for place in printed_places()}
    variants = {name for name in metric_names() if name.removesuffix("_best_epoch") in used}
    assert set(metric_names()) == used | variants  # those of a protocol are read off the same run


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """A copy of the configuration that a test may edit."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    return tmp_path / METRICS


def test_a_paper_may_have_metrics_of_its_own(edited):
    own = edited.parent / "papers/thesis/metrics.yaml"
    own.write_text("elegance: {unit: points}\n", encoding="utf-8")
    assert (metric("elegance").unit, metric("elegance").better) == ("points", "")
    assert metric_names()[-1] == "elegance"


def test_another_unit_changes_what_the_papers_that_use_it_measure(edited):
    papers = [loading.load_paper(name) for name in loading.paper_names()]
    before = [measures_of(paper) for paper in papers]
    text = edited.read_text(encoding="utf-8")
    assert "unit: target units" in text
    changed = text.replace("unit: target units", "unit: metres") + "new: {unit: none}\n"
    edited.write_text(changed, encoding="utf-8")
    after = [measures_of(paper) for paper in papers]
    assert [p.paper for p, old, new in zip(papers, before, after, strict=True) if old != new] == [
        "gmp"
    ]


def test_a_table_and_the_list_of_metrics_agree():
    """By its own metric, or by those of its rows and columns if each names one."""
    for name in loading.paper_names():
        paper = loading.load_paper(name)
        for exhibit in paper.trained.values():
            places = [(r, c) for r in exhibit.row_names for c in exhibit.column_names]
            name = exhibit.metric.name
            known = [metric(name)] if name in metric_names() else []
            known = known or [measure_of(paper, exhibit, *place) for place in places]
            expected = {(exhibit.metric.unit, exhibit.metric.better)}
            assert {(measure.unit, measure.better) for measure in known} == expected


@pytest.mark.parametrize(
    ("claim", "measure"),
    [
        ("crelu/table1/crelu/params", ("params", "parameters", "lower")),
        ("crelu/table1/crelu/cifar10_vote", ("vote_error", "%", "lower")),
        ("iieu/table1/epoch_loss_min/relu", ("epoch_loss_min", "epochs", "lower")),
        ("iieu/table3/iieu_b_flops/resnet14", ("flops", "operations", "lower")),
        ("iieu/table6/iieu_b/map", ("map", "%", "higher")),
        ("thesis/table3_1/linear/relu", ("property", "true or false", "")),
        ("thesis/table6_2/smooth/r050", ("certified_050", "%", "higher")),
        ("thesis/table6_4_quoted/macer/r050", ("certified_050", "%", "higher")),
        ("thesis/table6_3/smooth_025/acr", ("acr", "l2 distance", "higher")),
        ("gmp/table3/gmp/boston", ("test_rmse", "target units", "lower")),
    ],
)
def test_a_number_measures_what_its_row_column_or_table_says(claim, measure):
    (row,) = [row for row in all_rows("paper") if row.claim == claim]
    assert (row.metric, row.unit, row.better) == measure


@pytest.mark.parametrize("metric", [None, "elegance"])
def test_a_number_without_a_known_metric_is_an_error(metric):
    paper = loading.load_paper("thesis")
    table = paper.exhibits["table3_1"]
    assert isinstance(table, Computed)
    said = "Table 3.1: unknown metric .*config/metrics.yaml, or change it in config/papers/thesis"
    with pytest.raises(ValueError, match=said):
        measure_of(paper, table.model_copy(update={"metric": metric}), "linear", "relu")


def test_quoted_numbers_and_unavailable_data_are_not_run_and_say_why():
    found = {row.claim: (row.verdict, row.protocol, row.reason) for row in all_rows("paper")}
    verdict, protocol, reason = found["crelu/table5_quoted/alexnet/top1"]
    assert (verdict, protocol) == ("not_run(quoted)", "quoted")
    assert reason.startswith("quoted from the paper of the network that the row names")
    assert found["iieu/table6/relu/map"][0] == "not_run(data_unavailable)"
    assert found["iieu/table6/relu/flops"][0] == "not_run(underspecified)"
    assert found["iieu/table7/relu/params"][0] == "not_run(underspecified)"
    assert found["iieu/table7/smu/params"][0] == "confirmed(exhaustive)"


def test_every_statement_says_what_would_change_its_verdict():
    stated = [row for row in all_rows("paper") if "/claims/" in row.claim]
    assert all(row.would_change and "TODO" not in row.would_change for row in stated)
