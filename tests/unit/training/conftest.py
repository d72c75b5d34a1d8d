"""A project folder with small random images, and networks that train on them in no time."""

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

os.environ["OMP_NUM_THREADS"] = "1"  # also for children that import this file alone

import torch
from reactivate.evidence.image_runs import leave
from reactivate.evidence.records import verify_record, watched
from reactivate.experiment.cell import Cell
from reactivate.experiment.paper import Image
from reactivate.experiment.recipes import Defended, Detected, Pruned, Segmented, Training
from reactivate.experiment.settings import ImageSettings
from reactivate.models.resnet import ResNet
from reactivate.stages import defend, prune, train
from reactivate.training.inputs import ALONE
from reactivate.training.run import Run
from reactivate.training.scenes.detection import Detection
from reactivate.training.scenes.segmentation import Segmentation
from reactivate.training.scenes.setup import (
    detection_inputs,
    segmentation_inputs,
    treatment_of,
)
from reactivate.training.trainer import Trainer
from safetensors.torch import save_file

sys.path.append(str(Path(__file__).parents[2]))
from scenes_on_disk import write_coco, write_materials

TREATMENTS = {"train": train.treat, "defend": defend.treat, "prune": prune.treat}
CPU = torch.device("cpu")
collect_ignore = ["forked.py"]  # a program of its own
ROOT = Path(__file__).parents[3]
SGD = {"name": "sgd", "momentum": 0.9, "weight_decay": 0.01}
RECIPE = {
    "stage": "train",
    "optimizer": SGD,
    "lr": {"default": 0.05},
    "schedule": {"kind": "milestones", "at": [2], "factor": 0.1},
    "batch_size": 8,
    "epochs": 4,
    "normalise": "mean_std",
    "seeds": 1,
}
NETWORKS = {
    "mlp": ("mnist", {"network": "mlp", "arguments": {"features": 64, "hidden": [16]}}),
    "convolutions": ("cifar10", {"network": "vgg6", "width": 0.05}),
    "dropout": ("cifar10", {"network": "vgg16", "width": 0.02, "arguments": {"dropout": 0.5}}),
}
TINY = {"depths": [1, 1, 1, 1]}
SCENES = {
    "detector": (
        "coco",
        {"network": "retinanet", "arguments": {**TINY, "short": 64, "threshold": 0.0}},
        Detected,
        {"stage": "detect"},
        80,
    ),
    "segmenter": (
        "kitti_materials",
        {"network": "allmlp_segmenter", "arguments": {**TINY}},
        Segmented,
        {"stage": "segment", "crop": 64, "blur": 0.5, "balanced": True},
        20,
    ),
}
SCENE_RECIPE = {
    "batch_size": 2,
    "epochs": 2,
    "augmentation": {"flip": 0.5},
    "schedule": {"kind": "constant"},
    "lr": {"default": 0.01},
    "backbone": {"dataset": "imagenet", "model": "resnet50", "recipe": "toy"},
}
WIDTH = 0.05
SHAPES = {"mnist": (1, 8, 8), "cifar10": (3, 32, 32)}
TRAIN, TEST, CLASSES = 22, 10, 3


def write_project(folder):
    """The catalog, and prepared images of two sets; their last batch is smaller."""
    from made_up import write_prepared

    (folder / "config").mkdir(parents=True)
    for name in ("datasets.yaml", "arithmetic.yaml"):
        shutil.copy(ROOT / "config" / name, folder / "config")
    for name, shape in SHAPES.items():
        stream = torch.Generator().manual_seed(0)
        tensors = {}
        for part, count in (("train", TRAIN), ("test", TEST)):
            tensors[f"{part}_images"] = torch.randint(
                256, (count, *shape), generator=stream, dtype=torch.uint8
            )
            tensors[f"{part}_labels"] = torch.randint(CLASSES, (count,), generator=stream)
        write_prepared(folder, name, tensors, told=False)


def make_recipe(**changes):
    """A recipe, but for the changes; one with a defence or pruning is of the stage for it."""
    lr = changes.pop("lr", RECIPE["lr"])  # one with which a training diverges is no setting
    if "defence" in changes:
        recipe = Defended.model_validate({**RECIPE, "stage": "defend", **changes})
    elif "pruning" in changes:
        recipe = Pruned.model_validate({**RECIPE, "stage": "prune", **changes})
    else:
        recipe = Training.model_validate({**RECIPE, **changes})
    return recipe.model_copy(update={"lr": lr})


def make_run(out, network="mlp", parameterization="sp", digest="code", **changes):
    """A run in the current folder; ``changes`` are those of the recipe."""
    dataset, model = NETWORKS[network]
    chosen = ImageSettings(
        recipe=make_recipe(**changes),
        model=Image(kind="image", **model),
        classes=CLASSES,
        epochs=None,
        printed_epoch=math.ceil(TRAIN / make_recipe(**changes).batch_size),
        data_fraction=1.0,
    )
    cell = Cell(dataset, network, "relu", parameterization, "toy")
    stage = chosen.recipe.stage
    treatment = TREATMENTS[stage](SimpleNamespace(cell=cell, resolved=chosen))
    digest = f"{digest} of {parameterization}"
    return Run(cell, chosen, 0, Path(out), digest, "da" * 32, stage, treatment)


def write_scenes(folder, seed=0):
    """Both sets of scenes, and the run that backbones start from, below a folder."""
    write_coco(folder / "coco")
    write_materials(folder / "materials")
    write_backbone(folder / "backbone", seed)
    os.environ["REACTIVATE_COCO"] = str(folder / "coco")
    os.environ["REACTIVATE_KITTI_MATERIALS"] = str(folder / "materials")


def write_backbone(folder, seed=0):
    """Weights and record of a network of classes."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    network = ResNet(width=WIDTH, depths=(1, 1, 1, 1), classes=4)
    save_file(network.state_dict(), folder / "model.safetensors")
    (folder / "run.json").write_text(f'{{"seed": {seed}}}\n', encoding="utf-8")


def make_scene_run(out, network, digest="code", **changes):
    """A run on scenes in the current folder; ``changes`` are those of the recipe."""
    dataset, model, form, own, classes = SCENES[network]
    recipe = form.model_validate({**RECIPE, **SCENE_RECIPE, **own, **changes})
    chosen = ImageSettings(
        recipe=recipe,
        model=Image(kind="image", width=WIDTH, **model),
        classes=classes,
        epochs=None,
        printed_epoch=math.ceil(5 / recipe.batch_size),
        data_fraction=1.0,
    )
    cell = Cell(dataset, network, "relu", "bn", "toy")
    made = (Detection(), detection_inputs)
    if network == "segmenter":
        made = (Segmentation(), segmentation_inputs)
    treatment = treatment_of(*made, Path("scenes/backbone"))
    return Run(cell, chosen, 0, Path(out), digest, "da" * 32, recipe.stage, treatment)


def train_and_leave(run, share=ALONE, device=CPU, ending=bool):
    """Trains to the end, with a snapshot after every epoch, and leaves files and record."""
    with watched() as run.watch:
        run.train(share, device, 1, seconds_between=0, ending=ending)
    if share.rank == 0:
        leave(run, stage=run.stage, scale="toy", paper="toy", watch=run.watch)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The current folder, with a catalog and prepared images."""
    write_project(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def scenes(project, monkeypatch):
    """The current folder, with scenes and a backbone."""
    for name in ("REACTIVATE_COCO", "REACTIVATE_KITTI_MATERIALS"):
        monkeypatch.setenv(name, "")  # is put back in the end
    write_scenes(project / "scenes")
    return project / "scenes"


@pytest.fixture
def other_backbone(scenes):
    """``other_backbone()``: replaces the weights that backbones start from."""
    return lambda: write_backbone(scenes / "backbone", seed=1)


@pytest.fixture
def new_scene_run():
    """``new_scene_run(out, network, digest, **changes of the recipe)``."""
    return make_scene_run


@pytest.fixture(scope="session")
def recipe():
    """``recipe(**changes)``: of the recipe's keys."""
    return make_recipe


@pytest.fixture
def new_run():
    """``new_run(out, network, parameterization, digest, **changes of the recipe)``."""
    return make_run


@pytest.fixture
def finish():
    """``finish(run)``: trains to the end; the checksums of all files but the record."""

    def end(run):
        train_and_leave(run)
        return verify_record(run.out / "run.json").files

    return end


class Interrupted(BaseException):
    """Stands for a power cut: nothing catches it."""


@pytest.fixture
def interrupt(monkeypatch):
    """``interrupt(run, epochs)``: trains for some epochs, the last of which is not kept."""

    def stop(run, epochs):
        epoch = Trainer._epoch

        def until(self, number):
            epoch(self, number)
            if number == epochs:
                raise Interrupted

        with monkeypatch.context() as patch:
            patch.setattr(Trainer, "_epoch", until)
            with pytest.raises(Interrupted):
                run.train(ALONE, CPU, 1, seconds_between=0)

    return stop


@pytest.fixture
def forked(project):
    """``forked(mode, case)``: what ``forked.py`` prints."""

    def start(*arguments):
        done = subprocess.run(
            [sys.executable, Path(__file__).with_name("forked.py"), *arguments],
            env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return start
