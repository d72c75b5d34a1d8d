"""A run leaves evidence from which anyone can tell what made it, and whether it was changed."""

import csv
import json
import math
import os
import subprocess
import sys
import warnings
from dataclasses import asdict
from pathlib import Path

import pytest
from reactivate.evidence.details import Data, Tried
from reactivate.evidence.environment import Git, git_state
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import PROVENANCE, read_provenance
from reactivate.evidence.records import Record, read_record, verify_record, watched, write_record
from reactivate.evidence.versions import ENVIRONMENT
from reactivate.experiment.cell import Cell
from reactivate.foundation.files import sha256, strict_json
from safetensors import safe_open

ROOT = Path(__file__).parents[3]
RUN = Path("results/smoke/gmp/runs/boston/mlp100-relu-gmp-document")
PUBLISHED = sorted((ROOT / "published").rglob("run.json"))
FILE = {"file": "results/a/run.json", "sha256": "ab" * 32}
TRAINED = {  # what a training left in version 1
    "paper": "thesis",
    "scale": "laptop",
    "cell": dict(zip(Cell.__dataclass_fields__, "abcde", strict=True)),
    "seeds": [1],
    "settings": {"recipe": {"stage": "train"}},
    "code": "0" * 16,
    "dataset": {"name": "a", "sha256": "ab" * 32},
    "git": {"commit": "abc", "dirty": False},
    "python": "3",
    "packages": {"torch": "2"},
    "machine": {"system": "s", "cpu": "c", "gpu": None, "threads": 2},
    "peak_memory_mb": 9,
    "seconds": 3.5,
    "training_seconds": 2.5,
    "resumes": 1,
    "warnings": ["UserWarning: w"],
    "files": {"metrics.csv": "cd" * 32},
}
COMMON = {
    key: value
    for key, value in TRAINED.items()
    if key not in ("cell", "seeds", "settings", "dataset", "training_seconds", "resumes")
}
OLD = {  # how the stage of a record of version 1 is told
    "train": TRAINED,
    "sweep": {**TRAINED, "settings": {"recipe": {"stage": "sweep"}}, "tuning": []},
    "observe": {**TRAINED, "stage": "observe"},
    "attack": {**TRAINED, "stage": "attack", "measurement": "m", "read": [FILE]},
    "analyse": {**COMMON, "function": "a:b", "settings": {}, "read": []},
}


def left(folder, old):
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(json.dumps(old), encoding="utf-8")
    return folder / "run.json"


def read(name):
    with (RUN / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def content():
    return json.loads((RUN / "run.json").read_text(encoding="utf-8"))


def test_a_record_tells_what_made_the_run(finished):
    record = read_record(RUN / "run.json")
    assert (record.version, record.stage, record.made_by) == (2, "sweep", "sweep")
    assert record.cell == Cell("boston", "mlp100", "relu", "gmp", "document")
    assert record.seeds == [0, 1, 2]
    assert record.settings["recipe"]["epochs"] == 5
    assert record.data == Data(
        name="boston", sha256=sha256(Path("data/prepared/boston.safetensors"))
    )
    assert {"torch", "numpy", "safetensors"} <= set(record.environment.packages)
    assert record.environment.peak_memory_mb > 0
    assert record.times.seconds > 0
    assert (record.times.resumes, record.warnings, record.read) == (0, [], [])
    assert record.modules["reactivate.stages.sweep"]


def test_a_record_is_read_as_it_was_written(finished):
    before = (RUN / "run.json").read_bytes()
    write_record(RUN, read_record(RUN / "run.json"))
    assert (RUN / "run.json").read_bytes() == before
    assert list(content()) == list(Record.model_fields)  # one shape, whatever the stage


def test_a_record_that_does_not_tell_how_it_was_computed_is_read(finished):
    old = {key: value for key, value in content().items() if key != "computing"}
    (RUN / "run.json").write_text(json.dumps(old), encoding="utf-8")
    assert read_record(RUN / "run.json").computing is None


def test_every_published_record_is_read_and_keeps_its_facts():
    found = [read_record(path) for path in PUBLISHED]
    assert len(found) > 500
    for path, record in zip(PUBLISHED, found, strict=True):
        old = json.loads(path.read_text(encoding="utf-8"))
        if "version" in old:
            continue
        assert record.environment.model_dump() == {key: old[key] for key in ENVIRONMENT}
        assert record.times.seconds == old["seconds"]
        assert record.times.training_seconds == old.get("training_seconds")
        assert [file.model_dump() for file in record.read] == old.get("read", [])
        for key in ("paper", "scale", "code", "settings", "files", "measurement", "function"):
            assert getattr(record, key) == old.get(key)
        assert (record.data and record.data.model_dump()) == old.get("dataset")
        assert (record.cell and asdict(record.cell)) == old.get("cell")
        assert record.seeds == old.get("seeds", [])
        assert record.stage == old.get("stage", record.stage)
        assert record.exhibit == (path.parent.name if "function" in old else None)
        assert dumped(record.tuning) == old.get("tuning")
        assert dumped(record.savings) == old.get("savings")
        assert (record.observation is None) == ("observation" not in old)


def dumped(details):
    if details is None or isinstance(details, list):
        return (details and [one.model_dump() for one in details]) or details
    return details.model_dump()


def test_published_provenance_and_judgements_are_read():
    for path in (ROOT / "published").rglob(f"*{PROVENANCE}"):
        old = json.loads(path.read_text(encoding="utf-8"))
        found = read_provenance(path)
        if "version" in old:
            continue
        assert strict_json([cell.model_dump() for cell in found.cells]) == old["cells"]
        assert (found.record is None) == ("code" not in old)
        kept = [r for cell in old["cells"] for r in cell["records"]] + old.get("runs", [])
        assert [(r.file, r.sha256) for r in found.behind] == [tuple(r.values()) for r in kept]
    for path in (ROOT / "published").rglob("claims.json"):
        old = json.loads(path.read_text(encoding="utf-8"))["claims"]
        found = read_judgements(path)
        assert (found.scale, found.paper) == path.relative_to(ROOT).parts[1:3]
        assert {name: judged.judgement for name, judged in found.claims.items()} == {
            name: judged["judgement"] for name, judged in old.items()
        }


@pytest.mark.parametrize("stage", sorted(OLD))
def test_the_stage_of_an_old_record_is_told_from_what_it_holds(tmp_path, stage):
    record = read_record(left(tmp_path / "figure1", OLD[stage]))
    assert record.stage == stage
    assert record.exhibit == ("figure1" if stage == "analyse" else None)


def test_an_old_record_is_told_in_the_words_of_this_version(tmp_path):
    record = read_record(left(tmp_path / "old", TRAINED))
    assert record.model_dump(include={"times", "data", "environment"}) == {
        "data": TRAINED["dataset"],
        "environment": {key: TRAINED[key] for key in ENVIRONMENT},
        "times": {"seconds": 3.5, "training_seconds": 2.5, "resumes": 1},
    }
    assert (record.cell.coordinates, record.modules) == (("a", "b", "c", "d", "e"), {})


def test_building_and_reading_a_record_waits_for_neither_torch_nor_pandas():
    code = (
        "import sys; from pathlib import Path;"
        "from reactivate.evidence.provenance import read_provenance;"
        "from reactivate.evidence.judgements import read_judgements;"
        "from reactivate.evidence.records import read_record;"
        f"read_record(Path({str(PUBLISHED[0])!r}));"
        "sys.exit(int('torch' in sys.modules or 'pandas' in sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    assert (
        subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
    )


def without(*keys):
    def spoil(record):
        inner = record
        for key in keys[:-1]:
            inner = inner[key]
        del inner[keys[-1]]

    return spoil


def put(value, *keys):
    def spoil(record):
        inner = record
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = value

    return spoil


SPOILT = {
    "no stage": (without("stage"), "stage is missing"),
    "no files": (without("files"), "files is missing"),
    "no optional field": (without("exhibit"), "exhibit is missing"),
    "no commit": (without("environment", "git", "commit"), "environment.git.commit is missing"),
    "no resumes": (without("times", "resumes"), "times.resumes is missing"),
    "no version": (without("version"), "version is missing beside environment, times, data"),
    "a later version": (put(3, "version"), "version is 3; accepted: 2"),
    "a version in words": (put("2", "version"), "version is '2'; accepted: 2"),
    "an unknown key": (put(1, "second"), "unknown key 'second'"),
    "an unknown stage": (put("trian", "stage"), "stage is 'trian'; Input should be 'sweep'"),
    "seconds in words": (put("9", "times", "seconds"), "times.seconds is '9'"),
    "negative seconds": (put(-1.0, "times", "seconds"), "times.seconds is -1.0"),
    "a checksum too short": (put("ab", "data", "sha256"), "data.sha256 is 'ab'"),
    "a sum too short": (put("ab", "files", "metrics.csv"), "files.metrics.csv is 'ab'"),
    "a file outside": (put({"../x.csv": "ab" * 32}, "files"), "../x.csv"),
    "a file by its path": (put({"/etc/x": "ab" * 32}, "files"), "/etc/x"),
    "no cell": (put(None, "cell"), "cell is empty, but the stage sweep leaves it filled"),
    "no data": (put(None, "data"), "data is empty"),
    "no seeds": (put([], "seeds"), "seeds is empty"),
    "half a cell": (without("cell", "model"), "cell: it is {'dataset': 'boston'"),
    "a cell that is no path": (put("a/b", "cell", "model"), "'a/b' cannot be part of a result"),
    "a rate in words": (put([{"seed": 0, "lr": "x", "fold": 0, "rmse": 1.0}], "tuning"), "lr"),
}


@pytest.mark.parametrize("what", sorted(SPOILT))
def test_a_wrong_field_is_named_with_file_and_value(finished, what):
    spoil, expected = SPOILT[what]
    record = content()
    spoil(record)
    (RUN / "run.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(ValueError) as error:
        read_record(RUN / "run.json")
    assert expected in str(error.value)
    assert str(error.value).startswith(str(RUN / "run.json"))
    assert f"Delete {RUN} and run it again" in str(error.value)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("code", "code is missing"),
        ("git", "environment.git is missing"),
        ("seconds", "times.seconds is missing"),
        ("files", "files is missing"),
        ("cell", "cell is empty"),
        ("settings", "stage is None"),
    ],
)
def test_a_field_that_an_old_record_lacks_is_named(tmp_path, key, expected):
    old = {name: value for name, value in TRAINED.items() if name != key}
    with pytest.raises(ValueError) as error:
        read_record(left(tmp_path / "old", old))
    assert expected in str(error.value)


def test_an_old_record_with_a_key_that_nobody_wrote_is_refused(tmp_path):
    with pytest.raises(ValueError, match="unknown key 'sed'"):
        read_record(left(tmp_path / "old", {**TRAINED, "sed": 1}))


@pytest.mark.parametrize("key", ["environment", "times", "data"])
def test_a_record_of_two_versions_is_refused(tmp_path, key):
    with pytest.raises(ValueError, match=f"version is missing beside {key}"):
        read_record(left(tmp_path / "old", {**TRAINED, key: {}}))


def test_numbers_that_json_has_not_come_back(finished):
    record = read_record(RUN / "run.json")
    tried = [Tried(seed=0, lr=0.1, fold=0, rmse=value) for value in (math.inf, math.nan)]
    write_record(RUN, record.model_copy(update={"tuning": tried}))
    again = read_record(RUN / "run.json").tuning
    assert again[0].rmse == math.inf
    assert math.isnan(again[1].rmse)


def test_a_record_vouches_for_every_other_file_of_the_run(finished):
    record = verify_record(RUN / "run.json")
    assert set(record.files) == {path.name for path in RUN.iterdir()} - {"run.json"}


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
    assert verify_record(RUN / "run.json", only_present=True).paper == "gmp"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "cannot be read"),
        ('{"files": ', "cannot be read"),
        ("[]", "accepted: a JSON object"),
        ('{"files": 3}', "is missing"),
        ('{"settings": 3}', "is not as version 1 left it"),
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
    assert len(clean.commit) == 40
    assert clean.dirty is False
    Path("untracked").write_text("1", encoding="utf-8")
    assert git_state() == clean
    Path("a").write_text("2", encoding="utf-8")
    assert git_state() == Git(commit=clean.commit, dirty=True)


def test_outside_a_repository_the_commit_is_unknown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert git_state() == Git(commit=None, dirty=None)
