"""The way back from a claim, and what the audit says once."""

import json
import shutil
from pathlib import Path

import pytest
from reactivate.auditing.beside import audited
from reactivate.auditing.chain import Ledger, chain
from reactivate.auditing.content import dump
from reactivate.auditing.page import page, page_data
from reactivate.auditing.shown import shown
from reactivate.commands.publish import publish
from reactivate.experiment.loading import paper_names
from reactivate.experiment.paths import PUBLISHED, audit_file, dataset_file
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


def test_an_unknown_claim_is_named_with_the_file_of_all(finished):
    with pytest.raises(
        ValueError, match=r"^unknown claim 'a/b/c'; .*in results/smoke/audit\.csv$"
    ):
        chain("smoke", "a/b/c")


def test_a_statement_rests_on_the_runs_it_compares(finished, edit):
    edit("results/smoke/audit.csv", "not_run(compute)", "fails")  # whatever the verdict
    paths = {record.path for record in chain("smoke", "gmp/claims/gmp_best").records}
    assert paths == {path.as_posix() for path in Path("results").rglob("run.json")}


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
    recorded = {r["record"]: r["sha256"] for r in records(content)}
    assert recorded == {run["path"]: run["sha256"] for run in content["runs"]}


def records(content):
    return [r for e in content["exhibits"] for cell in e["cells"] for r in cell["records"]]


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
