"""Effects of the toy model have a number per network, under every training, positive as stated."""

import math

import numpy as np
import pandas as pd
import pytest
from reactivate.documents.thesis.chapter3 import figure3_22_claims as grids
from reactivate.documents.thesis.chapter3 import figures3_19_to_3_21_claims as toy
from reactivate.judging.judgement import Judgement

HALF = math.log(2)
ONE, OTHER = "11 points, sgd, 1 a step", "7 points, adam, all a step"
IN_ONE, IN_OTHER = "11 points / sgd, 1 a step", "7 points / adam, all a step"
NUMBERS = ("loss", "unexplained", "constant_neurons", "net_gradient")
NUMBERS += ("loss_near_zero", "loss_elsewhere")


def networks(values, epochs=(0, 1000), trainings=(ONE, OTHER), repeats=3):
    """A frame of networks: numbers by model, or by model and epoch; 1 where nothing is said."""
    rows = [
        {
            "part": "network",
            "training": training,
            "model": model,
            "epoch": epoch,
            "network": number + 1,
            **dict.fromkeys(NUMBERS, 1.0),
            **(given.get(epoch, {}) if 0 in given else given),
        }
        for training in trainings
        for model, given in values.items()
        for epoch in epochs
        for number in range(repeats)
    ]
    return pd.DataFrame([*rows, {"part": "neuron", "model": "drawn", "epoch": 9999}])


def means(readings):
    """Mean effect, or share of true runs, by reading and case."""
    return {
        name: {case: mean_of(each) for case, each in found.items()}
        if isinstance(found, dict)
        else mean_of(found)
        for name, found in readings.found.items()
        if not isinstance(found, Judgement)
    }


def mean_of(found):
    return np.mean(list(found.values())) if isinstance(found, dict) else found.mean


SIGMOIDS = ("Sigmoid(1, 1)", "Sigmoid(15, 0)", "Sigmoid(50, 50)")
RELUS = ("ReLU(1, 1)", "ReLU(15, 1)", "ReLU(15, 0)")
FOUND = [
    (
        "relu_fits",
        {"ReLU(15, 1)": {"unexplained": 0.025}},
        {f"{IN_ONE} / small is 0.05": HALF, f"{IN_ONE} / small is 0.1": 2 * HALF},
    ),
    (
        "relu_fits",
        {"ReLU(15, 1)": {"unexplained": 0.2}},
        {f"{IN_OTHER} / small is 0.1": -HALF},
    ),
    (
        "sigmoid_beats_relu",
        {"ReLU(15, 1)": {"loss": 2.0}, "Sigmoid(15, 15)": {0: {"loss": 9.0}, 1000: {"loss": 1.0}}},
        {IN_ONE: HALF, IN_OTHER: HALF},
    ),
    ("few_sigmoids_contribute", {"Sigmoid(15, 15)": {"constant_neurons": 7}}, {IN_ONE: 0.2}),
    ("few_sigmoids_contribute", {"Sigmoid(15, 15)": {"constant_neurons": 2}}, {IN_ONE: -0.3}),
    (
        "relu_models_are_similar",
        {model: {"loss": 2.0**k} for k, model in enumerate(RELUS)},
        {
            f"{IN_ONE} / within a factor of 2": {
                "ReLU(1, 1) and ReLU(15, 1)": HALF,
                "ReLU(1, 1) and ReLU(15, 0)": 2 * HALF,
                "ReLU(15, 1) and ReLU(15, 0)": HALF,
            }
        },
    ),
    (
        "relu_gradients_remain",
        {"ReLU(1, 1)": {0: {"net_gradient": 0.9}, 1000: {"net_gradient": 0.1}}},
        {
            f"{IN_ONE} / at the start": {"ReLU(1, 1)": 0.4},
            f"{IN_OTHER} / after training": {"ReLU(1, 1)": -0.4},
        },
    ),
    (
        "sigmoid_1_1_is_worst",
        dict(zip(SIGMOIDS, ({"loss": 2.0}, {"loss": 1.0}, {"loss": 4.0}), strict=True)),
        {IN_ONE: {"Sigmoid(15, 0)": HALF, "Sigmoid(50, 50)": -HALF}},
    ),
    (
        "sigmoid_1_1_is_constant",
        {"Sigmoid(1, 1)": {"constant_neurons": 9}},
        {
            f"{IN_ONE} / almost all is 0.8": 0.1,
            f"{IN_ONE} / almost all is 0.5": 0.4,
            f"{IN_OTHER} / almost all is 0.9": 0.0,
        },
    ),
    ("sigmoid_gradients_cancel", {"Sigmoid(1, 1)": {"net_gradient": 0.1}}, {IN_ONE: 0.4}),
    (
        "neurons_die_elsewhere",
        {"Sigmoid(15, 0)": {"constant_neurons": 0}, "Sigmoid(50, 50)": {"constant_neurons": 3}},
        {IN_ONE: {"Sigmoid(15, 0)": 0.0, "Sigmoid(50, 50)": 1.0}},
    ),
    (
        "sigmoid_15_0_underfits",
        {"Sigmoid(15, 0)": {"loss_near_zero": 1.0, "loss_elsewhere": 2.0}},
        {IN_ONE: HALF},
    ),
]


@pytest.mark.parametrize(("name", "values", "expected"), FOUND)
def test_effects_are_those_of_the_networks(name, values, expected):
    found = means(getattr(toy, name)(networks(values)))
    for reading, effect in expected.items():
        assert found[reading] == pytest.approx(effect)
    assert {" / ".join(reading.split(" / ")[:2]) for reading in found} == {IN_ONE, IN_OTHER}


def test_every_network_is_a_replicate_and_one_without_a_gradient_is_not_counted():
    frame = networks({"Sigmoid(1, 1)": {"net_gradient": 0.1}}, repeats=5)
    frame.loc[(frame["network"] == 2) & (frame["epoch"] == 1000), "net_gradient"] = np.nan
    effect = toy.sigmoid_gradients_cancel(frame).found[IN_ONE]
    assert (effect.n, effect.attempted) == (4, 5)


def test_similar_is_open_before_a_margin_is_named():
    found = toy.relu_models_are_similar(networks({model: {} for model in RELUS})).found
    assert str(next(iter(found.values())).verdict) == "undecided"


def grid(sigmoid, relu, networks=3, step=2):
    """A frame of surfaces, functions of w and b; the networks differ by a factor."""
    sizes = range(step, 21, step)
    return pd.DataFrame(
        {
            "training": ONE,
            "activation": name,
            "w": w,
            "b": b,
            **{f"loss{k}": float(k * surface(w, b)) for k in range(1, networks + 1)},
            "mean_loss": 0.0,
        }
        for name, surface in (("relu", relu), ("sigmoid", sigmoid))
        for b in sizes
        for w in sizes
    )


@pytest.mark.parametrize(
    ("sigmoid", "near", "within"),
    [
        (lambda w, b: 1 + (w - b) ** 2, (1, 1), (1, 1)),
        (lambda w, b: 1 + (w - b - 8) ** 2, (-1, 1), (1, 1)),
        (lambda w, b: 1 + (w - b + 14) ** 2, (1, -1), (1, -1)),
        (lambda w, b: 50 + b - w, (-1, 1), (-1, 1)),
    ],
)
def test_a_valley_lies_on_the_line_beside_it_or_nowhere(sigmoid, near, within):
    found = means(grids.sigmoid_surface_is_u_shaped(grid(sigmoid, relu=lambda w, b: 1)))
    sides = ("w is larger", "b is larger")
    assert (
        tuple(
            np.sign(found[f"{IN_ONE} / lower than a third of the grid away"][side])
            for side in sides
        )
        == near
    )
    assert tuple(np.sign(found[f"{IN_ONE} / {grids.PARABOLA}"][side]) for side in sides) == within
    assert len(found) == 4


def test_distances_that_a_coarse_grid_does_not_have_are_left_out():
    coarse = grid(lambda w, b: 1 + (w - b) ** 2, lambda w, b: 1, step=10)
    found = means(grids.sigmoid_surface_is_u_shaped(coarse))
    assert list(found) == [
        f"{IN_ONE} / {how}"
        for how in (
            "lower than a third of the grid away",
            "lower than a fifth of the grid away",
            grids.PARABOLA,
        )
    ]


@pytest.mark.parametrize(
    ("relu", "expected"),
    [(lambda w, b: b, 1.0), (lambda w, b: w, -1.0), (lambda w, b: w + b, 0.0)],
)
def test_what_explains_the_loss_is_told_apart(relu, expected):
    readings = grids.relu_loss_is_set_by_bias(grid(lambda w, b: 1, relu))
    assert means(readings)[f"{IN_ONE} / w from 2"] == pytest.approx(expected)
    assert readings.found[f"{IN_ONE} / w from 2"].n == 3


def test_small_w_can_be_left_out():
    steep = grid(lambda w, b: 1, lambda w, b: b + 1000 * (w == 2))
    found = means(grids.relu_loss_is_set_by_bias(steep))
    assert found[f"{IN_ONE} / w from 2"] < 0 < found[f"{IN_ONE} / w from 4"]
