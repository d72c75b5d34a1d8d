"""The audit has one row, with one verdict, for every printed number and every statement."""

import json
import random
from dataclasses import asdict
from pathlib import Path

import pytest
import yaml
from reactivate import papers
from reactivate.auditing.evidence import Evidence
from reactivate.auditing.rows import checked_row, number_rows, statement_row
from reactivate.claims import Judgement, Printed, Verdict
from reactivate.tables import COMPUTED

ROOT = Path(__file__).parents[2]
SCALES = ["smoke", "laptop", "paper"]
COLUMNS = ["claim", "printed", "ours", "spread", "n", "scale", "protocol", "verdict", "reason"]
RATES = {"gmp": 0.1}


@pytest.fixture(autouse=True)
def _from_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def run(tmp_path):
    """``run(scale, paper, exhibit)``: evidence as if what the scale runs came out as printed."""

    def evidence(scale, paper, exhibit, shift=0.0):
        whole = papers.load_exhibit(paper, exhibit)
        cells = []
        for c in papers.grid(scale, paper, exhibit):
            seeds = papers.settings(scale, paper, c.cell).recipe.splits.seeds
            printed = Printed.parse(whole.printed_at(c.row, c.column)).value
            folder = tmp_path / c.protocol / c.row / c.column
            folder.mkdir(parents=True)
            lines = ["seed,lr", *(f"{s},{RATES.get(c.row, 0.01)}" for s in range(seeds))]
            (folder / "metrics.csv").write_text("\n".join(lines), encoding="utf-8")
            noise = random.Random(str(c))
            values = [printed + shift + noise.gauss(0, 1e-4) for _ in range(seeds)]
            cells.append(
                {
                    "row": c.row,
                    "column": c.column,
                    "protocol": c.protocol,
                    "values": values,
                    "record": str(folder / "run.json"),
                }
            )
        path = tmp_path / "provenance.json"
        path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return Evidence.read(path)

    return evidence


def exhibits(kind):
    """Every exhibit whose numbers are trained, or computed."""
    return [
        (path.stem, key)
        for path in sorted((ROOT / "config" / "papers").glob("*.yaml"))
        for key, exhibit in yaml.safe_load(path.read_text(encoding="utf-8"))["exhibits"].items()
        if exhibit["kind"] == kind
    ]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("trained"))
def test_every_printed_number_has_one_row_with_one_verdict(run, scale, paper, exhibit):
    source = papers.load_paper(paper)
    evidence = run(scale, paper, exhibit)
    rows = list(number_rows(scale, source, exhibit, evidence, "p.json"))
    whole = source.exhibits[exhibit]
    wanted = [f"{paper}/{exhibit}/{r}/{c}" for r in whole.row_names for c in whole.column_names]
    assert [row.claim for row in rows] == wanted
    assert len(set(wanted)) == len(wanted)
    assert {row.verdict for row in rows} <= {str(verdict) for verdict in Verdict}
    judged = whole.protocols[0]
    ran = {f"{paper}/{exhibit}/{r}/{c}" for r, c, p in evidence.cells if p == judged}
    assert {row.claim for row in rows if row.verdict != Verdict.NOT_RUN_COMPUTE} == ran
    assert all(row.reason for row in rows)


def computed(paper, exhibit, off=0.0):
    """Evidence as if all that follows from definitions gave the printed number, or one beside."""
    whole = papers.load_exhibit(paper, exhibit)
    return Evidence(
        {
            (row, column, COMPUTED): {
                "values": [Printed.parse(whole.printed_at(row, column)).value + off],
                "how": "by hand",
            }
            for row in whole.row_names
            for column in whole.column_names
            if whole.reason_not_run(row, column) is None
        }
    )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("computed"))
@pytest.mark.parametrize(
    ("off", "verdict"), [(0.0, Verdict.RECOMPUTED_OK), (1e10, Verdict.INCONSISTENT)]
)
def test_every_number_that_follows_from_definitions_is_judged_at_every_scale(
    scale, paper, exhibit, off, verdict
):
    whole = papers.load_exhibit(paper, exhibit)
    evidence = computed(paper, exhibit, off)
    rows = list(number_rows(scale, papers.load_paper(paper), exhibit, evidence, "p"))
    assert [row.claim for row in rows] == [
        f"{paper}/{exhibit}/{r}/{c}" for r in whole.row_names for c in whole.column_names
    ]
    left_out = [row for row in rows if row.verdict.startswith("not_run(")]
    assert len(rows) - len(left_out) == len(evidence.cells)
    assert {row.verdict for row in rows if row not in left_out} == {verdict}


def test_a_statement_that_a_function_checked_has_its_judgement():
    paper = papers.load_paper("gmp")
    judged = Judgement(Verdict.INCONSISTENT, "n = 3 is a counter-example")
    row = checked_row("smoke", paper, "metric_is_sum", judged, "claims.json")
    assert (row.verdict, row.reason) == ("inconsistent", "n = 3 is a counter-example")
    assert (row.claim, row.provenance) == ("gmp/claims/metric_is_sum", "claims.json")


@pytest.mark.parametrize("scale", SCALES)
def test_every_statement_has_one_row_with_one_verdict(run, scale):
    source = papers.load_paper("gmp")
    evidence = run(scale, "gmp", "table3")
    names = [name for name, claim in source.claims.items() if claim.check.exhibit == "table3"]
    rows = [statement_row(scale, source, name, evidence, "p.json") for name in names]
    assert [row.claim for row in rows] == [f"gmp/claims/{name}" for name in names]
    assert len(names) == 3
    accepted = {Verdict.ORDER_HOLDS, Verdict.ORDER_FAILS, Verdict.NOT_RUN_COMPUTE}
    assert {row.verdict for row in rows} <= accepted


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
def test_even_the_printed_numbers_themselves_are_not_comparable_at_a_smaller_scale(run, scale):
    rows = number_rows(scale, papers.load_paper("gmp"), "table3", run(scale, "gmp", "table3"), "p")
    assert {row.verdict for row in rows} <= {Verdict.NOT_COMPARABLE, Verdict.NOT_RUN_COMPUTE}


def test_the_printed_numbers_themselves_are_reproduced_at_the_printed_scale(run):
    rows = number_rows(
        "paper", papers.load_paper("gmp"), "table3", run("paper", "gmp", "table3"), "p"
    )
    assert {row.verdict for row in rows} == {Verdict.REPRODUCED}


def test_numbers_far_from_the_printed_ones_differ_at_the_printed_scale(run):
    evidence = run("paper", "gmp", "table3", shift=3.0)
    rows = list(number_rows("paper", papers.load_paper("gmp"), "table3", evidence, "p"))
    assert {row.verdict for row in rows} == {Verdict.DIFFERS}
    assert all("ours - printed = +3" in row.reason for row in rows)


def test_a_row_shows_both_numbers_their_origin_and_the_other_protocols(run):
    evidence = run("paper", "gmp", "table3")
    rows = list(number_rows("paper", papers.load_paper("gmp"), "table3", evidence, "p.json"))
    (row,) = [row for row in rows if row.claim == "gmp/table3/gmp/boston"]
    assert list(asdict(row))[:10] == [*COLUMNS, "provenance"]
    assert (row.printed, row.scale, row.protocol, row.n) == (
        "3.057±0.144",
        "paper",
        "document",
        10,
    )
    assert float(row.ours) == pytest.approx(3.057, abs=0.01)
    assert float(row.spread) > 0
    assert row.provenance == "p.json"
    assert row.other_protocols.startswith("authors_code: 3.05")
    assert row.locator == "Table 3, row gmp, column boston"


def test_a_cell_that_was_left_out_says_which_scale_left_it_out(run):
    evidence = run("smoke", "gmp", "table3")
    rows = list(number_rows("smoke", papers.load_paper("gmp"), "table3", evidence, "p.json"))
    (row,) = [row for row in rows if row.claim == "gmp/table3/wn/wine"]
    assert (row.verdict, row.n, row.ours, row.provenance) == ("not_run(compute)", 0, "", "")
    assert row.reason == "the scale smoke leaves this cell out"


def test_the_order_of_the_printed_numbers_holds(run):
    """Guards the claim itself: the printed numbers do put GmP first everywhere."""
    source = papers.load_paper("gmp")
    row = statement_row("paper", source, "gmp_best", run("paper", "gmp", "table3"), "p")
    assert row.verdict == Verdict.ORDER_HOLDS
    assert row.n == 10
    assert row.other_protocols.startswith("authors_code: order_holds")


def test_the_printed_learning_rates_hold_where_cross_validation_chose_them(run):
    source = papers.load_paper("gmp")
    row = statement_row("laptop", source, "optimal_lr", run("laptop", "gmp", "table3"), "p")
    assert (row.verdict, row.protocol) == (Verdict.ORDER_HOLDS, "cv")


def test_a_statement_on_cells_that_were_not_all_run_is_not_judged(run):
    source = papers.load_paper("gmp")
    row = statement_row("smoke", source, "gmp_best", run("smoke", "gmp", "table3"), "p")
    assert row.verdict == Verdict.NOT_RUN_COMPUTE
    assert "the scale smoke does not run all cells under the protocol document" in row.reason
