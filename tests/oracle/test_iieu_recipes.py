"""The recipes of IIEU that follow the authors' programs, against their numbers restated."""

import math

import pytest
import torch
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.loading import load_exhibit, load_paper
from reactivate.models import MODELS
from reactivate.training.schedules import Clock, rates
from torch import nn

RECIPES = load_paper("iieu").recipes
TRAINING = 1_281_167  # pictures of ImageNet


def clock(recipe):
    epoch = recipe.batches(TRAINING)
    return Clock(epoch * recipe.epochs, epoch * recipe.epochs, epoch)


def test_epochs_have_the_batches_of_four_loaders_that_drop_the_last():
    per_process = math.ceil(TRAINING / 4)
    assert RECIPES["cfg_1_authors_code"].batches(TRAINING) == per_process // 64
    assert RECIPES["cfg_c_authors_code"].batches(TRAINING) == per_process // 256


@pytest.mark.parametrize(
    ("epoch", "lr"),
    [
        (0, 1e-4),
        (4, 1e-4 + 4 * (0.1 - 1e-4) / 5),
        (5, 1e-5 + 0.5 * (0.1 - 1e-5) * (1 + math.cos(math.pi * 5 / 120))),
        (60, 1e-5 + 0.5 * (0.1 - 1e-5)),
        (119, 1e-5 + 0.5 * (0.1 - 1e-5) * (1 + math.cos(math.pi * 119 / 120))),
        (120, 1e-5),
        (129, 1e-5),
    ],
)
def test_rates_of_resnets_are_set_once_an_epoch(epoch, lr):
    recipe = RECIPES["cfg_1_authors_code"]
    length = clock(recipe).printed_epoch
    first, last = (
        rates(recipe, 0.1, clock(recipe), step).lr
        for step in (epoch * length, (epoch + 1) * length - 1)
    )
    assert first == last == pytest.approx(lr, rel=1e-9)


def theirs(step, length):
    """Rate of MobileNetV2 in the authors' scheduler, restated."""
    if step >= 240 * length:
        return 1e-5
    lr = 0.5 * 0.5 * (1 + math.cos(math.pi * step / (240 * length)))
    return max(1e-5, lr * min(1.0, step / (5 * length)))


def test_rates_of_mobilenet_are_as_far_from_the_authors_as_is_said():
    recipe = RECIPES["cfg_c_authors_code"]
    length = clock(recipe).printed_epoch
    apart = [
        abs(rates(recipe, 0.5, clock(recipe), step).lr - theirs(step, length))
        for step in range(0, 241 * length, 97)
    ]
    assert max(apart) < 0.002 * 0.5
    assert "0.2 %" in recipe.open["schedule"]


def deviations(activation):
    """Deviation of a convolution's and of the output layer's weights, under the protocol."""
    chosen = RECIPES["cfg_1_authors_code"].initialization
    torch.manual_seed(0)
    scheme = chosen.get(activation, chosen["default"])
    net = MODELS.load("resnet14")(activation=activation, classes=100, initialization=scheme)
    layers = [m for m in net.modules() if isinstance(m, nn.Conv2d) and m.kernel_size == (3, 3)]
    return layers[-1].weight.std().item(), net[-1].weight.std().item()


@pytest.mark.parametrize("activation", ["relu", "iieu_b", "iieu_dc", "swish", "gelu"])
def test_convolutions_are_normal_by_fan_out_but_for_relu_and_iieu(activation):
    convolution, output = deviations(activation)
    fan = 9 * 512
    plain = activation in ("relu", "iieu_b", "iieu_dc")
    # torch's is uniform up to the root of 1 / fan-in; the output layer is torch's everywhere
    assert convolution == pytest.approx(math.sqrt((1 / 3 if plain else 2) / fan), rel=0.01)
    assert output == pytest.approx(math.sqrt(1 / 3 / 2048), rel=0.01)


def test_every_recipe_is_used_by_an_exhibit_and_at_smoke():
    for scale in ("smoke", "paper"):
        runs = Experiment.load(scale).exhibits("iieu")
        used = {run.cell(place).cell.recipe for run in runs for place in run.places}
        assert used == set(RECIPES)


QUOTED = [
    ("table3", "relu_top1", "resnet50"),
    *(("table6", "meta_acon", c) for c in ("map", "ap50", "ap75")),
    *(("table6", "meta_acon", c) for c in ("ap_small", "ap_medium", "ap_large")),
]


def test_numbers_of_other_works_are_quoted_and_no_others():
    found = [
        (name, row, column)
        for name in ("table1", "table2", "table3", "table4", "table5", "table6", "table7")
        for exhibit in [load_exhibit("iieu", name)]
        for row in exhibit.row_names
        for column in exhibit.column_names
        if exhibit.reason_not_run(row, column) == "quoted"
    ]
    assert found == QUOTED
