"""The way back from a claim, and what the audit says once."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
from reactivate.auditing.beside import audited
from reactivate.auditing.chain import Ledger, Link, chain
from reactivate.auditing.content import dump
from reactivate.auditing.page import page, page_data
from reactivate.auditing.sharing import Runs
from reactivate.auditing.shown import shown
from reactivate.commands.publish import publish
from reactivate.evidence.details import ReadFile
from reactivate.evidence.provenance import read_provenance
from reactivate.experiment.loading import paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file, dataset_file, exhibit_file
from reactivate.foundation.files import recorded_checksum, sha256
from reactivate.stages.audit import audit
from reactivate.stages.join import join

CLAIM = "gmp/table3/gmp/boston"
RECORD = "results/smoke/gmp/runs/boston/mlp100-relu-gmp-document/run.json"


def audit_scale(scale, reach="all"):
    """Audits every paper at a scale, and joins their audits."""
    for paper in paper_names():
        audit(scale, paper, reach)
    join(scale, reach)


def test_a_number_rests_on_its_record_data_code_and_commit(finished):
    found = chain("smoke", CLAIM)
    record = json.loads(Path(RECORD).read_text(encoding="utf-8"))
    (number,) = found.numbers
    (told,) = found.records
    assert (told.path, told.sha256) == (RECORD, sha256(Path(RECORD)))
    assert told.record.code == record["code"]
    assert told.record.environment.model_dump() == record["environment"]
    assert told.record.data.sha256 == recorded_checksum(dataset_file("boston"))
    assert (told.record.made_by, told.record.seeds) == ("sweep", [0, 1, 2])
    assert len(number.values) == number.n == int(found.row.n) == 3
    assert found.command == f"snakemake --force -- {RECORD}"
    assert found.seconds == record["times"]["seconds"] > 0


def test_what_was_not_run_rests_on_nothing(finished):
    found = chain("smoke", "gmp/table3/wn/boston")
    assert found.row.verdict == "not_run(compute)"
    assert (found.numbers, found.records, found.command, found.seconds) == ((), (), "", 0)


@pytest.mark.parametrize(("verdict", "told"), [("holds", True), ("unheard_of", False)])
def test_an_audit_of_older_rules_is_not_shown_beside_another(finished, verdict, told):
    text = Path("results/smoke/audit.csv").read_text(encoding="utf-8")
    other = Path("results/paper/audit.csv")
    other.parent.mkdir()
    other.write_text(text.replace("not_run(compute)", verdict), encoding="utf-8")
    assert set(audited(Ledger("smoke"))) == ({"smoke", "paper"} if told else {"smoke"})


def test_columns_that_an_audit_does_not_have_and_ends_of_lines_are_empty(finished):
    table = Path("results/smoke/audit.csv")
    table.write_text("verdict,unheard of,claim,printed\nholds,x,a,7\nfails,x,b\n\n")
    rows = Ledger("smoke").rows
    told = [(row.claim, row.verdict, row.printed, row.reply) for row in rows.values()]
    assert told == [("a", "holds", "7", ""), ("b", "fails", "", "")]


def test_an_unknown_claim_is_named_with_the_file_of_all(finished):
    with pytest.raises(
        ValueError, match=r"^unknown claim 'a/b/c'; .*in results/smoke/audit\.csv$"
    ):
        chain("smoke", "a/b/c")


def test_a_statement_rests_on_the_runs_it_compares(finished, edit):
    edit("results/smoke/audit.csv", "not_run(compute)", "fails")  # whatever the verdict
    paths = {record.path for record in chain("smoke", "gmp/claims/gmp_best").records}
    assert paths == {path.as_posix() for path in Path("results").rglob("run.json")}


def test_a_statement_on_one_column_rests_on_the_runs_of_that_column(finished, edit):
    edit("config/papers/gmp/paper.yaml", "best: gmp\n", "best: gmp\n      columns: [boston]\n")
    edit("results/smoke/audit.csv", "not_run(compute)", "fails")
    paths = {record.path for record in chain("smoke", "gmp/claims/gmp_best").records}
    assert paths == {
        path.as_posix() for path in Path("results").glob("*/gmp/runs/boston/*/run.json")
    }
    assert paths != {path.as_posix() for path in Path("results").rglob("run.json")}


def test_published_files_tell_the_same_as_results(finished):
    publish("smoke")
    here = [Ledger("smoke").chain(claim) for claim in Ledger("smoke").rows]
    shutil.rmtree("results")
    published = Ledger("smoke", PUBLISHED)
    assert [published.chain(claim) for claim in published.rows] == here


def test_the_command_names_the_reach_of_the_audit(finished, edit):
    edit(audit_file("smoke", "json"), '"reach": "all"', '"reach": "cpu"')
    assert chain("smoke", CLAIM).command == f"snakemake --force --config reach=cpu -- {RECORD}"


@pytest.mark.parametrize(
    ("spoil", "claim", "expected"),
    [
        (lambda: None, "gmp/table3/gmp/bostn", "did you mean gmp/table3/gmp/boston"),
        (lambda: None, "gmp/tabel3/gmp/boston", "did you mean gmp/table3/gmp/boston or gmp/tab"),
        (lambda: None, "unheard", "accepted: gmp/table3/..., gmp/claims/..."),
        (lambda: audit_file("smoke", "csv").unlink(), CLAIM, "make it with: snakemake results/sm"),
        (lambda: Path(RECORD).unlink(), CLAIM, f"{RECORD} is missing, though the audit of smoke"),
    ],
)
def test_a_broken_chain_says_where(finished, spoil, claim, expected):
    spoil()
    with pytest.raises(ValueError) as error:
        chain("smoke", claim)
    assert expected in str(error.value)


def test_runs_and_their_environment_are_listed_once(finished):
    content = json.loads(audit_file("smoke", "json").read_text(encoding="utf-8"))
    paths = [run["path"] for run in content["runs"]]
    assert sorted(paths) == sorted(p.as_posix() for p in Path("results").rglob("run.json"))
    assert len(content["environments"]) == 1
    assert {data["name"] for data in content["datasets"]} == {"boston", "yacht"}
    assert [[paths[place] for place in cell["records"]] for cell in cells(content)] == [
        [kept.record for kept in cell.records]
        for exhibit in content["exhibits"]
        for cell in read_provenance(
            exhibit_file("smoke", exhibit["paper"], exhibit["name"], "provenance.json")
        ).cells
    ]
    assert all(sha256(Path(run["path"])) == run["sha256"] for run in content["runs"])


def cells(content):
    return [cell for exhibit in content["exhibits"] for cell in exhibit["cells"]]


def test_the_page_knows_other_scales_that_are_beside_it_or_published(finished):
    text = audit_file("smoke", "csv").read_text(encoding="utf-8")
    (PUBLISHED / "paper").mkdir(parents=True)
    other = text.replace("not_comparable(scale)", "reproduced")
    audit_file("paper", "csv", PUBLISHED).write_text(other, encoding="utf-8")
    (told,) = page_data(Ledger("smoke"))["scales"]
    data = page_data(Ledger("smoke"))
    assert (told["name"], told["page"]) == ("paper", "../../published/paper/audit.html")
    claims = [claim[0] for claim in data["claims"]]
    verdict, ours, interval = told["told"][claims.index(CLAIM)]
    row = Ledger("smoke").rows[CLAIM]
    assert interval == {name: getattr(row, name) for name in interval}
    assert interval.keys() == {"effect", "low", "high", "level", "n"}
    assert data["verdicts"][verdict] == "reproduced"
    assert ours == data["claims"][claims.index(CLAIM)][8][0][1] != ""


def test_a_run_that_another_reads_is_listed_and_told_by_its_place(finished):
    ledger = Ledger("smoke")
    (run,) = ledger.chain(CLAIM).records
    values = ReadFile(file="values.csv", sha256="0" * 64)
    read = [ReadFile(file=run.path, sha256=run.sha256), values]
    runs = Runs(ledger)
    reader = Link("reader/run.json", "1" * 64, run.record.model_copy(update={"read": read}))
    place, file = runs.runs[runs.place(reader)]["read"]
    assert runs.runs[place]["path"] == run.path
    assert file == {"file": "values.csv", "sha256": "0" * 64}
    assert [runs.place(reader), runs.place(run)] == [1, place]


def test_the_page_knows_nothing_of_a_claim_that_another_scale_does_not_have(finished):
    first, *lines = audit_file("smoke", "csv").read_text(encoding="utf-8").splitlines(True)
    audit_file("paper", "csv").parent.mkdir()
    others = [line for line in lines if not line.startswith(f"{CLAIM},")]
    audit_file("paper", "csv").write_text("".join([first, *others]), encoding="utf-8")
    data = page_data(Ledger("smoke"))
    (told,) = data["scales"]
    without = [
        claim[0] for claim, said in zip(data["claims"], told["told"], strict=True) if not said
    ]
    assert without == [CLAIM]


def test_the_page_tells_how_far_the_order_of_a_table_is_the_printed_one(finished):
    with audit_file("smoke", "agreement.csv").open(encoding="utf-8") as file:
        lines = {(line["paper"], line["exhibit"]): line for line in csv.DictReader(file)}
    told = {
        (paper["name"], exhibit["name"]): exhibit["agreement"]
        for paper in page_data(Ledger("smoke"))["papers"]
        for exhibit in paper["exhibits"]
        if "agreement" in exhibit
    }
    assert told.keys() == lines.keys() != set()
    for place, text in told.items():
        numbers = [float(number) for number in re.findall(r"[-+]?\d+(?:\.\d+)?", text)]
        wanted = [float(lines[place][name]) for name in ("tau", "low", "high", "pairs")]
        assert numbers == pytest.approx(wanted, abs=0.005)


def test_the_page_knows_what_people_call_its_names(finished):
    labels = page_data(Ledger("smoke"))["labels"]
    assert labels["gmp"] == "GmP"
    assert all(text != name.replace("_", " ") for name, text in labels.items())


def test_no_text_of_a_claim_can_end_the_script_that_holds_it(finished, edit):
    edit("config/papers/gmp/paper.yaml", "GmP consistently", "</script><b>GmP consistently")
    audit_scale("smoke")
    text = audit_file("smoke", "html").read_text(encoding="utf-8")
    assert "\\u003c/script>\\u003cb>GmP consistently" in text
    assert text.count("</script>") == 2


def test_no_quotation_can_either_and_it_stands_on_the_page_with_its_lines(finished, edit):
    said = "Table 3 shows that GmP consistently"
    edit("config/papers/gmp/paper.yaml", said, f"</script><i>{said}")
    audit_scale("smoke")
    text = audit_file("smoke", "html").read_text(encoding="utf-8")
    assert f"\\u003c/script>\\u003ci>{said}" in text
    assert text.count("</script>") == 2
    claims = {claim[0]: claim for claim in page_data(Ledger("smoke"))["claims"]}
    whole = f"</script><i>{said} achieves the best test RMSE on all benchmarks"
    assert claims["gmp/claims/gmp_best"][11:13] == [[["line 253", whole]], ""]
    assert claims[CLAIM][11:13] == [[], ""]


def test_the_page_says_what_a_number_measures(finished):
    data = page_data(Ledger("smoke"))
    claim = next(claim for claim in data["claims"] if claim[0] == CLAIM)
    assert data["measures"][claim[7]] == ["test_rmse", "target units", "lower"]


def test_the_page_of_the_stage_is_made_from_files_alone(finished):
    assert page(Ledger("smoke")) == audit_file("smoke", "html").read_text(encoding="utf-8")


def test_what_is_dumped_is_the_json_it_was(finished):
    text = audit_file("smoke", "json").read_text(encoding="utf-8")
    assert dump(json.loads(text)) == text


@pytest.mark.parametrize(
    ("printed", "mean", "protocol", "expected"),
    [
        ("✓", 1.0, "computed", "✓"),
        ("1.4M", 1302148.0, "computed", "1.302M"),
        ("–", float("inf"), "document", "–"),
        ("10.00", float("nan"), "document", "diverged"),
        ("92.60", 10.0, "document", "10"),
    ],
)
def test_our_numbers_are_shown_like_the_printed_ones(printed, mean, protocol, expected):
    assert shown(printed, mean, None, 1, protocol) == expected
