"""An interrupted training goes on to the same bytes; a snapshot that does not fit is not used."""

import resource
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from made_up import write_prepared
from reactivate.foundation.files import sha256
from reactivate.layers import PARAMETERIZATIONS
from reactivate.preparation.prepared import PREPARED
from reactivate.training.callbacks import Callback
from reactivate.training.heartbeat import Heartbeat
from reactivate.training.inputs import ALONE
from reactivate.training.run import WRITTEN
from reactivate.training.setup import make_network
from reactivate.training.trainer import Trainer

CPU = torch.device("cpu")
SNAPSHOT = Path("out/checkpoints/newest")


def new_network(run):
    return make_network(run.cell, run.chosen, run.seed)


@pytest.mark.slow
def test_a_training_killed_at_random_moments_ends_with_the_same_bytes(forked):
    found = forked("kill", "dropout")
    assert found["kills"] >= 20
    assert found["resumes"] >= 5  # not counted if killed before the next snapshot
    assert found["ended"] == [found["alone"]] * len(found["ended"])


@pytest.mark.slow
def test_a_training_killed_while_it_saves_ends_with_the_same_bytes(forked):
    found = forked("kill_saving", "adam")
    assert found["kills"] >= 10
    assert found["resumes"] == found["kills"]
    assert found["ended"] == [found["alone"]]


@pytest.mark.parametrize("parameterization", PARAMETERIZATIONS.targets)
def test_every_parameterization_goes_on_to_the_same_bytes(
    project, new_run, parameterization, finish, interrupt
):
    changes = {"network": "convolutions", "parameterization": parameterization, "epochs": 3}
    alone = finish(new_run("alone", **changes))
    interrupt(new_run("out", **changes), 2)
    again = new_run("out", **changes)
    assert finish(again) == alone
    assert again.state.resumes == 1


def test_restored_moments_lie_in_memory_as_their_parameters(project, new_run, interrupt):
    interrupt(new_run("out", "convolutions"), 3)
    network = new_network(new_run("out", "convolutions"))
    network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(network.parameters(), 0.1, momentum=0.9)
    assert new_run("out", "convolutions").snapshots.load(network, optimizer).epoch == 2
    kernels = [parameter for parameter in network.parameters() if parameter.dim() == 4]
    assert kernels
    assert [optimizer.state[kernel]["momentum_buffer"].stride() for kernel in kernels] == [
        kernel.stride() for kernel in kernels
    ]


def test_a_finished_training_is_measured_again_without_another_step(
    project, new_run, monkeypatch, finish
):
    run = new_run("out")
    run.train(ALONE, CPU, 1)
    monkeypatch.setattr(Trainer, "_epoch", None)
    again = new_run("out")
    found = finish(again)
    assert again.state.resumes == 1
    run.write()
    assert {name: sha256(Path("out") / name) for name in WRITTEN} == found


def test_the_end_leaves_no_snapshot(project, new_run, finish):
    finish(new_run("out"))
    assert sorted(path.name for path in Path("out").iterdir()) == sorted([*WRITTEN, "run.json"])


@pytest.mark.parametrize(
    "other",
    [{"digest": "other code"}, {"lr": {"default": 0.04}}, {"parameterization": "wn"}],
    ids=["code", "settings", "network"],
)
def test_a_snapshot_of_another_training_is_not_used(project, new_run, other, finish, interrupt):
    alone = finish(new_run("alone"))
    interrupt(new_run("out", **other), 3)
    again = new_run("out")
    assert finish(again) == alone
    assert again.state.resumes == 0
    assert again.watch.warnings == []


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
def test_a_damaged_snapshot_is_reported_and_not_used(project, new_run, spoil, finish, interrupt):
    alone = finish(new_run("alone"))
    interrupt(new_run("out"), 3)
    SNAPSHOT.write_bytes(spoil(SNAPSHOT.read_bytes()))
    again = new_run("out")
    assert finish(again) == alone
    assert again.state.resumes == 0
    assert again.watch.warnings == [
        f"UserWarning: {SNAPSHOT} is damaged; the training starts anew"
    ]


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
def test_on_a_full_disk_the_old_snapshot_stays_usable(
    project, new_run, monkeypatch, size, finish, interrupt
):
    monkeypatch.setattr(Heartbeat, "on_epoch", Callback.on_epoch)  # does not fit, either
    alone = finish(new_run("alone"))
    interrupt(new_run("out"), 3)
    old = sha256(SNAPSHOT)
    with (
        disk_with_room_for(size),
        pytest.raises(OSError, match=f"^cannot write {SNAPSHOT}: File too large; "),
    ):
        new_run("out").train(ALONE, CPU, 1, seconds_between=0)
    assert sha256(SNAPSHOT) == old
    assert [path.name for path in SNAPSHOT.parent.iterdir()] == ["newest"]
    again = new_run("out")
    assert finish(again) == alone
    assert again.state.resumes == 1


@pytest.mark.parametrize("name", ["predictions", "model"])
def test_results_that_do_not_fit_on_the_disk_are_named(project, new_run, name):
    run = new_run("out")
    run.train(ALONE, CPU, 1)
    run.write()
    size = (run.out / f"{name}.safetensors").stat().st_size - 1
    with disk_with_room_for(size), pytest.raises(OSError, match=r"^cannot write out/"):
        run.write()


def test_what_killed_processes_left_unfinished_is_removed(project, new_run, interrupt):
    interrupt(new_run("out"), 3)
    left = SNAPSHOT.with_name(".newest.0123abcd.part")
    left.write_bytes(b"half")
    interrupt(new_run("out"), 4)
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
    write_prepared(Path(), "mnist", {"x": torch.zeros(2, 3), "y": torch.zeros(2, 1)})
    with pytest.raises(ValueError, match=r"holds x, y, expected .*choose a dataset of kind"):
        new_run("out").train(ALONE, CPU, 1)


def test_data_that_are_not_those_of_the_catalogue_are_named(project, new_run):
    written = Path("config/datasets.yaml").read_text(encoding="utf-8")
    write_prepared(Path(), "mnist", {"x": torch.zeros(2, 3), "y": torch.zeros(2, 1)})
    Path("config/datasets.yaml").write_text(written, encoding="utf-8")
    with pytest.raises(ValueError, match=r"has sha256 .* the catalogue says .* other data"):
        new_run("out").train(ALONE, CPU, 1)
