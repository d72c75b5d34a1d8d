"""Statements that compare rows: paired over splits, judged with a number of splits and a test."""

import csv
import math
from pathlib import Path

import pytest
from reactivate.auditing.evidence import Evidence
from reactivate.auditing.orders import judge_best, judge_chosen_lr, pairs
from reactivate.claims import Verdict
from reactivate.papers import load_exhibit
from scipy.stats import t

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = ["sp", "wn", "gmp"], ["boston", "yacht"]


@pytest.fixture(autouse=True)
def _from_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def exhibit(better="lower"):
    """Table 3 of gmp with fewer rows and columns, and either direction."""
    printed = load_exhibit("gmp", "table3")
    return printed.model_copy(
        update={
            "rows": {printed.row_axis: ROWS},
            "columns": {printed.column_axis: COLUMNS},
            "metric": printed.metric.model_copy(update={"better": better}),
        }
    )


def evidence(values):
    return Evidence(
        {(row, column, "document"): {"values": v} for (row, column), v in values.items()}
    )


def everywhere(**rows):
    return evidence({(row, column): v for row, v in rows.items() for column in COLUMNS})


CLEAR = {"sp": [2.0, 2.1, 2.3, 2.2], "wn": [2.5, 2.4, 2.7, 2.8], "gmp": [1.0, 1.2, 1.1, 1.3]}


def paired_t(best, rival, better):
    """One-sided paired t test, from its definition."""
    sign = 1 if better == "lower" else -1
    gains = [sign * (r - b) for b, r in zip(best, rival, strict=True)]
    n, mean = len(gains), sum(gains) / len(gains)
    deviation = math.sqrt(sum((g - mean) ** 2 for g in gains) / (n - 1))
    return t.sf(mean / (deviation / math.sqrt(n)), n - 1)


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_every_pair_is_compared_over_the_same_splits(better):
    compared = pairs(exhibit(better), everywhere(**CLEAR), "gmp", "document")
    assert [(p.column, p.rival, p.splits) for p in compared] == [
        (column, rival, 4) for column in COLUMNS for rival in ("sp", "wn")
    ]
    wanted = [paired_t(CLEAR["gmp"], CLEAR[rival], better) for rival in ("sp", "wn")] * 2
    assert [p.p_value for p in compared] == pytest.approx(wanted, rel=1e-9)
    assert all((p.advantage > 0) == (better == "lower") for p in compared)


@pytest.mark.parametrize(
    ("best", "better", "verdict"),
    [
        ("gmp", "lower", Verdict.ORDER_HOLDS),
        ("wn", "lower", Verdict.ORDER_FAILS),
        ("wn", "higher", Verdict.ORDER_HOLDS),
        ("sp", "higher", Verdict.ORDER_FAILS),
    ],
)
def test_the_best_row_has_the_best_mean_in_every_column(best, better, verdict):
    judged = judge_best(exhibit(better), everywhere(**CLEAR), best, "every_column", "document")
    assert judged.verdict == verdict
    assert "4 of 4 pairs have p < 0.05" in judged.reason or verdict == Verdict.ORDER_FAILS
    assert "(one-sided paired t, 4 splits)" in judged.reason


def test_one_lost_column_fails_the_order_and_is_named_with_its_rival():
    values = {(row, column): v for row, v in CLEAR.items() for column in COLUMNS}
    values["sp", "yacht"] = [0.5, 0.6, 0.4, 0.7]
    judged = judge_best(exhibit(), evidence(values), "gmp", "every_column", "document")
    assert judged.verdict == Verdict.ORDER_FAILS
    assert "gmp is beaten on yacht (sp by 0.6)" in judged.reason
    assert "boston" not in judged.reason


def test_an_equal_mean_is_not_a_best_one():
    same = everywhere(sp=[1.0, 2.0], wn=[3.0, 4.5], gmp=[2.0, 1.0])
    judged = judge_best(exhibit(), same, "gmp", "every_column", "document")
    assert judged.verdict == Verdict.ORDER_FAILS


def test_a_row_that_is_no_number_is_not_the_best():
    broken = everywhere(sp=[2.0], wn=[2.0], gmp=[math.nan])
    judged = judge_best(exhibit(), broken, "gmp", "every_column", "document")
    assert judged.verdict == Verdict.ORDER_FAILS


@pytest.mark.parametrize(
    ("unclear", "verdict"), [(1, Verdict.ORDER_HOLDS), (2, Verdict.ORDER_FAILS)]
)
def test_most_pairs_are_more_than_half_of_them(unclear, verdict):
    values = {(row, column): v for row, v in CLEAR.items() for column in COLUMNS}
    noisy = [1.0, 1.3, 1.0, 1.4]  # as good as gmp's
    for rival in ("sp", "wn")[:unclear]:
        values[rival, "yacht"] = noisy
    judged = judge_best(exhibit(), evidence(values), "gmp", "most_pairs", "document")
    assert judged.verdict == verdict
    assert judged.reason.startswith(f"{4 - unclear} of 4 pairs")


def test_a_single_split_is_never_significant():
    compared = pairs(exhibit(), everywhere(sp=[2.0], wn=[3.0], gmp=[1.0]), "gmp", "document")
    assert [p.p_value for p in compared] == [1.0] * 4


def with_rates(folder, rates):
    """Evidence whose runs chose the given learning rates."""
    cells = {}
    for (row, column), chosen in rates.items():
        run = folder / row / column
        run.mkdir(parents=True)
        with (run / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["seed", "lr"], *enumerate(chosen)])
        cells[row, column, "cv"] = {"record": str(run / "run.json"), "values": chosen}
    return Evidence(cells)


@pytest.mark.parametrize(
    ("gmp", "verdict"),
    [([0.1, 0.1, 0.3], Verdict.ORDER_HOLDS), ([0.3, 0.3, 0.1], Verdict.ORDER_FAILS)],
)
def test_the_rate_chosen_most_often_must_be_the_printed_one(tmp_path, gmp, verdict):
    rates = {(row, column): [0.01, 0.01, 0.03] for row in ("sp", "wn") for column in COLUMNS}
    rates |= {("gmp", column): gmp for column in COLUMNS}
    runs = with_rates(tmp_path, rates)
    judged = judge_chosen_lr(exhibit(), runs, {"gmp": 0.1, "default": 0.01}, "cv")
    assert judged.verdict == verdict
    assert "sp: 0.01 in 4 of 6 (printed 0.01)" in judged.reason
    assert f"gmp: {gmp[0]:g} in 4 of 6 (printed 0.1)" in judged.reason
