"""The audit has one row, with one verdict, for every printed number and every statement."""

import random
from contextlib import chdir
from dataclasses import asdict
from pathlib import Path

import pytest
from reactivate.auditing.rows import checked_row, number_rows, statement_row
from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.evidence.provenance import Evidence, Provenance, ShownCell, write_provenance
from reactivate.evidence.tables import COMPUTED, Entry
from reactivate.experiment import loading
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.printed import Printed

ROOT = Path(__file__).parents[3]
SCALES = ["smoke", "laptop", "paper"]
COLUMNS = ["claim", "printed", "ours", "spread", "n", "scale", "protocol", "verdict", "reason"]
RATES = {"gmp": 0.1}


@pytest.fixture(autouse=True)
def _from_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def shown(whole, place, values, records=(), how=""):
    """A number of an exhibit beside the printed one."""
    return ShownCell.of(Entry(*place, values, how), whole.printed_at(*place[:2]), records)


def replace(evidence, place, values):
    cell = evidence.cells[place]
    evidence.cells[place] = cell.model_copy(update={"values": values})


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
            seeds = (
                1 if c.metric == "vote_error" else Experiment.load(scale).cell(paper, c.cell).seeds
            )
            lost = not whole.is_printed(c.row, c.column)
            printed = 0.5 if lost else Printed.parse(whole.printed_at(c.row, c.column)).value
            folder = tmp_path / c.protocol / c.row / c.column
            folder.mkdir(parents=True)
            lines = ["seed,lr", *(f"{s},{RATES.get(c.row, 0.01)}" for s in range(seeds))]
            (folder / "metrics.csv").write_text("\n".join(lines), encoding="utf-8")
            noise = random.Random(str(c))
            values = [printed + shift + noise.gauss(0, 1e-4) for _ in range(seeds)]
            (folder / "run.json").write_text("unread", encoding="utf-8")
            place = c.row, c.column, c.protocol
            cells.append(shown(whole, place, values, [folder / "run.json"]))
        known = {"paper": paper, "exhibit": exhibit, "scale": scale, "caption": "", "files": {}}
        path = tmp_path / f"{exhibit}.provenance.json"
        write_provenance(path, Provenance(**known, cells=cells))
        return Evidence.read(path)

    return evidence


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
def test_every_printed_number_has_one_row_with_one_verdict(run, scale, paper, exhibit):
    source = loading.load_paper(paper)
    evidence = run(scale, paper, exhibit)
    rows = list(number_rows(scale, source, exhibit, evidence, "p.json"))
    whole = source.exhibits[exhibit]
    wanted = [
        f"{paper}/{exhibit}/{r}/{c}"
        for r in whole.row_names
        for c in whole.column_names
        if whole.is_printed(r, c)
    ]
    assert [row.claim for row in rows] == wanted
    assert len(set(wanted)) == len(wanted)
    assert {row.verdict for row in rows} <= {str(verdict) for verdict in Verdict}
    judged = (whole.protocols[0], COMPUTED)
    ran = {
        f"{paper}/{exhibit}/{r}/{c}"
        for r, c, p in evidence.cells
        if p in judged and whole.is_printed(r, c)
    }
    assert {row.claim for row in rows if not row.verdict.startswith("not_run(")} == ran
    assert {row.verdict for row in rows if row.protocol == COMPUTED and row.claim in ran} <= {
        Verdict.RECOMPUTED_OK
    }
    assert all(row.reason for row in rows)


def test_a_table_of_the_best_is_judged_by_the_protocols_of_the_other_one(run):
    paper = loading.load_paper("thesis")
    other = run("paper", "thesis", "table6_5")
    best = Evidence(
        {
            ("smooth", column, "document"): other.cells["smooth_050", column, "document"]
            for column in paper.exhibits["table6_2"].column_names
        }
    )
    rows = list(number_rows("paper", paper, "table6_2", best, "p.json"))
    assert len(rows) == 6 * 7
    ran = {row.claim.split("/")[2] for row in rows if not row.verdict.startswith("not_run(")}
    assert ran == {"smooth"}
    assert {row.protocol for row in rows} == {"document"}


def computed(paper, exhibit, off=0.0):
    """Evidence of nothing but what follows from definitions."""
    cells = computed_cells(loading.load_exhibit(paper, exhibit), off)
    return Evidence({cell.place: cell for cell in cells})


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("computed"))
@pytest.mark.parametrize(
    ("off", "verdict"), [(0.0, Verdict.RECOMPUTED_OK), (1e10, Verdict.INCONSISTENT)]
)
def test_every_number_that_follows_from_definitions_is_judged_at_every_scale(
    scale, paper, exhibit, off, verdict
):
    whole = loading.load_exhibit(paper, exhibit)
    evidence = computed(paper, exhibit, off)
    rows = list(number_rows(scale, loading.load_paper(paper), exhibit, evidence, "p"))
    assert [row.claim for row in rows] == [
        f"{paper}/{exhibit}/{r}/{c}" for r in whole.row_names for c in whole.column_names
    ]
    left_out = [row for row in rows if row.verdict.startswith("not_run(")]
    assert len(rows) - len(left_out) == len(evidence.cells)
    assert {row.verdict for row in rows if row not in left_out} == {verdict}


def test_a_statement_that_a_function_checked_has_its_judgement():
    paper = loading.load_paper("gmp")
    judged = Judgement(Verdict.INCONSISTENT, "n = 3 is a counter-example")
    row = checked_row("smoke", paper, "metric_is_sum", judged, "claims.json")
    assert (row.verdict, row.reason) == ("inconsistent", "n = 3 is a counter-example")
    assert (row.claim, row.provenance) == ("gmp/claims/metric_is_sum", "claims.json")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("trained"))
def test_every_statement_has_one_row_with_one_verdict(run, scale, paper, exhibit):
    source = loading.load_paper(paper)
    evidence = run(scale, paper, exhibit)
    names = [name for name, claim in source.claims.items() if claim.check.exhibit == exhibit]
    rows = [statement_row(scale, source, name, evidence, "p.json") for name in names]
    assert [row.claim for row in rows] == [f"{paper}/claims/{name}" for name in names]
    accepted = {Verdict.ORDER_HOLDS, Verdict.ORDER_FAILS, Verdict.NOT_RUN_COMPUTE}
    assert {row.verdict for row in rows} <= accepted


@pytest.mark.parametrize("scale", ["smoke", "laptop"])
@pytest.mark.parametrize(("paper", "exhibit"), exhibits("trained"))
def test_even_the_printed_numbers_themselves_are_not_comparable_at_a_smaller_scale(
    run, scale, paper, exhibit
):
    evidence = run(scale, paper, exhibit)
    rows = [
        row
        for row in number_rows(scale, loading.load_paper(paper), exhibit, evidence, "p")
        if row.protocol != COMPUTED
    ]
    assert {row.verdict for row in rows} <= {Verdict.NOT_COMPARABLE, Verdict.NOT_RUN_COMPUTE}
    assert Verdict.NOT_COMPARABLE in {row.verdict for row in rows}


@pytest.mark.parametrize(("paper", "exhibit"), exhibits("trained"))
def test_the_printed_numbers_themselves_are_reproduced_at_the_printed_scale(run, paper, exhibit):
    evidence = run("paper", paper, exhibit)
    rows = [
        row
        for row in number_rows("paper", loading.load_paper(paper), exhibit, evidence, "p")
        if row.protocol != COMPUTED
    ]
    assert {row.verdict for row in rows} == {Verdict.REPRODUCED}


def test_numbers_far_from_the_printed_ones_differ_at_the_printed_scale(run):
    evidence = run("paper", "gmp", "table3", shift=3.0)
    rows = list(number_rows("paper", loading.load_paper("gmp"), "table3", evidence, "p"))
    assert {row.verdict for row in rows} == {Verdict.DIFFERS}
    assert all("ours - printed = +3" in row.reason for row in rows)


def test_a_row_shows_both_numbers_their_origin_and_the_other_protocols(run):
    evidence = run("paper", "gmp", "table3")
    rows = list(number_rows("paper", loading.load_paper("gmp"), "table3", evidence, "p.json"))
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
    rows = list(number_rows("smoke", loading.load_paper("gmp"), "table3", evidence, "p.json"))
    (row,) = [row for row in rows if row.claim == "gmp/table3/wn/wine"]
    assert (row.verdict, row.n, row.ours, row.provenance) == ("not_run(compute)", 0, "", "")
    assert row.reason == "the scale smoke leaves this cell out here"


@pytest.mark.parametrize(
    ("paper", "exhibit", "reason"),
    [
        ("gmp", "table1", "imagenet has to be supplied, and was not"),
        ("gmp", "table2", "imagenet32 has to be supplied, and was not"),
        ("crelu", "table4", "imagenet has to be supplied, and was not"),
        ("iieu", "table1", "imagenet has to be supplied, and was not"),
    ],
)
def test_images_that_were_not_supplied_are_said_at_the_printed_scale(run, paper, exhibit, reason):
    evidence = run("paper", paper, exhibit, reach="cpu")
    rows = list(number_rows("paper", loading.load_paper(paper), exhibit, evidence, "p"))
    assert {(row.verdict, row.reason) for row in rows} == {("not_run(data_unavailable)", reason)}
    assert {(row.n, row.ours, row.provenance) for row in rows} == {(0, "", "")}


def test_images_that_anybody_can_get_are_not_run_for_want_of_time(run):
    evidence = run("paper", "thesis", "table5_1", reach="cpu")
    rows = list(number_rows("paper", loading.load_paper("thesis"), "table5_1", evidence, "p"))
    verdicts = {(row.claim.split("/")[-1], row.verdict) for row in rows}
    assert verdicts == {("mnist", "reproduced"), ("cifar10", "not_run(compute)")}


def test_a_smaller_scale_has_stand_ins_so_data_is_never_unavailable(run):
    evidence = run("smoke", "iieu", "table1")
    rows = number_rows("smoke", loading.load_paper("iieu"), "table1", evidence, "p")
    assert {row.verdict for row in rows} == {"not_comparable", "not_run(compute)"}


def test_a_table_may_be_part_trained_part_computed_part_not_run(run):
    evidence = run("paper", "iieu", "table5", reach="cpu")
    rows = number_rows("paper", loading.load_paper("iieu"), "table5", evidence, "p")
    found = {(row.claim.split("/")[-1], row.protocol, row.verdict) for row in rows}
    assert found == {
        ("flops", COMPUTED, "recomputed_ok"),
        ("params", COMPUTED, "recomputed_ok"),
        ("throughput", COMPUTED, "not_run(compute)"),
        ("top1", "document", "not_run(data_unavailable)"),
    }


def test_an_epoch_that_is_never_reached_is_compared_as_such(run):
    evidence = run("paper", "iieu", "table1")
    key = ("epoch_below_2_5", "relu", "document")
    assert evidence.values(*key) == [float("inf")]  # one seed; the file has a text
    replace(evidence, ("epoch_below_2_5", "gelu", "document"), [117.0])
    replace(evidence, ("epoch_below_2_5", "iieu_b", "document"), [float("inf")])
    rows = number_rows("paper", loading.load_paper("iieu"), "table1", evidence, "p")
    found = {row.claim.split("/", 2)[-1]: row for row in rows}
    assert found["epoch_below_2_5/relu"].verdict == "reproduced"
    assert found["epoch_below_2_5/gelu"].verdict == "differs"
    assert found["epoch_below_2_5/iieu_b"].verdict == "differs"
    assert found["epoch_below_2_5/iieu_b"].reason == "ours –, printed 97.00"


@pytest.mark.parametrize(
    ("values", "verdict"),
    [([98.0, 98.2, 98.1], "reproduced"), ([98.10, 98.12, 98.11], "differs")],
)
def test_one_printed_run_is_judged_by_the_spread_of_ours(run, values, verdict):
    evidence = run("paper", "thesis", "table5_1", reach="cpu")
    replace(evidence, ("relu", "mnist", "document"), values)
    rows = number_rows("paper", loading.load_paper("thesis"), "table5_1", evidence, "p")
    (row,) = [row for row in rows if row.claim == "thesis/table5_1/relu/mnist"]
    assert (row.verdict, row.n) == (verdict, 3)
    assert "printed as one run, 3 of ours" in row.reason


def test_the_order_of_the_printed_numbers_holds(run):
    """Guards the claim itself: the printed numbers do put GmP first everywhere."""
    source = loading.load_paper("gmp")
    row = statement_row("paper", source, "gmp_best", run("paper", "gmp", "table3"), "p")
    assert row.verdict == Verdict.ORDER_HOLDS
    assert row.n == 10
    assert row.other_protocols.startswith("authors_code: order_holds")


def test_the_printed_learning_rates_hold_where_cross_validation_chose_them(run):
    source = loading.load_paper("gmp")
    row = statement_row("laptop", source, "optimal_lr", run("laptop", "gmp", "table3"), "p")
    assert (row.verdict, row.protocol) == (Verdict.ORDER_HOLDS, "cv")


def test_a_statement_on_cells_that_were_not_all_run_is_not_judged(run):
    source = loading.load_paper("gmp")
    row = statement_row("smoke", source, "gmp_best", run("smoke", "gmp", "table3"), "p")
    assert row.verdict == Verdict.NOT_RUN_COMPUTE
    assert "the scale smoke does not run all cells under the protocol document" in row.reason


def test_a_statement_on_images_that_were_not_supplied_says_so(run):
    source = loading.load_paper("crelu")
    evidence = run("paper", "crelu", "table4", reach="cpu")
    row = statement_row("paper", source, "first_layers_best", evidence, "")
    assert (row.verdict, row.n) == (Verdict.NOT_RUN_DATA, 0)
    assert row.reason == "imagenet has to be supplied, and was not"
    other = statement_row("paper", source, "same_neurons", Evidence({}), "")
    assert other.verdict == Verdict.NOT_RUN_COMPUTE


@pytest.mark.parametrize(
    ("paper", "name", "verdict"),
    [
        ("thesis", "benchmark_fails", Verdict.ORDER_HOLDS),
        ("thesis", "benchmark_fails_resnet", Verdict.ORDER_HOLDS),
        ("thesis", "relu_most_robust", Verdict.ORDER_HOLDS),
        ("thesis", "sigmoid_init_fails", Verdict.ORDER_HOLDS),
        ("thesis", "gelu_init_fails", Verdict.ORDER_HOLDS),
        ("thesis", "gelu_beats_relu", Verdict.ORDER_HOLDS),
        ("thesis", "gelu_beats_relu_resnet", Verdict.ORDER_HOLDS),
        ("thesis", "gelu_highest", Verdict.ORDER_HOLDS),
        ("crelu", "same_neurons", Verdict.ORDER_HOLDS),
        ("crelu", "same_filters", Verdict.ORDER_HOLDS),
        ("crelu", "deeper_networks", Verdict.ORDER_HOLDS),
        ("crelu", "first_layers_best", Verdict.ORDER_HOLDS),
        ("iieu", "lowest_loss", Verdict.ORDER_HOLDS),
        ("iieu", "highest_accuracy_deeper", Verdict.ORDER_HOLDS),
        ("iieu", "layer_norm_best", Verdict.ORDER_HOLDS),
        ("iieu", "significant_accuracy", Verdict.ORDER_HOLDS),
        ("gmp", "imn_best_imagenet", Verdict.ORDER_HOLDS),
        ("gmp", "imn_best_all_batches", Verdict.ORDER_HOLDS),
    ],
)
def test_statements_hold_of_the_printed_numbers_they_speak_of(run, paper, name, verdict):
    """Guards the claims themselves: names, directions and places are those of the documents."""
    source = loading.load_paper(paper)
    evidence = run("paper", paper, source.claims[name].check.exhibit)
    row = statement_row("paper", source, name, evidence, "p")
    assert row.verdict == verdict, row.reason
