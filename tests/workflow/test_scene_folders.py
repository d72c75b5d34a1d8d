"""Folders of COCO and KITTI-Materials in their own layouts train by the printed settings.

Everything is as printed but the number of pictures: four to train on, two of them in a step.
"""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from reactivate.evidence.image_runs import leave
from reactivate.evidence.records import verify_record, watched
from reactivate.experiment.experiment import Experiment
from reactivate.models import MODELS
from reactivate.training.inputs import ALONE
from reactivate.training.run import Run
from reactivate.training.scenes.detection import Detection
from reactivate.training.scenes.segmentation import Segmentation
from reactivate.training.scenes.setup import (
    detection_inputs,
    segmentation_inputs,
    treatment_of,
)
from safetensors.torch import save_file

sys.path.append(str(Path(__file__).parents[1]))
from scenes_on_disk import write_coco, write_materials

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PICTURES = {
    "table6": {"train2017": 4, "val2017": 1},
    "table7": {"train.txt": 4, "val.txt": 1},
}
TASKS = {
    "table6": (Detection(), detection_inputs, "detections.json"),
    "table7": (Segmentation(), segmentation_inputs, "images.csv"),
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The project's configuration, both folders, and a ResNet-50 that was not trained."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    write_coco(tmp_path / "coco", PICTURES["table6"])
    write_materials(tmp_path / "materials", PICTURES["table7"], size=(1216, 320))
    monkeypatch.setenv("REACTIVATE_COCO", str(tmp_path / "coco"))
    monkeypatch.setenv("REACTIVATE_KITTI_MATERIALS", str(tmp_path / "materials"))
    backbone = tmp_path / "backbone"
    backbone.mkdir()
    torch.manual_seed(0)
    save_file(MODELS.load("resnet50")().state_dict(), backbone / "model.safetensors")
    (backbone / "run.json").write_text("{}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("table", TASKS)
def test_a_folder_of_the_users_trains_two_steps_by_the_printed_settings(project, table):
    exhibit = Experiment.load("paper").exhibit("iieu", table)
    place = next(place for place in exhibit.places if place.row == "relu")
    printed = exhibit.cell(place).image_settings
    recipe = printed.recipe.model_copy(update={"batch_size": 2})
    chosen = printed.model_copy(update={"recipe": recipe, "epochs": 1})
    task, inputs, predictions = TASKS[table]
    treatment = treatment_of(task, inputs, project / "backbone")
    run = Run(place.cell, chosen, 0, Path("out"), "code", "da" * 32, recipe.stage, treatment)
    with watched() as watch:
        run.train(ALONE, torch.device("cpu"), 0)
    leave(run, stage=recipe.stage, scale="paper", paper="iieu", watch=watch)
    assert run.trainer.step == 2
    assert run.state.diverged_at is None
    record = verify_record(Path("out/run.json"))
    assert predictions in record.files
    assert record.cell == replace(place.cell)
    (row,) = Path("out/history.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert float(row.split(",")[2]) > 0
    if table == "table6":
        found = json.loads(Path("out/detections.json").read_text(encoding="utf-8"))
        assert {one["image_id"] for one in found} <= {1}
