"""The README tells, table by table, which reading of a document gives which printed number."""

import csv
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from reactivate.artifacts.readings import (
    LEGEND_OF_SELECTED,
    SELECTED,
    readings_block,
    verdicts_of,
)
from reactivate.auditing.rows import Row
from reactivate.experiment.loading import load_paper
from reactivate.judging.verdicts import DIFFERS, REPRODUCED, UNDECIDED


def number(row, column, **verdicts):
    """A row of the audit with a verdict under each reading."""
    empty = {field.name: "" for field in fields(Row)}
    parts = " | ".join(f"{k}: {v}: because: so; and so" for k, v in verdicts.items())
    return Row(**{**empty, "claim": f"gmp/table3/{row}/{column}", "parts": parts})


def published(*rows, scale="paper"):
    path = Path(f"published/{scale}/audit.csv")
    path.parent.mkdir(parents=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)])
        writer.writeheader()
        writer.writerows(map(asdict, rows))


def lines():
    return readings_block().splitlines()


def test_every_reading_has_a_line_that_names_what_it_reproduces_and_what_not(unrun):
    published(
        number("sp", "boston", document="reproduced", authors_code="undecided"),
        number("wn", "boston", document="depends", authors_code="reproduced"),
        number("gmp", "boston", document="differs", authors_code="reproduced"),
        number("gmp", "yacht", document="undecided", all_rows="differs"),
    )
    assert lines()[1:] == [
        "",
        "**Table 3** of `gmp`. Test RMSE for MLP-1 trained on six UCI benchmarks.",
        "",
        "| reading | boston | concrete | energy | power | wine | yacht | reproduced |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| `document` | sp, (wn), not gmp |  |  |  |  |  | 1 of 4 |",
        "| `all_rows`, added afterwards |  |  |  |  |  | not gmp | 0 of 1 |",
        "| `authors_code`, selects on the test split | wn, gmp |  |  |  |  |  | 2 of 3 |",
        "| *only by selection on the test split* |  |  |  |  |  |  | 0 of 4 |",
        "",
        LEGEND_OF_SELECTED,
    ]


OTHERS = dict.fromkeys(["document", "cv", "all_rows", "all_rows_mae", "all_rows_code"], "differs")
SELECTING = {"authors_code": "reproduced"}


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ({**SELECTING, **OTHERS}, True),
        ({**SELECTING, **OTHERS, "cv": "undecided"}, False),
        ({**SELECTING, **OTHERS, "all_rows": "reproduced"}, False),
        ({**OTHERS, "authors_code": "depends"}, False),
        ({**SELECTING, "document": "differs"}, False),  # the others were not run
        (SELECTING, False),
    ],
)
def test_selection_on_the_test_split_is_said_of_what_nothing_else_gives(unrun, verdicts, said):
    published(
        number("sp", "boston", **verdicts), number("gmp", "wine", document="differs", cv="differs")
    )
    (line,) = [line for line in lines() if SELECTED in line]
    names, count = ("sp", 1) if said else ("", 0)
    assert line == f"| {SELECTED} | {names} |  |  |  |  |  | {count} of 2 |"


def test_without_a_reading_that_selects_there_is_no_such_line(unrun):
    published(number("sp", "boston", document="differs", cv="differs"))
    assert len(lines()) == 8
    assert SELECTED not in "".join(lines())


def test_a_verdict_under_a_reading_is_what_the_audit_keeps_of_it(unrun):
    rows = {row.claim: row for row in [number("sp", "wine", cv="differs", document="reproduced")]}
    assert verdicts_of(load_paper("gmp"), "table3", rows) == {
        ("sp", "wine"): {"cv": DIFFERS, "document": REPRODUCED}
    }


@pytest.mark.parametrize("other", ["± is a deviation", "as chosen"])
def test_parts_that_are_no_readings_are_left_out(unrun, other):
    (row,) = [number("sp", "wine", **{other: "differs", "document": "undecided"})]
    found = verdicts_of(load_paper("gmp"), "table3", {row.claim: row})
    assert found == {("sp", "wine"): {"document": UNDECIDED}}


def test_a_table_with_one_reading_is_not_told(unrun):
    published(number("sp", "boston", document="reproduced"))
    assert lines() == []


def test_smaller_scales_judge_no_numbers_and_are_not_told(unrun):
    published(number("sp", "boston", document="reproduced", cv="differs"), scale="smoke")
    assert lines() == []
