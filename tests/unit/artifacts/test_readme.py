"""README and docs/answers.md tell of every document what was found, and how sure that is."""

import csv
from dataclasses import asdict, fields
from pathlib import Path

import pytest
import yaml
from reactivate.artifacts.readme import COLUMNS, anchor, answers_block, verdict_block, with_block
from reactivate.auditing.rows import Row
from reactivate.experiment.experiment import forget


def row(claim, verdict, scale, **changed):
    empty = {field.name: "" for field in fields(Row)}
    return Row(**{**empty, "claim": claim, "verdict": verdict, "scale": scale, **changed})


def published(scale, *rows):
    path = Path(f"published/{scale}/audit.csv")
    path.parent.mkdir(parents=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)])
        writer.writeheader()
        writer.writerows(map(asdict, rows))


BEST, UNITS = "gmp/claims/gmp_best", "gmp/claims/figure3_units"
NUMBER = "gmp/table3/gmp/boston"


def cells(line):
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def test_a_document_is_a_row_told_at_the_scale_that_tells_most_and_how_sure(unrun):
    published("smoke", row(BEST, "undecided", "smoke"))
    published(
        "paper",
        row(BEST, "holds", "paper", n="10"),
        row(UNITS, "misprint", "paper"),
        row(NUMBER, "reproduced", "paper"),
    )
    head, _, line = verdict_block().splitlines()
    title = yaml.safe_load(Path("config/papers/gmp/paper.yaml").read_text("utf-8"))["title"]
    assert cells(head) == list(COLUMNS)
    assert cells(line) == [
        f"[{title}](docs/answers.md#{anchor(title)}) (`gmp`)",
        "Its one headline claim holds as far as we tried.",
        "1 at `paper`, 1 without runs",
        "of 2 claims behind them 1 for it, 1 open, slips or not run; 10 replicates",
    ]


def test_a_claim_that_a_smaller_scale_supports_names_it(unrun):
    published("paper", row(BEST, "not_run(compute)", "paper"))
    published("smoke", row(BEST, "holds", "smoke", n="3"), row(UNITS, "refuted", "smoke"))
    _, _, where, sure = cells(verdict_block().splitlines()[-1])
    assert "**In part not true as stated, at the smaller scale smoke.** Of 2 " in answers_block()
    assert where == "1 at `smoke`, 1 without runs"
    assert sure == "of 2 claims behind them 1 for it, 1 against it; 3 replicates"


def test_replicates_are_told_from_the_fewest_to_the_most_of_what_runs_decided(unrun):
    published("paper", row(BEST, "holds", "paper", n="10"), row(UNITS, "fails", "paper", n="5"))
    assert verdict_block().endswith("1 for it, 1 against it; 5 to 10 replicates |")


def test_before_anything_is_published_nothing_is_found(unrun):
    _, found, where, sure = cells(verdict_block().splitlines()[-1])
    assert found == "Its one headline claim has no answer yet."
    assert (where, sure) == ("nothing was judged", "no claim was looked into")


def test_a_line_of_a_table_stays_one(unrun, edit):
    edit("config/papers/gmp/paper.yaml", "title: ", "title: Its | ")
    forget()
    assert "[Its \\| " in verdict_block()


def test_the_block_is_replaced_between_its_marks():
    text = "a\n<!-- verdicts: begin -->\nold\n<!-- verdicts: end -->\nb\n"
    new = with_block(text, "verdicts", "1 \\| 2")
    assert new == "a\n<!-- verdicts: begin -->\n1 \\| 2\n<!-- verdicts: end -->\nb\n"
    with pytest.raises(ValueError, match="has no block between"):
        with_block("nothing", "verdicts", "new")
