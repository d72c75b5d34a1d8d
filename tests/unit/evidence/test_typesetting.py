"""Tables for people: what is bold, how verdicts are marked, and what LaTeX is given."""

import re

import pytest
from reactivate.evidence.latex import latex
from reactivate.evidence.tables import Entry, Layout, Told
from reactivate.evidence.typesetting import MARKS, lines_of, markdown
from reactivate.experiment.exhibits import Quoted
from reactivate.judging.verdicts import Ruling

COMPETING = {"method": ["mine", "yours", "theirs"]}


def table(rows, columns, printed):
    return Quoted(
        kind="quoted",
        title="T.",
        locator="Table 1",
        rows=rows,
        columns=columns,
        printed=printed,
        quotes="nobody",
    )


def entries(numbers):
    return [Entry(row, column, "document", values) for (row, column), values in numbers.items()]


def bold(lines, source):
    """Rows by columns of a source: whether a number is bold."""
    return [[cell.is_best for cell in line.cells] for line in lines if source in line.source]


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_the_best_of_a_column_is_bold_with_its_ties(better):
    exhibit = table(
        COMPETING,
        {"data": ["easy", "hard"]},
        {"mine": ["1.0", "7"], "yours": ["3.0", "7"], "theirs": ["1.00", "9"]},
    )
    ours = {("mine", "easy"): [2.0], ("yours", "easy"): [2.0], ("theirs", "easy"): [float("nan")]}
    layout = Layout(exhibit, entries({**ours, ("mine", "hard"): [1.0, 5.0]}))
    told = {
        (row, column): Told("error", "%", better, column)
        for row in exhibit.row_names
        for column in exhibit.column_names
    }
    lines = lines_of(layout, told)
    low = [[True, True], [False, True], [True, False]]
    high = [[False, False], [True, False], [False, True]]
    assert bold(lines, "printed") == (low if better == "lower" else high)
    # a number that is none does not compete, nor one that stands alone; of equal ones none is best
    assert bold(lines, "ours") == [[False, False]] * 3


def test_columns_compete_where_every_row_measures_something_else():
    exhibit = table(
        {"measure": ["loss", "top1"]},
        {"activation": ["relu", "gelu"]},
        {"loss": ["1.5", "1.2"], "top1": ["60", "70"]},
    )
    told = {
        (row, column): Told(row, "", "lower" if row == "loss" else "higher")
        for row in exhibit.row_names
        for column in exhibit.column_names
    }
    numbers = {("loss", "relu"): [1.0], ("loss", "gelu"): [2.0], ("top1", "relu"): [3.0]}
    lines = lines_of(Layout(exhibit, entries(numbers)), told)
    assert bold(lines, "printed") == [[False, True], [False, True]]
    assert bold(lines, "ours") == [[True, False], [False, False]]


def test_numbers_on_different_data_or_without_a_direction_do_not_compete():
    exhibit = table(
        COMPETING, {"measure": ["error"]}, {"mine": ["1"], "yours": ["2"], "theirs": ["3"]}
    )
    layout = Layout(exhibit, entries({("mine", "error"): [1.0]}))
    apart = {(row, "error"): Told("error", "%", "lower", row) for row in exhibit.row_names}
    undirected = {(row, "error"): Told("error", "%", "") for row in exhibit.row_names}
    for told in (apart, undirected):
        assert not any(cell.is_best for line in lines_of(layout, told) for cell in line.cells)


@pytest.mark.parametrize("ruling", MARKS)
def test_every_verdict_has_a_mark_that_is_explained(ruling):
    exhibit = table({"method": ["mine"]}, {"measure": ["error"]}, {"mine": ["1.0"]})
    layout = Layout(exhibit, entries({("mine", "error"): [1.0]}))
    detail = {Ruling.CONFIRMED: "(proof)", Ruling.NOT_RUN: "(compute)"}
    detail[Ruling.NOT_COMPARABLE] = "(scale)"
    verdict = f"{ruling}{detail.get(ruling, '')}"
    told = {("mine", "error"): Told("error", "%", "lower", "", verdict)}
    sign, letter, words = MARKS[ruling]
    text = markdown(layout, told, "Caption.")
    assert f"| 1.0 {sign} |" in text
    assert f"{sign} {words}." in text.splitlines()[-1]
    typeset = latex(layout, told, "Caption.")
    assert rf"\num{{1.0}}\textsuperscript{{{letter}}}" in typeset
    assert rf"\textsuperscript{{{letter}}}\,{words}." in typeset


def test_letters_of_verdicts_are_distinct_and_cover_what_a_number_can_get():
    from reactivate.judging.verdicts import KINDS, Kind

    assert len({letter for _, letter, _ in MARKS.values()}) == len(MARKS)
    assert set(MARKS) == {ruling for ruling, kinds in KINDS.items() if Kind.NUMBER in kinds}


def test_latex_has_no_sign_left_that_it_cannot_read():
    exhibit = table(
        {"method": ["scrfp2_001_010_0125", "mine"]},
        {"measure": ["params", "property"]},
        {"scrfp2_001_010_0125": ["25.6M", "✓"], "mine": ["2/5", "–"]},
    )
    layout = Layout(
        exhibit, entries({("mine", "params"): [1.0], ("scrfp2_001_010_0125", "property"): [1.0]})
    )
    text = latex(layout, {}, "Of 5 % & #1, ± σ.")
    assert r"\num{25.6}\,M" in text
    assert r"SCRFP-2, $\eta_1$ = 0.01, $\eta_2$ = 0.10, $\sigma$ = 0.125" in text
    assert re.sub(r"[\x00-\x7f]", "", text) == ""
    assert r"Of 5 \% \& \#1, $\pm$ $\sigma$." in text
