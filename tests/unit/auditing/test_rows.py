"""Rows of the audit: every printed number and comparison, judged as if it came out as printed."""

import random
from contextlib import chdir
from pathlib import Path

import pytest
from reactivate.auditing.rows import (
    BETWEEN_PARTS,
    judged_fields,
    number_rows,
    read_judgement,
    statement_row,
    trained_judgement,
)
from reactivate.evidence.provenance import Evidence, Provenance, ShownCell, write_provenance
from reactivate.evidence.tables import COMPUTED, Entry
from reactivate.experiment import loading
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.printed import Printed
from reactivate.judging.intervals import Interval
from reactivate.judging.judgement import MANY, CaseCounts, Judgement, Size
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, Verdict

ROOT = Path(__file__).parents[3]
SCALES = ["smoke", "laptop", "paper"]
RATES = {"gmp": 0.1}
SEEDS = 13


@pytest.fixture(autouse=True)
def _from_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def shown(whole, place, values, records=(), how="", dataset=""):
    """A number of an exhibit beside the printed one."""
    entry = Entry(*place, values, how, dataset)
    return ShownCell.of(entry, whole.printed_at(*place[:2]), records)


def computed_cells(whole, off=0.0):
    """What a function gives of an exhibit, as if it were the printed number, or one beside."""
    return [
        shown(
            whole,
            (row, column, COMPUTED),
            [Printed.parse(whole.printed_at(row, column)).value + off],
            how="by hand",
        )
        for row in whole.row_names
        for column in whole.column_names
        if whole.is_computed(row, column)
    ]


@pytest.fixture
def run(tmp_path):
    """``run(scale, paper, exhibit)``: evidence as if what the scale runs came out as printed."""

    def evidence(scale, paper, exhibit, shift=0.0, reach=EVERYTHING):
        whole = loading.load_exhibit(paper, exhibit)
        cells = computed_cells(whole)
        for c in Experiment.load(scale, reach).exhibit(paper, exhibit).places:
            lost = not whole.is_printed(c.row, c.column)
            printed = 0.5 if lost else Printed.parse(whole.printed_at(c.row, c.column)).value
            folder = tmp_path / c.protocol / c.row / c.column
            folder.mkdir(parents=True)
            lines = ["seed,lr", *(f"{s},{RATES.get(c.row, 0.01)}" for s in range(SEEDS))]
            (folder / "metrics.csv").write_text("\n".join(lines), encoding="utf-8")
            noise = random.Random(str(c))
            values = [printed + shift + noise.gauss(0, 1e-4) for _ in range(SEEDS)]
            (folder / "run.json").write_text("unread", encoding="utf-8")
            place = c.row, c.column, c.protocol
            cells.append(
                shown(whole, place, values, [folder / "run.json"], dataset=c.cell.dataset)
            )
        known = {"paper": paper, "exhibit": exhibit, "scale": scale, "caption": "", "files": {}}
        path = tmp_path / f"{exhibit}.provenance.json"
        write_provenance(path, Provenance(**known, cells=cells))
        return Evidence.read(path)

    return evidence


def numbers(scale, paper, exhibit, evidence, reach=EVERYTHING):
    source = loading.load_paper(paper)
    experiment = Experiment.load(scale, reach)
    return list(number_rows(experiment, source, exhibit, evidence, "p.json"))


def exhibits(kind):
    """Every exhibit whose numbers are trained, or computed."""
    with chdir(ROOT):
        return [
            (paper, name)
            for paper in loading.paper_names()
            for name, exhibit in loading.load_paper(paper).exhibits.items()
            if exhibit.kind == kind
        ]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("trained"))
def test_every_printed_number_has_one_row_with_a_verdict_on_numbers(run, scale, paper, exhibit):
    whole = loading.load_exhibit(paper, exhibit)
    evidence = run(scale, paper, exhibit)
    rows = numbers(scale, paper, exhibit, evidence)
    assert [row.claim for row in rows] == [
        f"{paper}/{exhibit}/{r}/{c}"
        for r in whole.row_names
        for c in whole.column_names
        if whole.is_printed(r, c)
    ]
    ran = {f"{paper}/{exhibit}/{row}/{column}" for row, column, _ in evidence.cells}
    assert {row.claim for row in rows if not row.verdict.startswith("not_run(")} <= ran
    for row in rows:
        verdict = Verdict.parse(row.verdict)
        assert (row.kind, verdict.may_judge(row.kind)) == ("number", True)
        assert row.reason
        if row.protocol == COMPUTED and row.claim in ran:
            assert verdict.ruling == "confirmed"
        elif scale == "paper" and row.claim in ran:
            assert verdict.ruling in ("reproduced", "not_comparable"), row
        elif row.claim in ran:
            assert verdict.ruling in ("reproduced", "not_comparable", "not_run")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("computed"))
@pytest.mark.parametrize(
    ("off", "rulings"), [(0.0, {"confirmed"}), (1e10, {"refuted", "depends"})]
)
def test_every_number_that_follows_from_definitions_is_judged_at_every_scale(
    scale, paper, exhibit, off, rulings
):
    whole = loading.load_exhibit(paper, exhibit)
    cells = computed_cells(whole, off)
    rows = numbers(scale, paper, exhibit, Evidence({cell.place: cell for cell in cells}))
    judged = [row for row in rows if not row.verdict.startswith("not_run(")]
    assert len(rows) == len(whole.row_names) * len(whole.column_names)
    assert len(judged) == len(cells)
    assert {Verdict.parse(row.verdict).ruling for row in judged} <= rulings


def test_numbers_far_from_the_printed_ones_are_not_reproduced(run):
    rows = numbers("paper", "gmp", "table3", run("paper", "gmp", "table3", shift=3.0))
    assert not {row.verdict for row in rows} & {"reproduced", "holds"}
    assert all(float(row.effect) == pytest.approx(3.0, abs=0.01) for row in rows if row.effect)


def test_a_row_shows_both_numbers_their_interval_and_their_origin(run):
    rows = numbers("paper", "gmp", "table3", run("paper", "gmp", "table3"))
    (row,) = [row for row in rows if row.claim == "gmp/table3/gmp/boston"]
    assert (row.printed, row.scale, row.protocol) == ("3.057±0.144", "paper", "document")
    assert (row.n, row.provenance) == (str(SEEDS), "p.json")
    assert float(row.ours) == pytest.approx(3.057, abs=0.01)
    assert float(row.spread) > 0
    assert float(row.low) < float(row.effect) < float(row.high)
    assert row.level == "0.95"
    assert row.locator == "Table 3, row gmp, column boston"
    assert (row.metric, row.better) == ("test_rmse", "lower")
    assert row.choices == ""  # what the document leaves open is run, reading by reading
    readings = loading.load_paper("gmp").trained["table3"].protocols
    assert [part.partition(": ")[0] for part in row.parts.split(" | ")] == readings


def test_protocols_of_ours_stand_beside_the_verdict(run, monkeypatch):
    paper = loading.load_paper("gmp")
    cv = paper.protocols["cv"].model_copy(update={"is_ours": True})
    changed = paper.model_copy(update={"protocols": {**paper.protocols, "cv": cv}})
    evidence = run("laptop", "gmp", "table3")
    before = numbers("laptop", "gmp", "table3", evidence)
    monkeypatch.setattr("reactivate.experiment.experiment.load_paper", lambda _: changed)
    experiment = Experiment("laptop", "of which nothing is remembered")
    after = list(number_rows(experiment, changed, "table3", evidence, "p"))
    assert all(row.beside.startswith("cv: ") and "cv: " not in row.parts for row in after)
    assert not any(row.beside for row in before)


def test_a_cell_that_was_left_out_says_which_scale_left_it_out():
    rows = numbers("smoke", "gmp", "table3", Evidence({}))
    (row,) = [row for row in rows if row.claim == "gmp/table3/wn/wine"]
    assert (row.verdict, row.n, row.ours, row.provenance) == ("not_run(compute)", "", "", "")
    assert row.reason == "the scale smoke leaves this cell out here"


@pytest.mark.parametrize(
    ("paper", "exhibit", "data"),
    [
        ("gmp", "table1", "imagenet"),
        ("gmp", "table2", "imagenet32"),
        ("iieu", "table1", "imagenet"),
    ],
)
def test_images_that_were_not_supplied_are_said_at_the_printed_scale(run, paper, exhibit, data):
    rows = numbers("paper", paper, exhibit, Evidence({}), "cpu")
    reason = f"{data} has to be supplied, and was not"
    assert {(row.verdict, row.reason) for row in rows} == {("not_run(data_unavailable)", reason)}
    smaller = numbers("smoke", paper, exhibit, Evidence({}))  # it has stand-ins
    assert {row.verdict for row in smaller} == {"not_run(compute)"}


def test_a_table_may_be_part_trained_part_computed_part_not_run(run):
    rows = numbers("paper", "iieu", "table5", run("paper", "iieu", "table5", reach="cpu"), "cpu")
    found = {(row.claim.split("/")[-1], row.protocol, row.verdict) for row in rows}
    assert found == {
        ("flops", COMPUTED, "confirmed(exhaustive)"),
        ("params", COMPUTED, "confirmed(exhaustive)"),
        ("throughput", COMPUTED, "not_run(compute)"),
        ("top1", "document", "not_run(data_unavailable)"),
    }


def best_claims():
    """Claims that one row or column is best, of numbers that the documents print."""
    with chdir(ROOT):
        return [
            (name, key)
            for name in loading.paper_names()
            for key, claim in loading.load_paper(name).claims.items()
            if claim.check is not None and claim.check.best is not None
        ]


@pytest.mark.parametrize(("paper", "name"), best_claims())
def test_who_is_said_to_be_best_is_best_among_the_printed_numbers(run, paper, name):
    """Guards the claims themselves: names, directions and places are those of the documents."""
    source = loading.load_paper(paper)
    statement = source.claims[name]
    evidence, experiment = run("paper", paper, statement.check.exhibit), Experiment.load("paper")
    found, protocol = trained_judgement(experiment, source, statement, evidence)
    assert str(found.verdict) in ("holds", "not_comparable(untrained)"), found.reason
    assert found.verdict.may_judge(statement.kind)
    row = statement_row("paper", source, name, found, protocol, "p.json", "its table", 2.5)
    assert (row.claim, row.kind) == (f"{paper}/claims/{name}", "comparison")
    told = (row.own_table, row.core_hours, row.would_change)
    assert told == ("its table", "2.5", statement.would_change)


@pytest.mark.parametrize(
    ("name", "why"), [("imn_best_imagenet", "data_unavailable"), ("gmp_best", "compute")]
)
def test_a_comparison_of_which_nothing_was_run_says_why(name, why):
    source, experiment = loading.load_paper("gmp"), Experiment.load("paper")
    found, _ = trained_judgement(experiment, source, source.claims[name], Evidence({}))
    assert str(found.verdict) == f"not_run({why})"


def test_misprints_contradictions_and_what_nobody_runs_take_nothing_but_the_document():
    read = {}
    for name in loading.paper_names():
        for claim in loading.load_paper(name).claims.values():
            found = read_judgement(claim)
            if found is not None:
                read.setdefault(found.verdict.ruling.value, []).append((claim, found))
    assert {"misprint", "self_contradictory", "not_run"} <= set(read)
    for claim, found in read["misprint"]:
        for words in (*claim.quote, *claim.misprint.quote):
            assert "".join(words.split()) in "".join(found.reason.split())
    for claim, found in read["not_run"]:
        assert found.reason == claim.check.why


def test_every_field_of_a_judgement_is_told():
    part = Judgement(FAILS, "effect -1; and more")
    judgement = Judgement(
        UNDECIDED,
        "why",
        mean=1.25,
        intervals=(Interval(0.5, 2.0, 0.985), Interval(-1.0, 3.0, 0.995)),
        n=5,
        unlearned=2,
        size=Size(0.5, HOLDS),
        counts=CaseCounts(1, 2, 3),
        seeds_to_decide=MANY,
        overrides="epochs = 2",
        parts=(("a", part), ("b", part)),
    )
    told = judged_fields(judgement, 1.5)
    assert told["parts"].split(BETWEEN_PARTS) == [
        "a: fails: effect -1; and more",
        "b: fails: effect -1; and more",
    ]
    del told["parts"]
    assert told == {
        "verdict": "undecided",
        "reason": "why",
        "effect": "1.25",
        "low": "0.5",
        "high": "2",
        "level": "0.985",
        "n": "5",
        "cases": "",
        "unlearned": "2",
        "size": "holds, stated 0.5",
        "counts": "1 above 0, 2 open, 3 below 0",
        "overrides": "epochs = 2",
        "seeds_to_decide": "101",
        "core_hours": "1.5",
        "would_change": "",
    }
