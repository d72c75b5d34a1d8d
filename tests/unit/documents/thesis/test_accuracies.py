"""What section 3.1.4 of the thesis says of Tables 3.2 and 3.3, from networks of every seed."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from reactivate.documents.thesis.chapter3 import accuracies as exhibit
from reactivate.documents.thesis.chapter3 import accuracies_claims as claims
from reactivate.documents.thesis.chapter3.accuracies_picture import accuracies as picture
from reactivate.evidence.observed import Observations
from reactivate.experiment.cell import Cell

ROOT = Path(__file__).parents[4]
FOUR = ("sigmoid", "tanh", "relu", "gelu")
SETTINGS = ("benchmark", "init", "bn", "bn_init")
PRINTED = {  # of the thesis, in this order
    "vgg16": [(10, 10, 10, 10), (10, 87, 89, 10), (83, 86, 87, 87), (90, 90, 93, 93)],
    "resnet34": [(10, 10, 10, 10), (10, 67, 87, 86), (85, 84, 85, 85), (88, 90, 92, 92)],
}


def networks(seeds=3, changed=None):
    """Networks as printed, to the percent; some are changed."""
    rows = []
    for network, setting in product(PRINTED, SETTINGS):
        column = f"{network}_{setting}"
        printed = PRINTED[network][SETTINGS.index(setting)]
        for name, top1 in zip(FOUR, printed, strict=True):
            for seed in range(seeds):
                value = (changed or {}).get((column, name, seed), float(top1))
                rows.append((name, column, seed, value, 1000))
    return pd.DataFrame(rows, columns=["row", "column", "seed", "top1", "images"])


def test_networks_that_are_printed_at_chance_and_stay_there_are_no_case():
    found = claims.rectified_are_better(networks())
    assert len(found) == 2 * 3 * 4 - 1  # of VGG16 with initialization Sigmoid and GELU are a tie
    assert not any("benchmark" in case for case in found)
    assert "vgg16 init: gelu, sigmoid" not in found
    assert found["resnet34 init: gelu, sigmoid"].mean == 76
    assert found["vgg16 init: gelu, tanh"].mean == -77
    assert found["vgg16 bn: relu, tanh"].mean == 1


def test_a_network_that_learns_against_the_print_is_compared():
    found = claims.rectified_are_better(networks(changed={("vgg16_benchmark", "relu", 1): 40.0}))
    assert found["vgg16 benchmark: relu, tanh"].stated == (10, 40, 10)


def test_a_network_that_is_printed_to_learn_and_has_not_is_left_out():
    found = claims.rectified_are_better(networks(changed={("vgg16_bn", "relu", 1): 11.0}))
    effect = found["vgg16 bn: relu, tanh"]
    assert effect.stated == (87, None, 87)
    assert effect.other == (86, 86, 86)
    assert not effect.paired


def test_sigmoid_is_compared_in_the_mean_of_what_helps_to_learn():
    found = claims.sigmoid_is_worst(networks(changed={("vgg16_bn", "tanh", 2): 11.0}))
    assert list(found) == [f"{net}: {x}" for net in PRINTED for x in ("tanh", "relu", "gelu")]
    assert found["vgg16: relu"].mean == pytest.approx((89 + 87 + 93 - 10 - 83 - 90) / 3)
    assert found["vgg16: tanh"].stated[2] is None


def test_gaps_between_initialization_and_normalisation_are_compared_with_those_of_relu():
    found = claims.relu_needs_either(networks())
    assert found["vgg16: gelu"].mean == (87 - 10) - (89 - 87)
    assert found["resnet34: gelu"].mean == (86 - 85) - (87 - 85) == -1
    assert found["resnet34: sigmoid"].mean == (85 - 10) - 2


def test_only_seeds_that_all_settings_have_are_combined():
    more = networks(seeds=5)
    few = more[(more["seed"] < 3) | (more["column"] != "vgg16_bn") | (more["row"] != "tanh")]
    found = claims.sigmoid_is_worst(few)
    assert len(found["vgg16: tanh"].stated) == 3
    assert len(found["vgg16: relu"].stated) == 5


def test_a_network_has_learned_beside_the_best_of_its_own_table():
    """20 % is a third of the way to 40 %, and not to the 93 % of the other table."""
    numbers = networks()
    of_resnet = numbers["column"].str.startswith("resnet34") & (numbers["top1"] > 20)
    found = claims.rectified_are_better(numbers.assign(top1=numbers["top1"].mask(of_resnet, 20)))
    assert found["resnet34 bn: relu, tanh"].stated == (20, 20, 20)
    slow = numbers["column"].eq("vgg16_bn") & numbers["row"].eq("relu")
    found = claims.rectified_are_better(numbers.assign(top1=numbers["top1"].mask(slow, 20)))
    assert found["vgg16 bn: relu, tanh"].stated == (None, None, None)


def test_the_exhibit_holds_every_run_and_shows_it_beside_the_print(tmp_path, monkeypatch):
    def record(path):
        *_, network, recipe = path.parent.name.split()
        cell = Cell("cifar10", network, "relu", "bn", recipe)
        return SimpleNamespace(scale="laptop", paper="thesis", cell=cell)

    monkeypatch.chdir(ROOT)  # for config/
    monkeypatch.setattr(exhibit, "read_record", record)
    folders = {}
    for row, (column, recipe), seed in product(
        FOUR, (("vgg16_bn", "chapter3"), ("resnet34_init", "chapter3_resnet34")), (0, 1)
    ):
        folder = tmp_path / f"{row} {seed} {column.removesuffix('_bn')} {recipe}"
        folder.mkdir()
        pd.DataFrame({"top1": [50.0 + seed], "top5": 90.0}).to_csv(folder / "metrics.csv")
        folders[row, column, "document", seed] = folder
    numbers = exhibit.accuracies(Observations(folders))
    assert list(numbers) == ["row", "column", "seed", "top1", "images"]
    assert len(numbers) == 16
    assert (numbers["top1"] == 50 + numbers["seed"]).all()
    images = numbers.groupby("column")["images"].unique().map(list).to_dict()
    assert images == {"resnet34_init": [700], "vgg16_bn": [1000]}
    shown = picture(numbers)
    assert [axis.get_title() for axis in shown.axes] == ["VGG16", "ResNet34"]
    dots = [len(drawn.get_offsets()) for drawn in shown.axes[0].collections]
    assert sum(dots) == 4 * 2 + 4 * 4  # every seed, and a cross for every printed number
