"""The README tells of every document what was promised and found, then counts all claims."""

import csv
from dataclasses import asdict, fields
from pathlib import Path

import pytest
import yaml
from reactivate.artifacts.readme import verdict_block, with_block
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


def test_headlines_are_told_at_the_scale_that_tells_most_and_how_sure(unrun):
    sure = {"effect": "1", "low": "0.5", "high": "1.5", "level": "0.95", "n": "10"}
    published(
        "smoke", row(BEST, "undecided", "smoke"), row(NUMBER, "not_comparable(scale)", "smoke")
    )
    published(
        "paper",
        row(BEST, "holds", "paper", **sure),
        row(UNITS, "misprint", "paper"),
        row(NUMBER, "reproduced", "paper"),
    )
    lines = verdict_block().splitlines()
    title = yaml.safe_load(Path("config/papers/gmp/paper.yaml").read_text("utf-8"))["title"]
    assert lines[:5] == [
        f"**{title}** (`gmp`)",
        "",
        "| claimed | found | how sure |",
        "| --- | --- | --- |",
        "| GmP is best. | Of 2 claims behind it 1 holds (scale paper), 1 is a slip of the pen. "
        "Table 3: of 1 printed numbers 1 reproduced. | *gmp best*: effect 1, 95% interval "
        "0.5 to 1.5; 10 replicates |",
    ]
    assert lines[6:] == [
        "| of all claims | gmp, paper | gmp, smoke |",
        "| --- | --- | --- |",
        "| not comparable |  | 1 |",
        "| misprint | 1 |  |",
        "| reproduced | 1 |  |",
        "| holds | 1 |  |",
        "| undecided |  | 1 |",
    ]


def test_details_of_a_verdict_are_counted_together(unrun):
    rows = [
        row(BEST, "not_run(compute)", "smoke"),
        row(UNITS, "not_run(quoted)", "smoke"),
        row(NUMBER, "confirmed(sampled(3))", "smoke"),
    ]
    published("smoke", *rows)
    assert verdict_block().splitlines()[-2:] == ["| not run | 2 |", "| confirmed | 1 |"]


def test_before_anything_is_published_nothing_is_found(unrun):
    lines = verdict_block().splitlines()
    assert lines[-1] == "| GmP is best. | Nothing was run for it. |  |"


def test_a_line_of_a_table_stays_one(unrun, edit):
    edit("config/papers/gmp/paper.yaml", "says: GmP is best.", 'says: "GmP | best"')
    forget()
    assert "| GmP \\| best |" in verdict_block()


def test_the_block_is_replaced_between_its_marks():
    text = "a\n<!-- verdicts: begin -->\nold\n<!-- verdicts: end -->\nb\n"
    new = with_block(text, "verdicts", "1 \\| 2")
    assert new == "a\n<!-- verdicts: begin -->\n1 \\| 2\n<!-- verdicts: end -->\nb\n"
    with pytest.raises(ValueError, match="has no block between"):
        with_block("nothing", "verdicts", "new")
