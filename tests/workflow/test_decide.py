"""``reactivate decide`` with Snakemake: new seeds beside old ones; killed, the same decision."""

import json
import shutil
import signal
import time

import pytest
import yaml
from made_up import write_prepared

pytestmark = pytest.mark.slow

NAME = "psc/findings/gating_beats_svd"
REQUEST = ("decide", NAME, "--scale", "smoke", "--hours", "0.5", "--cores", "2")
CELLS = ("resnet14-spsc-bn-cifar", "resnet14_low_rank-psc-bn-cifar")
RUNS = [f"results/smoke/psc/runs/cifar10/{cell}/seed{seed}/run.json"
        for cell in CELLS for seed in range(3)]  # fmt: skip


def bright(count, random):
    """Images whose class is how bright each third of them is, with a little noise."""
    import torch

    labels = torch.randint(10, (count,), generator=random)
    shades = torch.stack([labels * 25, 250 - labels * 25, (labels % 2) * 200], 1)
    noise = torch.randint(20, (count, 3, 32, 32), generator=random)
    images = (shades[:, :, None, None] + noise).clamp(0, 255)
    return images.to(torch.uint8), labels


@pytest.fixture(scope="module")
def begun(tmp_path_factory, whole_project):
    """A project with three seeds of two cells that learn in a moment."""
    import torch

    clone = whole_project(tmp_path_factory.mktemp("decide") / "a")
    random = torch.Generator().manual_seed(0)
    tensors = {}
    for part, count in (("train", 4000), ("test", 400)):
        tensors[f"{part}_images"], tensors[f"{part}_labels"] = bright(count, random)
    write_prepared(clone.folder, "cifar10", tensors)
    limits = {"epochs": 20, "seeds": 3, "width": 0.25, "data_fraction": 0.02, "batch_size": 32}
    exhibits = {name: {"rows": rows, "columns": ["cifar10"]} for name, rows in (
        ("accuracy", ["spsc", "psc_svd"]), ("split", ["spsc"]))}  # fmt: skip
    scales = {"smoke": {"recipes": {"cifar": limits}, "exhibits": exhibits}}
    path = clone.folder / "config/papers/psc/scales.yaml"
    path.write_text(yaml.safe_dump(scales), encoding="utf-8")
    done = clone.snakemake("--cores", "2", "--", *RUNS)
    assert done.returncode == 0, done.stdout
    return clone


@pytest.fixture
def copied(begun, tmp_path):
    def copy(name):
        shutil.copytree(begun.folder, tmp_path / name, symlinks=True)
        return type(begun)(tmp_path / name)

    return copy


def log_of(clone):
    path = clone.folder / "results/smoke/decide.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def decision(clone):
    """The raised seeds, the looks, and the metrics of every run."""
    seeds = (clone.folder / "config/papers/psc/seeds.yaml").read_text(encoding="utf-8")
    runs = sorted((clone.folder / "results/smoke/psc/runs").rglob("metrics.csv"))
    metrics = {run.relative_to(clone.folder): run.read_bytes() for run in runs}
    return seeds, [(look["claim"], look["seeds"]) for look in log_of(clone)["looks"]], metrics


def test_new_seeds_are_ordinary_targets_and_a_killed_one_decides_the_same(copied):
    whole, killed = copied("whole"), copied("killed")
    before = {run: (whole.folder / run).read_bytes() for run in RUNS}
    done = whole.reactivate(*REQUEST)
    assert done.returncode == 0, done.stdout
    assert f"{NAME}: 5 replicates, 4 runs" in done.stdout
    assert log_of(whole)["finished"]
    assert {run: (whole.folder / run).read_bytes() for run in RUNS} == before
    raised = yaml.safe_load((whole.folder / "config/papers/psc/seeds.yaml").read_text())["smoke"]
    assert set(raised.values()) <= {5, 8, 13}
    folders = list((whole.folder / "results/smoke/psc/runs").glob("*/*/seed*/run.json"))
    assert len(folders) == sum(raised.values())
    left = whole.snakemake("-n", "--", *(str(f.relative_to(whole.folder)) for f in folders))
    assert "Nothing to be done" in left.stdout

    process = killed.start(*REQUEST)
    deadline = time.monotonic() + 600
    new = "results/smoke/psc/runs/cifar10/*/seed[34]/run.json"
    while not list(killed.folder.glob(new)) and time.monotonic() < deadline:
        time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=300) != 0
    assert not log_of(killed)["finished"]
    again = killed.reactivate(*REQUEST)
    assert again.returncode == 0, again.stdout
    assert f"going on with the look at {NAME}" in again.stdout
    assert decision(killed) == decision(whole)
