"""A killed run continues where it was, and ends with the bytes of one left alone."""

import json
import math
from pathlib import Path

import pytest
import torch
from reactivate.evidence.requests import Request
from reactivate.experiment.cell import Cell
from reactivate.experiment.experiment import Experiment, forget
from reactivate.experiment.paths import run_folder
from reactivate.foundation.files import sha256
from reactivate.stages import sweep
from reactivate.training import sweep as networks
from reactivate.training.batched import Outcome
from reactivate.training.checkpoints import Checkpoints
from safetensors.torch import save_file

CELL = Cell("boston", "mlp100", "relu", "gmp", "document")
OUT = run_folder("smoke", "gmp", CELL)
FILES = ["metrics.csv", "history.csv", "model.safetensors"]
OUTCOMES = [
    Outcome(1 / 3, 0.1, 4, 5, None, [(1, 0.1, 0.2, 0.3)]),
    Outcome(2.0, math.inf, 0, 1, 1, [(1, math.nan, math.inf, 0.3)]),
]
WEIGHTS = {"hidden.weight": torch.arange(6.0).reshape(2, 3)}


@pytest.fixture
def saved(tmp_path):
    Checkpoints(tmp_path, "identity").save("train-0", OUTCOMES, WEIGHTS)
    return tmp_path / "train-0.safetensors"


def test_a_saved_part_comes_back_as_it_was(saved):
    checkpoints = Checkpoints(saved.parent, "identity")
    outcomes, weights = checkpoints.load("train-0")
    assert [str(outcome) for outcome in outcomes] == [str(outcome) for outcome in OUTCOMES]
    assert outcomes[0].history[0] == pytest.approx(OUTCOMES[0].history[0], abs=0)
    assert math.isnan(outcomes[1].history[0][1])
    assert torch.equal(weights["hidden.weight"], WEIGHTS["hidden.weight"])
    assert checkpoints.resumes == 1


def test_a_part_of_other_settings_code_or_data_is_ignored(saved):
    checkpoints = Checkpoints(saved.parent, "another identity")
    assert checkpoints.load("train-0") is None
    assert checkpoints.resumes == 0


@pytest.mark.parametrize("name", ["train-1", "tune-0"])
def test_a_part_that_was_not_saved_is_not_there(saved, name):
    assert Checkpoints(saved.parent, "identity").load(name) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda b: b"",
        lambda b: b[:7],
        lambda b: b[: len(b) // 2],
        lambda b: b[:-1],
        lambda b: b"x" * 99,
    ],
    ids=["empty", "seven bytes", "half", "one byte short", "garbage"],
)
def test_a_corrupt_part_is_as_good_as_none(saved, spoil):
    saved.write_bytes(spoil(saved.read_bytes()))
    checkpoints = Checkpoints(saved.parent, "identity")
    assert checkpoints.load("train-0") is None
    assert checkpoints.resumes == 0


@pytest.mark.parametrize("metadata", [None, {"outcomes": "[]"}])
def test_a_file_that_is_no_part_of_a_run_is_ignored(tmp_path, metadata):
    save_file(WEIGHTS, tmp_path / "train-0.safetensors", metadata)
    assert Checkpoints(tmp_path, "identity").load("train-0") is None


@pytest.fixture
def one_by_one(monkeypatch):
    """Every seed is a part of its own."""
    monkeypatch.setattr(networks, "networks_per_batch", lambda *_: 1)


class Killed(BaseException):
    """Stands for SIGKILL: nothing catches it."""


def kill_after(monkeypatch, parts):
    save = Checkpoints.save
    saved = []

    def save_then_die(self, name, *content):
        save(self, name, *content)
        saved.append(name)
        if len(saved) == parts:
            raise Killed

    monkeypatch.setattr(Checkpoints, "save", save_then_die)
    with pytest.raises(Killed):
        sweep.run(Request("sweep", "smoke", "gmp", CELL, OUT))
    monkeypatch.setattr(Checkpoints, "save", save)


def checksums():
    return [sha256(OUT / name) for name in FILES]


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_a_run_killed_and_started_again_ends_with_the_same_bytes(
    unrun, one_by_one, monkeypatch, parts
):
    sweep.run(Request("sweep", "smoke", "gmp", CELL, OUT))
    alone = checksums()
    for name in [*FILES, "run.json"]:
        (OUT / name).unlink()
    kill_after(monkeypatch, parts)
    assert not any((OUT / name).exists() for name in [*FILES, "run.json"])
    trained = []
    train = networks.Sweep.train
    monkeypatch.setattr(
        networks.Sweep, "train", lambda self, *a: trained.append(1) or train(self, *a)
    )
    sweep.run(Request("sweep", "smoke", "gmp", CELL, OUT))
    assert checksums() == alone
    assert len(trained) == 3 - parts
    assert json.loads((OUT / "run.json").read_text(encoding="utf-8"))["times"]["resumes"] == 1
    assert not (OUT / "checkpoints").exists()


def test_parts_from_before_a_changed_setting_are_not_mixed_in(
    unrun, one_by_one, monkeypatch, edit
):
    kill_after(monkeypatch, 2)
    edit("config/papers/gmp/scales.yaml", "epochs: 5", "epochs: 6")
    forget()
    assert Experiment.load("smoke").cell("gmp", CELL).sweep_settings.recipe.epochs == 6
    sweep.run(Request("sweep", "smoke", "gmp", CELL, OUT))
    resumed = checksums()
    assert json.loads((OUT / "run.json").read_text(encoding="utf-8"))["times"]["resumes"] == 0
    fresh = Path("fresh")
    sweep.run(Request("sweep", "smoke", "gmp", CELL, fresh))
    assert [sha256(fresh / name) for name in FILES] == resumed


def test_how_seeds_are_grouped_does_not_change_their_numbers(unrun, monkeypatch):
    sweep.run(Request("sweep", "smoke", "gmp", CELL, OUT))
    together = (OUT / "metrics.csv").read_text(encoding="utf-8").splitlines()[1:]
    monkeypatch.setattr(networks, "networks_per_batch", lambda *_: 1)
    sweep.run(Request("sweep", "smoke", "gmp", CELL, Path("alone")))
    alone = Path("alone/metrics.csv").read_text(encoding="utf-8").splitlines()[1:]
    numbers = [[float(line.split(",")[1]) for line in lines] for lines in (together, alone)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-4)  # float32, in another order
