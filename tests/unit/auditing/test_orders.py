"""Statements that compare: paired over seeds, judged with a number of seeds and a test."""

import csv
import math
from pathlib import Path

import pytest
from reactivate.auditing.orders import judge_best, judge_chance, judge_chosen_lr, pairs
from reactivate.evidence.judgement import Verdict
from reactivate.evidence.provenance import Evidence, ShownCell
from reactivate.evidence.tables import Entry
from reactivate.experiment.loading import load_exhibit
from reactivate.experiment.statements import Check
from scipy.stats import t

ROOT = Path(__file__).parents[3]
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


def shown(row, column, protocol, values, records=()):
    return ShownCell.of(Entry(row, column, protocol, values), "1", records)


def evidence(values):
    return Evidence(
        {(*place, "document"): shown(*place, "document", v) for place, v in values.items()}
    )


def everywhere(**rows):
    return evidence({(row, column): v for row, v in rows.items() for column in COLUMNS})


def best(name, **asked):
    return Check(exhibit="table3", best=name, **asked)


CLEAR = {"sp": [2.0, 2.1, 2.3, 2.2], "wn": [2.5, 2.4, 2.7, 2.8], "gmp": [1.0, 1.2, 1.1, 1.3]}


def paired_t(ours, rival, better):
    """One-sided paired t test, from its definition."""
    sign = 1 if better == "lower" else -1
    gains = [sign * (r - b) for b, r in zip(ours, rival, strict=True)]
    n, mean = len(gains), sum(gains) / len(gains)
    deviation = math.sqrt(sum((g - mean) ** 2 for g in gains) / (n - 1))
    return t.sf(mean / (deviation / math.sqrt(n)), n - 1)


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_every_pair_is_compared_over_the_same_seeds(better):
    compared = pairs(exhibit(better), everywhere(**CLEAR), best("gmp"), "document")
    assert [(p.place, p.rival, p.seeds) for p in compared] == [
        (column, rival, 4) for column in COLUMNS for rival in ("sp", "wn")
    ]
    wanted = [paired_t(CLEAR["gmp"], CLEAR[rival], better) for rival in ("sp", "wn")] * 2
    assert [p.p_value for p in compared] == pytest.approx(wanted, rel=1e-9)
    assert all((p.advantage > 0) == (better == "lower") for p in compared)


@pytest.mark.parametrize(
    ("name", "better", "verdict"),
    [
        ("gmp", "lower", Verdict.ORDER_HOLDS),
        ("wn", "lower", Verdict.ORDER_FAILS),
        ("wn", "higher", Verdict.ORDER_HOLDS),
        ("sp", "higher", Verdict.ORDER_FAILS),
    ],
)
def test_the_best_row_has_the_best_mean_in_every_column(name, better, verdict):
    judged = judge_best(exhibit(better), everywhere(**CLEAR), best(name), "document")
    assert judged.verdict == verdict
    assert "4 of 4 pairs have p < 0.05" in judged.reason or verdict == Verdict.ORDER_FAILS
    assert "(one-sided paired t, 4 seeds)" in judged.reason


def test_one_lost_column_fails_the_order_and_is_named_with_its_rival():
    values = {(row, column): v for row, v in CLEAR.items() for column in COLUMNS}
    values["sp", "yacht"] = [0.5, 0.6, 0.4, 0.7]
    judged = judge_best(exhibit(), evidence(values), best("gmp"), "document")
    assert judged.verdict == Verdict.ORDER_FAILS
    assert "gmp is beaten on yacht (sp by 0.6)" in judged.reason
    assert "boston" not in judged.reason


def test_an_equal_mean_is_not_a_best_one():
    same = everywhere(sp=[1.0, 2.0], wn=[3.0, 4.5], gmp=[2.0, 1.0])
    judged = judge_best(exhibit(), same, best("gmp"), "document")
    assert judged.verdict == Verdict.ORDER_FAILS


def test_a_row_that_is_no_number_is_not_the_best():
    broken = everywhere(sp=[2.0], wn=[2.0], gmp=[math.nan])
    judged = judge_best(exhibit(), broken, best("gmp"), "document")
    assert judged.verdict == Verdict.ORDER_FAILS


@pytest.mark.parametrize(
    ("unclear", "verdict"), [(1, Verdict.ORDER_HOLDS), (2, Verdict.ORDER_FAILS)]
)
def test_most_pairs_are_more_than_half_of_them(unclear, verdict):
    values = {(row, column): v for row, v in CLEAR.items() for column in COLUMNS}
    noisy = [1.0, 1.3, 1.0, 1.4]  # as good as gmp's
    for rival in ("sp", "wn")[:unclear]:
        values[rival, "yacht"] = noisy
    judged = judge_best(exhibit(), evidence(values), best("gmp", where="most_pairs"), "document")
    assert judged.verdict == verdict
    assert judged.reason.startswith(f"{4 - unclear} of 4 pairs")


def test_a_single_seed_is_never_significant():
    one = everywhere(sp=[2.0], wn=[3.0], gmp=[1.0])
    assert [p.p_value for p in pairs(exhibit(), one, best("gmp"), "document")] == [1.0] * 4
    judged = judge_best(exhibit(), one, best("gmp"), "document")
    assert judged.verdict == Verdict.ORDER_HOLDS
    assert judged.reason.endswith("0 of 4 pairs have p < 0.05 (one-sided paired t, 1 seed)")


@pytest.mark.parametrize(
    ("ours", "rival", "p_value"),
    [
        ([1.0, 2.0], [1.0, 2.0], 1.0),
        ([1.0, 2.0], [2.0, 3.0], 0.0),
        ([2.0, 3.0], [1.0, 2.0], 1.0),
        ([90.0, 97.0], [math.inf, math.inf], 1.0),
        ([math.inf, math.inf], [math.inf, math.inf], 1.0),
        ([math.nan, 1.0], [2.0, 3.0], 1.0),
    ],
    ids=["equal", "always better by 1", "always worse by 1", "never", "both never", "diverged"],
)
def test_differences_without_a_finite_spread_have_the_limit_of_the_test(ours, rival, p_value):
    values = everywhere(sp=rival, wn=rival, gmp=ours)
    compared = pairs(exhibit(), values, best("gmp"), "document")
    assert [p.p_value for p in compared] == [p_value] * 4


def test_reaching_it_at_all_is_better_than_never():
    judged = judge_best(
        exhibit(),
        everywhere(sp=[math.inf] * 2, wn=[99.0, 98.0], gmp=[90.0, 97.0]),
        best("gmp"),
        "document",
    )
    assert judged.verdict == Verdict.ORDER_HOLDS


def by_column(**columns):
    """Evidence that is the same in every row."""
    return evidence({(row, column): v for column, v in columns.items() for row in ROWS})


def test_a_column_may_be_the_best_of_all_columns():
    compared = pairs(
        exhibit(), by_column(boston=[1.0, 1.2], yacht=[2.0, 2.1]), best("boston"), "document"
    )
    assert [(p.place, p.rival) for p in compared] == [(row, "yacht") for row in ROWS]
    assert [p.advantage for p in compared] == pytest.approx([0.95] * 3)


@pytest.mark.parametrize(
    ("name", "verdict"), [("boston", Verdict.ORDER_HOLDS), ("yacht", Verdict.ORDER_FAILS)]
)
def test_the_best_column_has_the_best_mean_in_every_row(name, verdict):
    values = by_column(boston=[1.0, 1.2], yacht=[2.0, 2.1])
    judged = judge_best(exhibit(), values, best(name), "document")
    assert judged.verdict == verdict
    if verdict == Verdict.ORDER_FAILS:
        assert "yacht is beaten on sp (boston by 0.95), wn (boston by 0.95), gmp" in judged.reason


def test_only_the_rows_and_columns_that_a_statement_names_are_compared():
    values = {(row, column): v for row, v in CLEAR.items() for column in COLUMNS}
    values["sp", "boston"] = values["wn", "yacht"] = [0.1, 0.2, 0.3, 0.4]
    asked = best("gmp", rows=["sp", "gmp"], columns=["yacht"])
    compared = pairs(exhibit(), evidence(values), asked, "document")
    assert [(p.place, p.rival) for p in compared] == [("yacht", "sp")]
    judged = judge_best(exhibit(), evidence(values), asked, "document")
    assert judged.verdict == Verdict.ORDER_HOLDS


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("asked", ["lower", "higher"])
def test_a_statement_may_say_what_is_better_where_the_exhibit_says_otherwise(better, asked):
    judged = judge_best(
        exhibit(better), everywhere(**CLEAR), best("gmp", better=asked), "document"
    )
    assert judged.verdict == (Verdict.ORDER_HOLDS if asked == "lower" else Verdict.ORDER_FAILS)


def test_different_numbers_of_seeds_are_all_said():
    values = {(row, "boston"): v for row, v in CLEAR.items()}
    values |= {(row, "yacht"): v[:1] for row, v in CLEAR.items()}
    judged = judge_best(exhibit(), evidence(values), best("gmp"), "document")
    assert judged.verdict == Verdict.ORDER_HOLDS
    assert "2 of 4 pairs have p < 0.05 (one-sided paired t, 1/4 seeds)" in judged.reason


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ([10.0, 10.0, 10.0], Verdict.ORDER_HOLDS),
        ([5.0, 15.0, 25.0], Verdict.ORDER_HOLDS),
        ([5.0, 15.0, 25.1], Verdict.ORDER_FAILS),
    ],
)
def test_networks_that_learn_nothing_are_at_chance_on_average(accuracies, verdict):
    check = Check(exhibit="table3", chance=15.0)
    values = everywhere(sp=accuracies, wn=[10.0] * 3, gmp=[10.0] * 3)
    judged = judge_chance(exhibit(), values, check, "document")
    assert judged.verdict == verdict
    if verdict == Verdict.ORDER_HOLDS:
        assert judged.reason == "all 6 are at most 15 %"
    else:
        assert judged.reason == "above 15 %: sp/boston 15.03 %, sp/yacht 15.03 %"


def test_chance_is_asked_of_the_rows_and_columns_that_a_statement_names():
    values = everywhere(sp=[90.0], wn=[10.0], gmp=[90.0])
    check = Check(exhibit="table3", chance=15.0, rows=["wn"], columns=["yacht"])
    judged = judge_chance(exhibit(), values, check, "document")
    assert (judged.verdict, judged.reason) == (Verdict.ORDER_HOLDS, "all 1 are at most 15 %")


def with_rates(folder, rates):
    """Evidence whose runs chose the given learning rates."""
    cells = {}
    for (row, column), chosen in rates.items():
        run = folder / row / column
        run.mkdir(parents=True)
        with (run / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["seed", "lr"], *enumerate(chosen)])
        (run / "run.json").write_text("unread", encoding="utf-8")
        cells[row, column, "cv"] = shown(row, column, "cv", chosen, [run / "run.json"])
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
