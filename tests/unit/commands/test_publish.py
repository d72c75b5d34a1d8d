"""Only what can be vouched for is published, whole or not at all."""

import json
from pathlib import Path

import pandas as pd
import pytest
from reactivate.artifacts.readme import renewed
from reactivate.auditing import currency
from reactivate.commands import publish as command
from reactivate.commands.publish import publish
from reactivate.evidence.histories import thinned
from reactivate.evidence.publication import write_sums
from reactivate.evidence.versions import whole_sum
from reactivate.experiment.experiment import forget
from reactivate.foundation.digests import code_digest
from reactivate.foundation.files import recorded_checksum, sha256

ROOT = Path(__file__).parents[3]
FOLDER = Path("results/smoke/gmp")
RUN = FOLDER / "runs/yacht/mlp100-relu-sp-document"
PUBLISHED = Path("published/smoke")


def files(folder):
    return {
        path.relative_to(folder).as_posix(): whole_sum(path)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_exhibits_records_and_audit_are_published_without_weights(finished, capsys):
    publish("smoke")
    published, results = files(PUBLISHED), files(Path("results/smoke"))
    del published["SHA256SUMS"]  # of all the others
    del published["modules.json"]  # lists that records refer to
    # an audit of what was published is one of what exists
    told = {"audit.html", "audit.json"}
    assert published.keys() >= told
    curves = {name for name in published if name.endswith("/curve.csv")}
    others = published.keys() - told - curves
    assert {name: published[name] for name in others} == {name: results[name] for name in others}
    assert {name for name in published if "/runs/" not in name} == {
        "audit.csv",
        "audit.html",
        "audit.json",
        "audit.verdicts.json",
        "audit.agreement.csv",
        "gmp/analyse/claims.json",
        "gmp/table3.csv",
        "gmp/table3.md",
        "gmp/table3.tex",
        "gmp/table3.provenance.json",
    }
    runs = [name for name in published if "/runs/" in name]
    assert len(runs) == 4 * 3
    assert {Path(name).name for name in runs} == {"run.json", "metrics.csv", "curve.csv"}
    assert f"published {len(published) + 1} files to published/smoke" in capsys.readouterr().out


def test_a_curve_is_its_history_with_few_epochs_and_stays_where_that_is_gone(finished):
    publish("smoke")
    curve = PUBLISHED / RUN.relative_to("results/smoke") / "curve.csv"
    text = curve.read_text(encoding="utf-8")
    assert text == thinned((RUN / "history.csv").read_text(encoding="utf-8"))
    page = sha256(PUBLISHED / "audit.html")
    (RUN / "history.csv").unlink()  # as in a clone that has what was published
    (RUN / "curve.csv").write_text(text, encoding="utf-8")
    publish("smoke")
    assert curve.read_text(encoding="utf-8") == text
    assert sha256(PUBLISHED / "audit.html") == page


def test_a_publication_from_before_there_were_curves_is_published_again(finished):
    publish("smoke")
    for folder in (path.parent for path in Path("results/smoke").rglob("history.csv")):
        (folder / "history.csv").unlink()
    publish("smoke")
    assert list(PUBLISHED.rglob("curve.csv")) == []


def test_publishing_again_replaces_everything_and_leaves_nothing_else(finished):
    publish("smoke")
    (PUBLISHED / "gmp" / "old_table.csv").write_text("stale", encoding="utf-8")
    (PUBLISHED / "audit.csv").write_text("stale", encoding="utf-8")
    publish("smoke")
    assert not (PUBLISHED / "gmp" / "old_table.csv").exists()
    assert sha256(PUBLISHED / "audit.csv") == sha256(Path("results/smoke/audit.csv"))
    assert [path.name for path in Path("published").iterdir()] == ["smoke"]
    assert not Path(".publishing").exists()


def test_another_scale_stays_as_it_was_published(finished):
    other = Path("published/paper/gmp/table3.csv")
    other.parent.mkdir(parents=True)
    other.write_text("kept", encoding="utf-8")
    write_sums(Path("published/paper"))
    publish("smoke")
    assert other.read_text(encoding="utf-8") == "kept"


def test_another_scale_that_was_changed_does_not_get_a_list_of_sums_that_fits(finished):
    other = Path("published/paper/gmp/table3.csv")
    other.parent.mkdir(parents=True)
    other.write_text("kept", encoding="utf-8")
    write_sums(Path("published/paper"))
    other.write_text("forged", encoding="utf-8")
    with pytest.raises(ValueError, match=r"published/paper/gmp/table3\.csv is not as published/p"):
        publish("smoke")
    assert not Path("published/smoke").exists()


def tamper(path):
    path.write_text(path.read_text(encoding="utf-8").replace("1", "2"), encoding="utf-8")


def use_other_code(monkeypatch):
    """The code of runs is another one; that of checks, which are made with the audit, is not."""

    def other(*targets):
        return code_digest(*targets) if currency.CHECK in targets else "0123456789abcdef"

    monkeypatch.setattr(currency, "code_digest", other)


def look_by_older_code(_):
    path = FOLDER / "analyse/claims.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    kept["findings"]["old"] = {
        "function": "reactivate.documents.gmp.boundary_claims:degrees_of_freedom",
        "code": "0123456789abcdef",
        "printed": None,
        "seconds": 0,
        "warnings": [],
        "says": "Made before.",
    }
    path.write_text(json.dumps(kept), encoding="utf-8")


BAD = {
    "claims looked into by older code": (
        look_by_older_code,
        ["gmp/analyse/claims.json", "1 claims", "e.g. old", "snakemake results/smoke/audit.html"],
    ),
    "an edited table": (
        lambda _: tamper(FOLDER / "table3.csv"),
        [
            "results/smoke/gmp/table3.csv is not the file that",
            "it was edited",
            "snakemake --force",
        ],
    ),
    "an edited caption": (
        lambda _: tamper(FOLDER / "table3.md"),
        ["results/smoke/gmp/table3.md is not the file that"],
    ),
    "edited metrics": (
        lambda _: tamper(RUN / "metrics.csv"),
        [str(RUN / "metrics.csv"), "changed or lost after the run"],
    ),
    "an edited record": (
        lambda _: tamper(RUN / "run.json"),
        [f"{RUN / 'run.json'} is not the record the table was made from", "run snakemake again"],
    ),
    "no audit": (
        lambda _: Path("results/smoke/audit.html").unlink(),
        ["results/smoke/audit.html does not exist; make it with: snakemake results/smoke/audit"],
    ),
}
NEW = {
    "lost weights": (
        lambda _: (RUN / "model.safetensors").unlink(),
        [str(RUN / "model.safetensors"), "sha256 is missing"],
    ),
    "other code": (
        use_other_code,
        ["was made by code", "which now is 0123456789abcdef", "run snakemake again"],
    ),
}


@pytest.mark.parametrize("reason", sorted(BAD))
def test_what_cannot_be_vouched_for_is_refused_and_nothing_is_replaced(
    finished, monkeypatch, reason
):
    publish("smoke")
    before = files(Path("published"))
    spoil, expected = BAD[reason]
    spoil(monkeypatch)
    with pytest.raises(ValueError) as error:
        publish("smoke")
    assert [part for part in expected if part not in str(error.value)] == [], str(error.value)
    assert files(Path("published")) == before


@pytest.mark.parametrize("reason", sorted(NEW))
def test_what_is_stale_may_stay_published_but_not_come_anew(finished, monkeypatch, reason):
    spoil, expected = NEW[reason]
    publish("smoke")
    before = files(Path("published"))
    spoil(monkeypatch)
    publish("smoke")
    assert files(Path("published")) == before
    (PUBLISHED / RUN.relative_to("results/smoke") / "run.json").unlink()  # as if it were new
    with pytest.raises(ValueError) as error:
        publish("smoke")
    assert [part for part in expected if part not in str(error.value)] == [], str(error.value)


def test_a_run_on_other_data_than_the_catalog_has_is_refused(finished, edit):
    known = recorded_checksum(Path("data/prepared/yacht.safetensors"))
    edit("config/papers/gmp/datasets.yaml", known, "ab" * 32)
    forget()
    with pytest.raises(ValueError, match=r"was made from yacht with sha256 .* which now is abab"):
        publish("smoke")
    assert not PUBLISHED.exists()


def test_a_run_interrupted_while_copying_leaves_the_old_publication(finished, monkeypatch):
    publish("smoke")
    before = files(Path("published"))

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command.shutil, "copyfile", stop)
    with pytest.raises(KeyboardInterrupt):
        publish("smoke")
    assert files(Path("published")) == before
    assert not Path(".publishing").exists()


def test_an_unknown_scale_is_answered_with_the_known_ones(finished):
    with pytest.raises(ValueError, match="unknown scale 'smok'; did you mean smoke"):
        publish("smok")


TOLD = {
    "README.md": [
        "| Its one headline claim has no answer yet. |",
        "| 1 without runs | of 2 claims behind them 2 open, slips or not run |",
    ],
    "docs/answers.md": [
        "1. GmP is best.\n   **No answer yet: not run, or not comparable.** Of 2 claims behind it",
    ],
}


@pytest.mark.parametrize("name", TOLD)
def test_texts_tell_headlines_and_answers_of_what_is_published(finished, name):
    publish("smoke")
    text = Path(name).read_text(encoding="utf-8")
    assert [told for told in TOLD[name] if told not in text] == []
    assert text.startswith("# Toy\n")
    assert text.endswith("\nThe end.\n")
    publish("smoke")
    assert Path(name).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", TOLD)
def test_the_texts_of_the_project_tell_what_is_published(monkeypatch, name):
    monkeypatch.chdir(ROOT)
    text = Path(name).read_text(encoding="utf-8")
    assert renewed(text, path=Path(name)) == text, "run: reactivate publish"


def test_what_belongs_to_no_scale_stays_when_another_is_published(finished):
    for name in ("benchmarks.md", "notebooks/gmp.html"):
        path = Path("published", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("kept", encoding="utf-8")
    publish("smoke")
    assert Path("published/benchmarks.md").read_text(encoding="utf-8") == "kept"
    assert Path("published/notebooks/gmp.html").read_text(encoding="utf-8") == "kept"


def test_a_published_record_is_the_one_behind_the_published_table(finished):
    publish("smoke")
    evidence = json.loads((PUBLISHED / "gmp/table3.provenance.json").read_text(encoding="utf-8"))
    records = [record for cell in evidence["cells"] for record in cell["records"]]
    assert len(records) == 4
    for found in records:
        record = Path("published") / Path(found["record"]).relative_to("results")
        assert whole_sum(record) == found["sha256"] != sha256(record)


def test_metrics_of_dvc_are_the_verdicts_of_the_published_scales():
    """What `dvc metrics diff` compares; DVC itself reads them."""
    from dvc.repo import Repo

    with Repo(str(ROOT)) as repo:
        shown = repo.metrics.show()[""]["data"]
    scales = [scale for scale in ("laptop", "paper") if (ROOT / "published" / scale).exists()]
    assert set(shown) == {f"published/{scale}/audit.verdicts.json" for scale in scales}
    for scale in scales:
        audit = pd.read_csv(ROOT / f"published/{scale}/audit.csv")
        counts = shown[f"published/{scale}/audit.verdicts.json"]["data"]
        assert sum(sum(paper.values()) for paper in counts.values()) == len(audit)
