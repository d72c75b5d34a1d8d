"""The chain of a claim is told in the terminal: where a number comes from, and how to get it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reactivate.auditing.chain import Ledger
from reactivate.commands.publish import publish
from reactivate.commands.repository import git
from reactivate.commands.why import COLUMN, Teller, why
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.paths import PUBLISHED
from reactivate.foundation.digests import code_digest
from reactivate.foundation.files import sha256, write_json

ROOT = Path(__file__).parents[3]
CLAIM = "gmp/table3/sp/yacht"
RECORD = "smoke/gmp/runs/yacht/mlp100-relu-sp-document/run.json"


@pytest.fixture
def told(capsys):
    """``told(claim)``: the facts that are printed, by their first word."""

    def facts(claim):
        capsys.readouterr()
        why(claim, "smoke")
        return by_word(capsys.readouterr().out.splitlines())

    return facts


def by_word(lines):
    found = {}
    for line in map(str, lines):
        found.setdefault(line[:COLUMN].strip(), []).append(line[COLUMN:])
    return found


def test_a_number_is_told_with_everything_it_rests_on(finished, told):
    found = told(CLAIM)
    record = json.loads(Path("results", RECORD).read_text(encoding="utf-8"))
    assert found["claim"] == [f"{CLAIM} at scale smoke"]
    assert found["audit"] == ["results/smoke/audit.csv"]
    assert found["locator"][0].endswith("Table 3, row sp, column yacht")
    assert found["printed"] == ["0.639±0.063"]
    evidence = json.loads(Path("results/smoke/gmp/table3.provenance.json").read_text("utf-8"))
    cell = next(c for c in evidence["cells"] if (c["row"], c["column"]) == ("sp", "yacht"))
    assert found["per seed"] == [", ".join(map(str, cell["values"]))]
    assert f"(mean {cell['mean']}, n 3)" in found["ours"][0]
    assert found["protocol"][0].startswith("document: ")
    (verdict,) = found["verdict"]
    assert verdict.startswith("not_comparable(scale): it cannot be compared, because we ran it")
    assert found["scale"] == ["epochs = 5"]
    assert found["record"] == [
        f"results/{RECORD} sha256 {sha256(Path('results', RECORD))} (as recorded)"
    ]
    data = record["data"]["sha256"]
    assert found["dataset"] == [f"yacht sha256 {data} (as in this tree)"]
    cell = Cell("yacht", "mlp100", "relu", "sp", "document")
    modules = Experiment.load("smoke").cell("gmp", cell).modules()
    assert found["code"] == [f"{code_digest(*modules)} (as in this tree)"]
    assert found["commit"] == ["None (no repository)"]
    assert found["again"] == [f"snakemake --force -- results/{RECORD}"]
    assert found["took"] == [f"{record['times']['seconds']:.0f} s"]


def test_without_results_it_is_told_from_what_was_published(finished, told):
    publish("smoke")
    Path("results").rename("elsewhere")
    found = told(CLAIM)
    assert found["audit"] == ["published/smoke/audit.csv"]
    assert found["record"][0].startswith(f"published/{RECORD} sha256 ")
    assert found["record"][0].endswith("(as recorded)")
    assert found["again"] == [f"snakemake --force -- results/{RECORD}"]


def test_a_changed_record_older_code_and_uncommitted_changes_are_said(finished, told):
    path = Path("results", RECORD)
    before = sha256(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["environment"]["git"] = {"commit": "abc", "dirty": True}
    write_json(path, {**content, "code": "0" * 16})
    found = told(CLAIM)
    assert found["record"][0].endswith(f"{sha256(path)} (tampered: {before} was recorded)")
    assert found["code"][0].startswith("0000000000000000 (stale: in this tree ")
    assert found["commit"] == ["abc (dirty: with uncommitted changes)"]


@pytest.mark.parametrize(
    ("lost", "said"),
    [(True, "clean; this clone has no such commit, code above tells"), (False, "clean")],
)
@pytest.mark.usefixtures("committer")
def test_a_commit_that_the_clone_does_not_have_is_said(finished, told, lost, said):
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "some")
    commit = "0" * 40 if lost else git("rev-parse", "HEAD")
    path = Path("results", RECORD)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["environment"]["git"] = {"commit": commit, "dirty": False}
    write_json(path, content)
    assert told(CLAIM)["commit"] == [f"{commit} ({said})"]


def test_a_number_that_was_not_run_says_what_would_make_it(finished, told):
    found = told("gmp/table3/wn/yacht")
    assert found["verdict"][0].startswith("not_run(compute)")
    assert "record" not in found
    assert found["to make"][0].endswith("reactivate plan results/smoke/gmp/table3.csv")


def test_a_statement_is_told_too(finished, told):
    found = told("gmp/claims/optimal_lr")
    assert "learning rate is 0.1 for GmP" in found["printed"][0]
    assert found["to make"][0].endswith("reactivate plan results/smoke/gmp/table3.csv")


def test_a_statement_is_quoted_with_the_lines_of_its_text(finished, told):
    found = told("gmp/claims/gmp_best")
    words = "Table 3 shows that GmP consistently achieves the best test RMSE on all benchmarks"
    assert found["quote"] == [f"line 253: {words}"]
    assert "text" not in found
    assert len(told("gmp/claims/optimal_lr")["quote"]) > 1
    assert "quote" not in told(CLAIM)


def test_a_quotation_that_the_extraction_damaged_says_so(finished, told, edit):
    says = "says: GmP consistently achieves the best test RMSE on all benchmarks."
    edit("config/papers/gmp/paper.yaml", says, f"{says}\n    text: damaged")
    forget()
    found = told("gmp/claims/gmp_best")
    assert found["text"] == ["damaged: a decisive glyph may be lost in the extracted text"]


def test_a_misprint_is_told_with_the_right_form_and_needs_no_runs(finished, told):
    found = told("gmp/claims/figure3_units")
    assert found["verdict"][0].startswith("misprint: it is a slip of the pen")
    assert len(found["quote"]) > 0
    assert "record" not in found


def test_a_proof_is_told_with_its_cases_and_the_function_that_found_it(finished, told):
    found = told("gmp/claims/degrees_of_freedom")
    assert found["verdict"][0].startswith("confirmed(")
    assert found["record"][0].startswith("results/smoke/gmp/analyse/claims.json sha256 ")
    assert any("boundary_claims:degrees_of_freedom" in line for line in found[""])


EVIDENCE = {
    "effect": "-0.5",
    "low": "-0.9",
    "high": "-0.1",
    "level": "0.985",
    "n": "5",
    "unlearned": "2",
    "size": "holds, stated 0.5",
    "counts": "1 above 0, 0 open, 2 below 0",
    "choices": "stop: loss (or error)",
    "parts": "document: fails: why; and more | program: holds: so",
    "seeds_to_decide": "101",
    "core_hours": "12.5",
    "would_change": "More seeds.",
    "own_table": "it agrees",
    "note": "be fair",
    "beside": "cv: 3",
    "reply": "A. Author, 2027-01-31: No.",
}
TOLD = {
    "effect": ["-0.5, -0.9 to -0.1 at 98.5%"],
    "replicates": ["5"],
    "unlearned": ["2"],
    "size": ["holds, stated 0.5"],
    "counts": ["1 above 0, 0 open, 2 below 0"],
    "left open": ["stop: loss (or error)"],
    "reading": ["document: fails: why; and more", "program: holds: so"],
    "to decide": ["more than 100 replicates, about 12 core-hours"],
    "change": ["More seeds."],
    "own table": ["it agrees"],
    "note": ["be fair"],
    "beside": ["cv: 3"],
    "reply": ["A. Author, 2027-01-31: No."],
}


def test_all_evidence_of_a_verdict_is_told(finished, told, monkeypatch):
    empty = set(told("gmp/table3/wn/yacht"))
    rows = Ledger("smoke").rows
    changed = {**rows, CLAIM: replace(rows[CLAIM], overrides="", **EVIDENCE)}
    monkeypatch.setattr(Ledger, "rows", changed)
    found = told(CLAIM)
    assert {word: found[word] for word in TOLD} == TOLD
    assert not empty & (set(TOLD) - {"left open"})


def test_the_reply_of_an_author_and_the_own_table_are_told(finished, told):
    found = told("gmp/claims/gmp_best")
    assert found["reply"] == ["A. Author, 2027-01-31: Ten splits are few."]
    assert found["own table"][0]
    assert found["change"][0].startswith("A word of the document on what is watched")


def test_a_whole_table_is_told_with_its_files_and_claims(finished, told):
    found = told("gmp/table3")
    assert [line.split()[0] for line in found["file"]] == [
        f"results/smoke/gmp/table3.{ending}" for ending in ("csv", "md", "tex")
    ]
    assert len(found["record"]) == 4
    assert len(found["claim"]) == 24 + 3


def test_a_published_figure_and_its_judgements_are_told(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = by_word(Teller("paper", PUBLISHED).exhibit("gmp", "figure2"))
    assert any("gmp.figure2:figure2" in line for line in found[""])
    assert all(line.endswith("(as recorded)") for line in [*found["file"], *found["record"]])
    assert any("gmp/claims/gmp_lowest_levy_error" in line for line in found["claim"])


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("gmp/table3/sp/yatch", "unknown claim 'gmp/table3/sp/yatch'; did you mean gmp/table3/sp"),
        ("gmp/claims/optimal", "unknown claim 'gmp/claims/optimal'; did you mean"),
        ("gmp/table33", "unknown exhibit 'table33'; did you mean table3"),
        ("gnp/table3", "unknown paper 'gnp'; did you mean gmp"),
    ],
)
def test_an_unknown_claim_is_answered_with_near_ones(finished, claim, expected):
    with pytest.raises(ValueError) as error:
        why(claim, "smoke")
    assert expected in str(error.value)
    assert len(str(error.value)) < 4000
