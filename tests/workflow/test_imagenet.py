"""Everything that reads ImageNet or ImageNet32 runs, on small ones made up in their own formats.

The scale is smoke with its limits, but nothing stands in for the data that has to be supplied.
"""

import io
import json
import os
import pickle
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image
from reactivate.evidence.records import read_record

pytestmark = pytest.mark.slow

CLASSES = [f"n{number:08}" for number in range(20)]
COUNTS = {"train": 40, "val": 10}  # pictures of a class
SIZES = {"classes": 20, "train": 800, "test": 200}
MIRRORED = "tiny-imagenet-20.tar.xz"
TABLES = (
    *("crelu/table4", "crelu/table5", "gmp/table1", "gmp/table2"),
    *("iieu/table1", "iieu/table2", "iieu/table3"),
    *("thesis/table6_3", "thesis/table6_4", "thesis/table6_6"),
)
FIGURES = (
    *("crelu/figure5", "crelu/figure6", "gmp/figure4", "iieu/figure1", "iieu/figure2"),
    *("thesis/figure6_11", "thesis/figure6_12", "thesis/figure6_13"),
)
# those of figure4 and table6_5 that read CIFAR as well have it made up, too
MIXED = ("crelu/figure4", "thesis/table6_5")
STAGES = {"train", "defend", "certify", "analyse", "plot"}


def pictures(count):
    """So many pictures: of Tiny ImageNet where the mirror is at hand, else drawn at random."""
    mirror = Path(os.environ.get("REACTIVATE_MIRROR", "data/raw")) / MIRRORED
    if mirror.exists():
        with tarfile.open(mirror) as archive:
            members = (info for info in archive if info.name.endswith(".JPEG"))
            for _, info in zip(range(count), members, strict=False):
                yield Image.open(io.BytesIO(archive.extractfile(info).read())).convert("RGB")
        return
    random = np.random.default_rng(0)
    for _ in range(count):
        blocks = random.integers(0, 256, (8, 8, 3), dtype=np.uint8)
        yield Image.fromarray(blocks).resize((64, 64), Image.Resampling.BICUBIC)


def write_imagenet(folder):
    """The original layout, with pictures of different sizes and one that is grey."""
    made = pictures(len(CLASSES) * sum(COUNTS.values()))
    for part, count in COUNTS.items():
        for wnid in CLASSES:
            (folder / part / wnid).mkdir(parents=True)
            for number in range(count):
                picture = next(made).resize((64 + number % 7, 60 + number % 5))
                picture = picture.convert("L") if number == 3 else picture
                picture.save(folder / part / wnid / f"{wnid}_{number}.JPEG")


def write_imagenet32(folder):
    """The authors' batches, labels from 1, in the form of their pickles."""
    folder.mkdir()
    random = np.random.default_rng(0)
    names = [f"train_data_batch_{number}" for number in range(1, 11)]
    for name, count in (*((name, SIZES["train"] // 10) for name in names), ("val_data", 200)):
        content = {
            "data": random.integers(0, 256, (count, 3 * 32 * 32), dtype=np.uint8),
            "labels": (np.arange(count) % 20 + 1).tolist(),
            "mean": random.uniform(0, 255, 3 * 32 * 32),
        }
        (folder / name).write_bytes(pickle.dumps(content, 4))


def write_cifar(folder):
    """Images in the place of CIFAR-10, which some of the exhibits read as well."""
    import torch
    from made_up import write_prepared

    random = torch.Generator().manual_seed(0)
    tensors = {}
    for part, count in (("train", 6400), ("test", 400)):
        tensors[f"{part}_labels"] = torch.randint(10, (count,), generator=random)
        tensors[f"{part}_images"] = torch.randint(
            256, (count, 3, 32, 32), generator=random, dtype=torch.uint8
        )
    write_prepared(folder, "cifar10", tensors)


def edit(path, change):
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


class Project:
    """A copy of the project beside small ImageNets."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *targets, **environment):
        beside = self.folder.parent
        given = {
            "PYTHONPATH": "workflow",
            "REACTIVATE_IMAGENET": str(beside / "imagenet"),
            "REACTIVATE_IMAGENET32": str(beside / "imagenet32"),
        }
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", *targets, "--cores", "2", "--quiet", "rules"],
            cwd=self.folder,
            env=os.environ | given | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-5000:]

    def records(self):
        return [read_record(path) for path in (self.folder / "results").rglob("run.json")]


@pytest.fixture(scope="module")
def project(tmp_path_factory, copy_project):
    beside = tmp_path_factory.mktemp("supplied")
    write_imagenet(beside / "imagenet")
    write_imagenet32(beside / "imagenet32")
    folder = beside / "project"
    copy_project(folder)
    write_cifar(folder)
    edit(
        folder / "config/datasets.yaml",
        lambda content: [content[name].update(SIZES) for name in ("imagenet", "imagenet32")],
    )
    edit(folder / "config/scales.yaml", lambda content: content["smoke"].update(stand_ins={}))
    made = Project(folder)
    targets = [f"results/smoke/{name}.csv" for name in TABLES]
    targets += [f"results/smoke/{name}.png" for name in FIGURES]
    targets += [f"results/smoke/{name}.{'png' if 'fig' in name else 'csv'}" for name in MIXED]
    made.run(*targets)
    return made


@pytest.mark.parametrize("name", [*TABLES, *MIXED[1:]])
def test_a_table_of_imagenet_is_made(project, name):
    provenance = json.loads((project.folder / f"results/smoke/{name}.provenance.json").read_text())
    assert provenance["cells"]


@pytest.mark.parametrize("name", [*FIGURES, *MIXED[:1]])
def test_a_figure_of_imagenet_is_made(project, name):
    assert (project.folder / f"results/smoke/{name}.png").stat().st_size > 1000


def test_every_stage_read_imagenet_and_nothing_stood_in(project):
    records = project.records()
    read = {record.cell.dataset for record in records if record.cell is not None}
    assert read == {"imagenet", "imagenet32", "cifar10"}
    stages = {r.stage for r in records if r.cell is not None and r.cell.dataset == "imagenet"}
    assert stages == {"train", "defend", "certify"}


def test_the_folder_was_scanned_once(project):
    assert (project.folder / "data/streamed/imagenet/listing.npz").exists()


def test_packed_pictures_train_the_same_network(project):
    (run,) = (project.folder / "results/smoke/gmp/runs/imagenet").glob("*/seed0")
    before = {name: (run / name).read_bytes() for name in ("model.safetensors", "metrics.csv")}
    shutil.rmtree(run)
    project.run("data/streamed/imagenet/index.safetensors")
    project.run(str((run / "run.json").relative_to(project.folder)), REACTIVATE_IMAGENET="")
    assert before == {name: (run / name).read_bytes() for name in before}
