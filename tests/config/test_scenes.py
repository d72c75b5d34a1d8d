"""Tables 6 and 7 of iieu: their runs, what these start from, and what is read off them."""

import pytest
from reactivate.commands.count import configured_networks
from reactivate.commands.forecast import Forecaster
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.limit_checking import check_limits
from reactivate.experiment.loading import load_paper
from reactivate.experiment.scales import Limits, PaperScale

pytestmark = pytest.mark.usefixtures("configuration")

RUN = {
    "table6": ["relu", "swish", "smu", "iieu_b", "iieu_dc"],  # Meta-ACON's numbers are quoted
    "table7": ["relu", "swish", "meta_acon", "smu", "iieu_b"],
}
DATA = {
    "paper": ("imagenet", {"table6": "coco", "table7": "kitti_materials"}),
    "laptop": ("tiny_imagenet20", {"table6": "pasted_objects", "table7": "pasted_materials"}),
}


def cells(scale, table):
    exhibit = Experiment.load(scale).exhibit("iieu", table)
    return {place.row: exhibit.cell(place) for place in exhibit.places}


@pytest.mark.parametrize("table", RUN)
@pytest.mark.parametrize("scale", DATA)
def test_networks_start_from_resnet50_of_the_same_activation_and_seed(scale, table):
    pictures, scenes = DATA[scale]
    found = cells(scale, table)
    assert list(found) == RUN[table]
    for row, cell in found.items():
        assert cell.cell.dataset == scenes[table]
        begun = cell.backbone
        coordinates = (pictures, "resnet50", row, "bn", "cfg_1")
        assert begun.cell.coordinates == coordinates
        assert begun.settings.model.width == cell.settings.model.width
        folders = [str(folder) for folder in cell.backbone_folders()]
        stem = f"results/{scale}/iieu/runs/{pictures}/resnet50-{row}-bn-cfg_1"
        assert folders == [f"{stem}/seed{seed}" for seed in range(cell.seeds)]


@pytest.mark.parametrize("table", RUN)
def test_three_seeds_of_two_activations_are_run_at_laptop(table):
    seeds = {row: cell.seeds for row, cell in cells("laptop", table).items()}
    assert seeds == {row: 3 if row in ("relu", "iieu_b") else 1 for row in RUN[table]}


def test_a_network_of_classes_starts_from_nothing():
    exhibit = Experiment.load("paper").exhibit("iieu", "table1")
    cell = exhibit.cell(exhibit.places[0])
    assert cell.backbone is None
    assert cell.backbone_folders() == []


@pytest.mark.slow
def test_backbones_that_no_table_has_are_in_the_plan_and_are_counted():
    folders = Forecaster(["paper"]).folders
    stem = "results/paper/iieu/runs/imagenet/resnet50-{}-bn-cfg_1/seed0"
    named = {str(folder): exhibit for folder, exhibit in folders.items()}
    assert named[stem.format("swish")] == named[stem.format("smu")] == "iieu/table6"
    assert named[stem.format("meta_acon")] == "iieu/table7"
    assert named[stem.format("iieu_b")] == "iieu/table3"
    counted = configured_networks()
    for row in ("swish", "smu", "meta_acon"):
        assert f"resnet50 {row} bn width 1 classes 1000 input 3x224x224" in counted


def test_the_best_epoch_is_another_number_of_the_same_run():
    exhibit = Experiment.load("paper").exhibit("iieu", "table7")
    both = [place for place in exhibit.places if place.row == "relu"]
    assert [(place.protocol, place.metric) for place in both] == [
        ("document", "miou"),
        ("best_epoch", "miou_best_epoch"),
    ]
    assert len({place.cell for place in both}) == 1
    assert load_paper("iieu").protocols["best_epoch"].on_test_split


def test_a_backbone_of_another_width_is_named():
    paper = load_paper("iieu")
    limits = PaperScale(recipes={"cfg_1": Limits(width=0.5), "mmdetection_1x": Limits(width=0.25)})
    with pytest.raises(ValueError, match=r"mmdetection_1x.width is 0.25, but 0.5 in the recipe"):
        check_limits("laptop", limits, [], paper, "scales.yaml")


@pytest.mark.parametrize(
    ("recipe", "limit", "message"),
    [
        ("cfg_1", {"crop": 64}, "crop changes nothing in a recipe of train"),
        ("cfg_1", {"seeds": {"default": 1, "rleu": 3}}, "unknown activation 'rleu'"),
        ("cfg_1", {"seeds": {"relu": 3}}, "seeds.default is missing"),
        (
            "mmdetection_1x",
            {"width": 0.25, "tests": "end"},
            "tests is for recipes of train, prune",
        ),
        ("mmdetection_1x", {"width": 0.25, "test_fraction": 0.5}, "not of detect; remove it"),
    ],
)
def test_a_limit_that_nobody_heeds_is_named(recipe, limit, message):
    limits = PaperScale(recipes={recipe: Limits(**limit)})
    with pytest.raises(ValueError, match=message):
        check_limits("laptop", limits, [], load_paper("iieu"), "scales.yaml")
