"""Who is blamed where files contradict each other, and what is older than it should be."""

import hashlib
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from reactivate.auditing.assurances import Assurance, of_record, settle
from reactivate.auditing.currency import (
    CHECK,
    modules_since,
    older_code,
    outdated_checks,
    targets_of,
)
from reactivate.auditing.data import data_findings, older_data
from reactivate.auditing.findings import KINDS, Finding
from reactivate.auditing.verifying import Verification
from reactivate.evidence.environment import changed_since
from reactivate.evidence.publication import SUMS
from reactivate.evidence.records import read_record
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import PUBLISHED, RESULTS, dataset_file
from reactivate.foundation.digests import code_digest
from reactivate.foundation.files import checksum_path, sha256, write_json

OTHER = "0" * 64
FUNCTION = "reactivate.documents.gmp.figure1_claims:judge"


def read(file, expected=OTHER):
    return SimpleNamespace(file=str(file), sha256=expected)


@pytest.fixture
def record(unrun, leave_record):
    """``record(**changed)``: the record of a made-up training, outside of results."""
    cell = Experiment.load("smoke").exhibit("gmp", "table3").places[0].cell

    def leave(name="older", **changed):
        folder = Path(name)
        folder.mkdir()
        (folder / "metrics.csv").write_text("seed\n0\n")
        known = {"paper": "gmp", "scale": "smoke", "cell": cell, "seeds": [0]}
        return leave_record(folder, **{**known, **changed})

    return leave


@pytest.mark.parametrize(("root", "place"), [(RESULTS, "results"), (PUBLISHED, "published")])
def test_a_record_vouches_for_the_records_it_was_made_from_but_not_for_data(root, place):
    made_from = [read("results/smoke/a/run.json"), read("data/prepared/x.safetensors.sha256")]
    path = Path("b/run.json")
    found = list(of_record(path, SimpleNamespace(files={}, read=made_from), root))
    assert found == [Assurance(path, Path(f"{place}/smoke/a/run.json"), OTHER)]


@pytest.mark.parametrize(("name", "kind"), [("run.json", "stale"), (SUMS, "tampered")])
def test_who_is_denied_by_the_file_and_by_another_is_blamed(tmp_path, name, kind):
    about = tmp_path / "table.csv"
    about.write_text("1\n")
    right, wrong = tmp_path / "right.json", tmp_path / name
    said = [Assurance(right, about, sha256(about)), Assurance(wrong, about, OTHER)]
    (found,) = settle(said).items()
    assert (found[0], found[1].kind, found[1].path) == (wrong, kind, wrong)


@pytest.fixture
def uncommitted(record):
    """Path of a record that was made from files that were not committed."""
    dirty = {"git": {"commit": "abc", "dirty": True}}
    environment = {**read_record(record("model")).environment.model_dump(), **dirty}
    return record(environment=environment)


def test_a_record_that_is_only_older_is_still_believed(uncommitted):
    """What is stale is no forgery, so what else it says is told too."""
    older = uncommitted
    about = Path("table.csv")
    about.write_text("1\n")
    said = [Assurance(Path("right.json"), about, sha256(about)), Assurance(older, about, OTHER)]
    known = Verification("smoke", RESULTS, {older: read_record(older)}, assurances=said)
    kinds = [finding.kind for finding in known.findings() if finding.path == older]
    assert {"stale", "dirty"} <= set(kinds)
    assert known.doubtful == set()


def test_what_forged_files_say_is_not_told(uncommitted):
    drawn = Path("figure1.provenance.json")
    drawn.write_text("{}")
    made = read_record(uncommitted)
    said = [Assurance(Path("right.json"), path, OTHER) for path in (uncommitted, drawn)]
    shown = {drawn: SimpleNamespace(record=made)}
    known = Verification("smoke", RESULTS, {uncommitted: made}, shown, said)
    found = [(finding.kind, finding.path) for finding in known.findings()]
    assert sorted(found) == sorted([("tampered", uncommitted), ("tampered", drawn)])
    assert known.doubtful == {uncommitted, drawn}


def test_a_file_that_is_not_as_recorded_is_wrong_and_one_that_is_older_is_not():
    wrong = [kind for kind in KINDS if Finding(kind, Path("a"), "").wrong]
    assert set(KINDS) - set(wrong) == {"unsigned", "stale", "dirty"}
    assert {"tampered", "missing", "unvouched", "unfounded", "foreign", "uncommitted"} < set(wrong)


@pytest.mark.parametrize("right", [True, False])
def test_what_is_said_of_prepared_data_is_compared_with_it(unrun, monkeypatch, right):
    monkeypatch.setattr("reactivate.auditing.data.catalog", dict)
    data = dataset_file("boston")
    said = data.with_suffix(".json")
    write_json(said, {"sha256": sha256(data) if right else OTHER})
    assert [(f.kind, f.path) for f in data_findings()] == ([] if right else [("tampered", said)])


def test_what_was_made_by_no_cell_and_no_exhibit_was_made_by_a_check(unrun):
    nowhere = SimpleNamespace(git=SimpleNamespace(commit=None))
    made = SimpleNamespace(
        paper="gmp", cell=None, exhibit=None, made_by=FUNCTION, environment=nowhere
    )
    assert targets_of(made) == (CHECK, FUNCTION)
    made.modules, made.code = {}, code_digest(CHECK, FUNCTION)
    assert older_code(made) is None
    made.code = "older"
    assert older_code(made).startswith("made by code older, which now is ")


def test_modules_are_named_of_records_that_kept_none(unrun, monkeypatch):
    files = frozenset({"workflow/reactivate/stages/check.py", "README.md"})
    known = {"abc": files}.get
    monkeypatch.setattr("reactivate.auditing.currency.changed_since", known)
    assert modules_since("abc", (CHECK, FUNCTION)) == [CHECK]
    assert modules_since("unknown", (CHECK, FUNCTION)) == []
    assert modules_since(None, (CHECK, FUNCTION)) == []
    where = SimpleNamespace(git=SimpleNamespace(commit="abc"))
    made = SimpleNamespace(
        paper="gmp", cell=None, exhibit=None, made_by=FUNCTION, environment=where
    )
    made.modules, made.code = {}, "older"
    assert older_code(made).endswith(f": {CHECK} changed")


def test_files_since_a_commit_are_those_that_differ_from_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for name in ("a", "b"):
        Path(name).write_text("1")
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "start"]):
        subprocess.run(["git", *words], check=True)
    Path("b").write_text("2")
    changed_since.cache_clear()
    assert {name for name in changed_since("HEAD") if name} == {"b"}
    assert changed_since("0" * 40) is None
    changed_since.cache_clear()


def test_checks_by_other_code_are_outdated(unrun):
    now = code_digest(CHECK, FUNCTION)
    looked = {
        name: SimpleNamespace(function=FUNCTION, code=code, printed={})
        for name, code in [("current", now), ("older", "another")]
    }
    judged = SimpleNamespace(paper="gmp", looked=looked, modules={})
    assert list(outdated_checks(judged)) == ["older"]
    judged.modules = {CHECK: "another"}
    assert list(outdated_checks(judged)) == [f"older ({CHECK})"]


def test_data_that_a_record_read_may_be_older(unrun, monkeypatch):
    monkeypatch.setattr("reactivate.auditing.data.catalog", dict)  # checksum files tell
    file = checksum_path(dataset_file("boston"))
    made = SimpleNamespace(data=None, read=[read(file, sha256(file)), read("results/a/run.json")])
    assert list(older_data(made)) == []
    made.read[0].sha256 = hashlib.sha256(b"another").hexdigest()
    assert list(older_data(made)) == [f"made from an older {dataset_file('boston')}"]
