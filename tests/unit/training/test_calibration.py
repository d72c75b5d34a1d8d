"""A calibrated machine explains the steps that were measured on it."""

import pytest
import yaml
from reactivate.commands import calibrate as command
from reactivate.experiment.costs.machines import Machine, load_machine
from reactivate.experiment.costs.pieces import Work
from reactivate.training import calibration
from reactivate.training.calibration import TRIALS, decode_rate, fitted, timed

MEASURED = load_machine("cpu").model_copy(update={"start": 0.0})


@pytest.fixture(scope="module")
def works():
    return [calibration._work(trial, "fp32") for trial in TRIALS["cpu"]]


@pytest.mark.parametrize("share", [0.25, 0.8])
def test_the_share_that_explains_the_steps_is_found(share, works, monkeypatch):
    pieces = dict(zip(TRIALS["cpu"], works, strict=True))
    monkeypatch.setattr(calibration, "_work", lambda trial, precision: pieces[trial])
    real = MEASURED.model_copy(update={"achieved": {"fp32": share}})
    steps = [real.seconds(Work((piece,))) for piece in works]
    found = fitted(MEASURED, {"fp32": steps})
    assert found.achieved["fp32"] == pytest.approx(share)
    assert len(found.says) == len(MEASURED.says) + 3


def test_steps_that_only_launch_kernels_tell_nothing_of_a_gpu(works, monkeypatch):
    pieces = dict(zip(TRIALS["gpu"], works, strict=True))
    monkeypatch.setattr(calibration, "_work", lambda trial, precision: pieces[trial])
    gpu = MEASURED.model_copy(update={"kind": "gpu", "launch": 1.0})
    steps = [piece.kernels * 1.01 for piece in works]
    found = fitted(gpu, {"fp32": steps})
    assert sum("left out" in line for line in found.says) == 3


def test_pictures_are_decoded_at_a_plausible_rate():
    assert 5 < decode_rate(0.2) < 5000


def test_an_action_is_timed_by_its_mean(monkeypatch):
    now, calls = [5.0], []

    def action():
        calls.append(now[0])
        now[0] += 0.25

    monkeypatch.setattr(calibration.time, "perf_counter", lambda: now[0])
    assert timed(action, 1.0) == 0.25
    assert len(calls) == 2 + 4  # two to warm up, and for a second


def test_a_machine_is_kept_as_a_file_that_can_be_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(calibration, "calibrate_machine", lambda seconds: MEASURED)
    command.calibrate(tmp_path)
    text = (tmp_path / "cpu.yaml").read_text(encoding="utf-8")
    assert Machine(**yaml.safe_load(text)) == MEASURED
    assert load_machine(str(tmp_path / "cpu.yaml")) == MEASURED
    assert "cpu.yaml" in capsys.readouterr().out
