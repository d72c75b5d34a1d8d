"""All stages that train an image network share an entry, which writes the record once."""

import json
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from reactivate.evidence.requests import Request
from reactivate.experiment.observations import Observation
from reactivate.foundation.files import sha256
from reactivate.stages import defend, observe, prune, train
from reactivate.training.observing.tables import TABLES
from reactivate.training.pruning.callback import MASKS
from reactivate.training.run import WRITTEN

NOISE = {"name": "noise", "sigma": 0.25}
PRUNING = {"blend": "weight", "sparsity": 0.5, "every": 1, "fine_tune": 1}
SEEN = Observation(every=4, images=9, pairs=6, samples=5, neurons=7)
STAGES = {
    "train": (train, {}, (), set()),
    "defend": (defend, {"defence": NOISE}, (), set()),
    "prune": (prune, {"pruning": PRUNING}, (MASKS,), {"savings"}),
    "observe": (observe, {}, tuple(f"{name}.csv" for name in TABLES), {"observation"}),
}


@pytest.fixture
def start(project, new_run, monkeypatch):
    """``start(stage, out)``: runs a stage as its rule does; how often each file was written."""

    def run(stage, out):
        module, changes, _, _ = STAGES[stage]
        chosen = new_run("unused", **changes).chosen
        written = Counter()
        resolved = SimpleNamespace(
            image_settings=chosen,
            recipe=chosen.recipe,
            observation=SEEN,
            modules=lambda stage: (f"reactivate.stages.{stage}",),
        )
        monkeypatch.setattr(Request, "resolved", resolved)
        replace = Path.replace
        monkeypatch.setattr(
            Path, "replace", lambda a, b: written.update([Path(b).name]) or replace(a, b)
        )
        names = {"scale": "toy", "paper": "toy", "dataset": "mnist", "cell": "mlp-relu-bn-toy"}
        given = {**names, "seed": "0", "out": out}
        monkeypatch.setattr(sys, "argv", [stage, *(f"--{k}={v}" for k, v in given.items())])
        module.main()
        monkeypatch.setattr(Path, "replace", replace)
        return written

    return run


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_writes_its_files_and_its_record_once(start, stage):
    written = start(stage, "out")
    _, _, files, entries = STAGES[stage]
    record = json.loads(Path("out/run.json").read_text(encoding="utf-8"))
    assert set(record["files"]) == {*WRITTEN, *files}
    assert {name: sha256(Path("out") / name) for name in record["files"]} == record["files"]
    assert {written[name] for name in (*record["files"], "run.json")} == {1}
    assert record["stage"] == stage
    assert {key for key in ("savings", "observation") if record[key]} == entries
    left = {path.name for path in Path("out").iterdir()}
    assert left == {*record["files"], "run.json"}


def test_the_stages_differ_only_in_what_is_done_to_the_network(start):
    for stage in ("train", "observe"):
        start(stage, stage)
    records = [
        json.loads(Path(stage, "run.json").read_text(encoding="utf-8"))
        for stage in ("train", "observe")
    ]
    for name in WRITTEN:
        assert records[0]["files"][name] == records[1]["files"][name]
    assert [bool(record["observation"]) for record in records] == [False, True]


def test_a_mistake_is_one_message(start, monkeypatch, capsys):
    monkeypatch.setitem(STAGES, "prune", (prune, {}, (), set()))
    with pytest.raises(SystemExit):
        start("prune", "out")
    assert "error: recipe toy has stage train; accepted: prune." in capsys.readouterr().err
