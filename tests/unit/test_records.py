"""A run leaves evidence from which anyone can tell what made it, and whether it was changed."""

import csv
import json
import subprocess
import warnings
from pathlib import Path

import pytest
from reactivate.evidence.records import git_state, verify_record, watched
from reactivate.foundation.files import sha256
from safetensors import safe_open

RUN = Path("results/smoke/gmp/runs/boston/mlp100-relu-gmp-document")
KEYS = {
    "paper",
    "scale",
    "cell",
    "seeds",
    "settings",
    "code",
    "dataset",
    "git",
    "python",
    "packages",
    "machine",
    "peak_memory_mb",
    "seconds",
    "resumes",
    "warnings",
    "files",
}


def read(name):
    with (RUN / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_record_tells_what_made_the_run(finished):
    record = json.loads((RUN / "run.json").read_text(encoding="utf-8"))
    assert set(record) >= KEYS
    assert record["cell"]["parameterization"] == "gmp"
    assert record["seeds"] == [0, 1, 2]
    assert record["settings"]["recipe"]["epochs"] == 5
    assert set(record["git"]) == {"commit", "dirty"}
    assert record["dataset"]["sha256"] == sha256(Path("data/prepared/boston.safetensors"))
    assert {"torch", "numpy", "safetensors"} <= set(record["packages"])
    assert set(record["machine"]) == {"system", "cpu", "gpu", "threads"}
    assert record["seconds"] > 0
    assert record["peak_memory_mb"] > 0
    assert (record["resumes"], record["warnings"]) == (0, [])


def test_a_record_vouches_for_every_other_file_of_the_run(finished):
    record = verify_record(RUN / "run.json")
    assert set(record["files"]) == {path.name for path in RUN.iterdir()} - {"run.json"}


def test_metrics_have_one_row_per_seed_and_history_one_per_epoch(finished):
    metrics, history = read("metrics.csv"), read("history.csv")
    assert [row["seed"] for row in metrics] == ["0", "1", "2"]
    assert {row["lr"] for row in metrics} == {"0.1"}
    assert [row["diverged_at"] for row in metrics] == ["", "", ""]
    assert [(row["seed"], row["epoch"]) for row in history] == [
        (str(seed), str(epoch)) for seed in range(3) for epoch in range(1, 6)
    ]


def test_metrics_keep_full_precision(finished):
    values = [row["test_rmse"] for row in read("metrics.csv")]
    assert values == [repr(float(value)) for value in values]


def test_weights_have_one_row_per_seed(finished):
    with safe_open(RUN / "model.safetensors", framework="pt") as file:
        shapes = {key: file.get_slice(key).get_shape() for key in file.keys()}  # noqa: SIM118
    assert shapes["hidden.theta"] == [3, 100 * 12]
    assert {shape[0] for shape in shapes.values()} == {3}


@pytest.mark.parametrize("name", ["metrics.csv", "history.csv", "model.safetensors"])
def test_a_changed_file_is_refused_with_both_checksums(finished, name):
    content = (RUN / name).read_bytes()
    (RUN / name).write_bytes(content[:-1] + b"7")
    with pytest.raises(ValueError, match="changed or lost after the run") as error:
        verify_record(RUN / "run.json")
    recorded = json.loads((RUN / "run.json").read_text(encoding="utf-8"))["files"][name]
    for part in (str(RUN / name), sha256(RUN / name), recorded, f"Delete {RUN} and run it again"):
        assert part in str(error.value)


def test_a_lost_file_is_refused_unless_only_present_ones_are_asked_for(finished):
    (RUN / "model.safetensors").unlink()
    with pytest.raises(ValueError, match="sha256 is missing"):
        verify_record(RUN / "run.json")
    assert verify_record(RUN / "run.json", only_present=True)["paper"] == "gmp"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "cannot be read"),
        ('{"files": ', "cannot be read"),
        ("[]", "names no files"),
        ('{"files": 3}', "names no files"),
    ],
)
def test_a_broken_record_is_refused_by_name(finished, content, reason):
    (RUN / "run.json").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=reason) as error:
        verify_record(RUN / "run.json")
    assert str(RUN / "run.json") in str(error.value)


def test_time_and_warnings_are_collected_once_each():
    with watched() as watch:
        warnings.warn("look here", RuntimeWarning, stacklevel=1)
        warnings.warn("look here", RuntimeWarning, stacklevel=1)
    assert watch.warnings == ["RuntimeWarning: look here"]
    assert watch.seconds > 0


def git(*arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def test_a_record_knows_the_commit_and_whether_files_differ_from_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    git("init")
    Path("a").write_text("1", encoding="utf-8")
    git("add", "a")
    git("commit", "-m", "first")
    clean = git_state()
    assert len(clean["commit"]) == 40
    assert clean["dirty"] is False
    Path("untracked").write_text("1", encoding="utf-8")
    assert git_state() == clean
    Path("a").write_text("2", encoding="utf-8")
    assert git_state() == {**clean, "dirty": True}


def test_outside_a_repository_the_commit_is_unknown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert git_state() == {"commit": None, "dirty": None}
