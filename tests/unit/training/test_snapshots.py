"""An interrupted training goes on to the same bytes; a snapshot that does not fit is not used."""

import resource
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from reactivate.foundation.files import sha256, write_with_checksum
from reactivate.layers import PARAMETERIZATIONS
from reactivate.preparation.prepared import PREPARED
from reactivate.stages.train import WRITTEN
from reactivate.training.inputs import ALONE
from reactivate.training.setup import make_network
from reactivate.training.trainer import Trainer
from safetensors.torch import save_file

CPU = torch.device("cpu")
SNAPSHOT = Path("out/checkpoints/newest")


class Interrupted(BaseException):
    """Stands for a power cut: nothing catches it."""


def interrupt(monkeypatch, run, epochs):
    """Trains for some epochs, the last of which is not kept."""
    epoch = Trainer._epoch

    def until(self, number):
        epoch(self, number)
        if number == epochs:
            raise Interrupted

    monkeypatch.setattr(Trainer, "_epoch", until)
    with pytest.raises(Interrupted):
        run.train(ALONE, CPU, 1, seconds_between=0)
    monkeypatch.setattr(Trainer, "_epoch", epoch)


def new_network(run):
    return make_network(run.cell, run.chosen, run.seed)


def finish(run):
    """Trains to the end; the checksums of the files, how often it was resumed, the warnings."""
    run.train(ALONE, CPU, 1, seconds_between=0)
    run.write("toy", "toy")
    return [sha256(run.out / name) for name in WRITTEN], run.state.resumes, run.watch.warnings


def test_a_training_killed_at_random_moments_ends_with_the_same_bytes(forked):
    found = forked("kill", "dropout")
    assert found["kills"] >= 20
    assert found["resumes"] >= 5  # not counted if killed before the next snapshot
    assert found["ended"] == [found["alone"]] * len(found["ended"])


def test_a_training_killed_while_it_saves_ends_with_the_same_bytes(forked):
    found = forked("kill_saving", "adam")
    assert found["kills"] >= 10
    assert found["resumes"] == found["kills"]
    assert found["ended"] == [found["alone"]]


@pytest.mark.parametrize("parameterization", PARAMETERIZATIONS.targets)
def test_every_parameterization_goes_on_to_the_same_bytes(
    project, new_run, monkeypatch, parameterization
):
    changes = {"network": "convolutions", "parameterization": parameterization, "epochs": 3}
    alone, _, _ = finish(new_run("alone", **changes))
    interrupt(monkeypatch, new_run("out", **changes), 2)
    found, resumes, _ = finish(new_run("out", **changes))
    assert found == alone
    assert resumes == 1


def test_restored_moments_lie_in_memory_as_their_parameters(project, new_run, monkeypatch):
    interrupt(monkeypatch, new_run("out", "convolutions"), 3)
    network = new_network(new_run("out", "convolutions"))
    network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(network.parameters(), 0.1, momentum=0.9)
    assert new_run("out", "convolutions").snapshots.load(network, optimizer).epoch == 2
    kernels = [parameter for parameter in network.parameters() if parameter.dim() == 4]
    assert kernels
    assert [optimizer.state[kernel]["momentum_buffer"].stride() for kernel in kernels] == [
        kernel.stride() for kernel in kernels
    ]


def test_a_finished_training_is_measured_again_without_another_step(project, new_run, monkeypatch):
    run = new_run("out")
    run.train(ALONE, CPU, 1)
    monkeypatch.setattr(Trainer, "_epoch", None)
    found, resumes, _ = finish(new_run("out"))
    assert resumes == 1
    run.write("toy", "toy")
    assert [sha256(Path("out") / name) for name in WRITTEN] == found


def test_the_end_leaves_no_snapshot(project, new_run):
    finish(new_run("out"))
    assert sorted(path.name for path in Path("out").iterdir()) == sorted([*WRITTEN, "run.json"])


@pytest.mark.parametrize(
    "other",
    [{"digest": "other code"}, {"lr": {"default": 0.04}}, {"parameterization": "wn"}],
    ids=["code", "settings", "network"],
)
def test_a_snapshot_of_another_training_is_not_used(project, new_run, monkeypatch, other):
    alone, _, _ = finish(new_run("alone"))
    interrupt(monkeypatch, new_run("out", **other), 3)
    found, resumes, warned = finish(new_run("out"))
    assert found == alone
    assert resumes == 0
    assert warned == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: bytes([content[0] ^ 1]) + content[1:],
        lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
    ],
    ids=["empty", "20 bytes", "half", "one byte short", "flipped checksum", "flipped tensor"],
)
def test_a_damaged_snapshot_is_reported_and_not_used(project, new_run, monkeypatch, spoil):
    alone, _, _ = finish(new_run("alone"))
    interrupt(monkeypatch, new_run("out"), 3)
    SNAPSHOT.write_bytes(spoil(SNAPSHOT.read_bytes()))
    found, resumes, warned = finish(new_run("out"))
    assert found == alone
    assert resumes == 0
    assert warned == [f"UserWarning: {SNAPSHOT} is damaged; the training starts anew"]


@contextmanager
def disk_with_room_for(size):
    """No file may become larger: writing fails as on a full disk."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("size", [0, 40, 2000])
def test_on_a_full_disk_the_old_snapshot_stays_usable(project, new_run, monkeypatch, size):
    alone, _, _ = finish(new_run("alone"))
    interrupt(monkeypatch, new_run("out"), 3)
    old = sha256(SNAPSHOT)
    with (
        disk_with_room_for(size),
        pytest.raises(OSError, match=f"^cannot write {SNAPSHOT}: File too large; "),
    ):
        new_run("out").train(ALONE, CPU, 1, seconds_between=0)
    assert sha256(SNAPSHOT) == old
    assert [path.name for path in SNAPSHOT.parent.iterdir()] == ["newest"]
    found, resumes, _ = finish(new_run("out"))
    assert found == alone
    assert resumes == 1


@pytest.mark.parametrize("name", ["predictions", "model"])
def test_results_that_do_not_fit_on_the_disk_are_named(project, new_run, name):
    run = new_run("out")
    run.train(ALONE, CPU, 1)
    run.write("toy", "toy")
    size = (run.out / f"{name}.safetensors").stat().st_size - 1
    with disk_with_room_for(size), pytest.raises(OSError, match=r"^cannot write out/"):
        run.write("toy", "toy")


def test_what_killed_processes_left_unfinished_is_removed(project, new_run, monkeypatch):
    interrupt(monkeypatch, new_run("out"), 3)
    left = SNAPSHOT.with_name(".newest.0123abcd.part")
    left.write_bytes(b"half")
    interrupt(monkeypatch, new_run("out"), 4)
    assert not left.exists()


def test_missing_data_are_named(project, new_run):
    (PREPARED / "mnist.safetensors").unlink()
    with pytest.raises(ValueError, match=r"mnist\.safetensors does not exist; make it with"):
        new_run("out").train(ALONE, CPU, 1)


def test_damaged_data_are_named(project, new_run):
    path = PREPARED / "mnist.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"mnist\.safetensors has sha256 .* was changed"):
        new_run("out").train(ALONE, CPU, 1)


def test_a_table_is_no_set_of_images(project, new_run):
    with write_with_checksum(PREPARED / "mnist.safetensors") as part:
        save_file({"x": torch.zeros(2, 3), "y": torch.zeros(2, 1)}, part)
    with pytest.raises(ValueError, match=r"holds x, y, expected .*choose a dataset of kind"):
        new_run("out").train(ALONE, CPU, 1)
