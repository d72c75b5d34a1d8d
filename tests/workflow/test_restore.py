"""Results live through freeze, a fresh clone and restore, and damage of any kind is named."""

import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TABLE = "results/smoke/gmp/table3.csv"
RUNS = Path("results/smoke/gmp/runs/yacht")
WEIGHTS = RUNS / "mlp100-relu-sp-document/model.safetensors"


def objects(folder):
    """Files in a store of DVC, the cache or a remote."""
    return [path for path in (folder / "files").rglob("*") if path.is_file()]


def remote_object(clone, name):
    """Where the remote keeps a file of the results, found by content."""
    content = (clone.folder / name).read_bytes()
    remote = clone.folder.parent / "reactivate-dvc"
    return next(path for path in objects(remote) if path.read_bytes() == content)


def test_a_fresh_clone_restores_and_has_nothing_to_do(frozen, fresh):
    done = fresh.reactivate("restore")
    assert done.returncode == 0, done.stdout
    assert "results/smoke: nothing to be done" in done.stdout
    assert (fresh.folder / WEIGHTS).read_bytes() == (frozen.folder / WEIGHTS).read_bytes()
    assert "Nothing to be done" in fresh.snakemake("-n", TABLE).stdout
    assert fresh.git("status", "--porcelain") == ""

    done = fresh.reactivate("freeze")
    assert done.returncode == 0, done.stdout
    assert "0 new, 0 changed, 0 gone" in done.stdout
    assert fresh.git("log", "--oneline") == frozen.git("log", "--oneline")

    path = fresh.folder / "workflow/reactivate/activations/clipped.py"
    path.write_text(path.read_text().replace('"""ReLU with', '"""A ReLU with'))
    assert "Nothing to be done" in fresh.snakemake("-n", TABLE).stdout
    path.write_text(path.read_text().replace("x.clamp(0, 0.1)", "x.clamp(0, 0.2)"))
    plan = fresh.snakemake("-n", "--printshellcmds", TABLE).stdout
    assert set(re.findall(r"--cell (\S+)", plan)) == {"mlp100-clipped-sp-document"}
    again = fresh.reactivate("restore")
    assert again.returncode == 1
    assert "intact, but the code or configuration of this tree is not what made it" in again.stdout


def test_damaged_weights_are_named_and_left_alone(fresh):
    assert fresh.reactivate("restore").returncode == 0
    weights = fresh.folder / WEIGHTS
    whole = weights.read_bytes()
    damaged = whole[:-1] + bytes([whole[-1] ^ 1])
    weights.write_bytes(damaged)
    done = fresh.reactivate("restore")
    assert done.returncode == 1
    assert f"{WEIGHTS} is not the frozen one" in done.stdout
    assert weights.read_bytes() == damaged
    weights.unlink()
    assert fresh.reactivate("restore").returncode == 0
    assert weights.read_bytes() == whole


def test_a_file_the_remote_lost_is_named(frozen, fresh):
    lost = remote_object(frozen, WEIGHTS).relative_to(frozen.folder.parent)
    (fresh.folder.parent / lost).unlink()
    done = fresh.reactivate("restore")
    assert done.returncode == 1
    assert f"the remote does not give {WEIGHTS}" in done.stdout
    assert not (fresh.folder / "results/smoke").exists()


def test_a_remote_that_is_not_there_is_said(fresh):
    shutil.rmtree(fresh.folder.parent / "reactivate-dvc")
    done = fresh.reactivate("restore")
    assert done.returncode == 1
    assert "results/smoke.dvc" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_scale_that_was_not_frozen_is_said(fresh):
    done = fresh.reactivate("restore", "--scale", "paper")
    assert done.returncode == 1
    assert "results/paper.dvc does not exist" in done.stdout


def kill_when(process, started, group):
    """Ends a command with SIGKILL, alone or with its children, once it has begun to write."""
    deadline = time.monotonic() + 60
    while not started() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    running = process.poll() is None
    if group and running:
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    return running


@pytest.mark.parametrize(("store", "group"), [("a/.dvc/cache", False), ("reactivate-dvc", True)])
def test_a_killed_freeze_is_completed_by_the_next(unfrozen, tmp_path, store, group):
    process = unfrozen.start("freeze")
    assert kill_when(process, lambda: objects(tmp_path / store), group)
    done = unfrozen.reactivate("freeze")
    assert done.returncode == 0, done.stdout
    other = type(unfrozen)(tmp_path / "b")
    unfrozen.git("clone", "--quiet", ".", str(other.folder))
    done = other.reactivate("restore")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("store", ["a/.dvc/cache", "reactivate-dvc"])
def test_what_a_killed_dvc_left_empty_is_written_again(unfrozen, tmp_path, store):
    """DVC makes a file before it clones the content into it."""
    done = unfrozen.reactivate("freeze")
    assert done.returncode == 0, done.stdout
    whole = {path: path.read_bytes() for path in objects(tmp_path / store)}
    for path in whole:
        path.chmod(0o644)
        path.write_bytes(b"")
    done = unfrozen.reactivate("freeze")
    assert done.returncode == 0, done.stdout
    assert {path: path.read_bytes() for path in objects(tmp_path / store)} == whole


@pytest.mark.parametrize(
    ("place", "group"), [(".dvc/cache/files", False), ("results/smoke", True)]
)
def test_a_killed_restore_is_completed_by_the_next(fresh, place, group):
    process = fresh.start("restore")
    assert kill_when(process, lambda: (fresh.folder / place).exists(), group)
    done = fresh.reactivate("restore")
    assert done.returncode == 0, done.stdout
    assert "results/smoke: nothing to be done" in done.stdout
