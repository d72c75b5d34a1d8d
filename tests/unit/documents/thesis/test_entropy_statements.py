"""Neuron entropy: what is said of it, and its pictures."""

import numpy as np
import pandas as pd
import pytest
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter5 import figure5_9_claims as entropy_statements
from reactivate.documents.thesis.chapter5 import figures5_8_to_5_10_picture as entropy_pictures

BINS = 20


def distributions(constant=lambda layer: 0.02 * layer, near=lambda layer: 0.05 * layer, layers=15):
    """Made-up distributions at the end of training."""
    edges = np.linspace(0, np.log(2), BINS + 1).round(6)
    rows = []
    for part in ("train", "test"):
        for layer in range(1, layers + 1):
            shares = np.full(BINS, (1 - near(layer)) / (BINS - 1))
            shares[0] = near(layer)
            for low, high, share in zip(edges[:-1], edges[1:], shares, strict=True):
                rows.append((part, layer, low, high, share, constant(layer), 0.3))
    names = ["part", "layer", "entropy_from", "entropy_to", "share", "constant", "mean"]
    return pd.DataFrame(rows, columns=names)


def test_shares_of_layers_are_compared():
    found = entropy_statements.stable_from_layer_7(distributions())
    assert found.stated == pytest.approx((0.22 - 0.07,))  # means of layers 7 to 15, and 1 to 6
    falling = distributions(constant=lambda layer: 0.3 / layer)
    assert entropy_statements.stable_from_layer_7(falling).mean < 0
    deep = entropy_statements.near_0_in_deep_layers(distributions())
    assert deep.stated == pytest.approx((0.625 - 0.175,))
    fewer = distributions(near=lambda layer: 0.5 / layer)
    assert entropy_statements.near_0_in_deep_layers(fewer).mean < 0


@pytest.mark.parametrize(
    ("name", "reading", "layer", "mean"),
    [
        ("dying_in_layers_10_to_12", "10% of the neurons", 10, 0.1),
        ("dying_in_layers_10_to_12", "5% of the neurons", 12, 0.19),
        ("dying_in_layers_10_to_12", "20% of the neurons", 11, 0.02),
        ("dying_in_layers_11_to_14", "layers counted from 1", 11, -0.28),
        ("dying_in_layers_11_to_14", "layers counted from 0", 15, -0.2),
        ("dying_in_layers_11_to_14", "layers as in section 5.3.3.2", 10, -0.3),
    ],
)
def test_shares_of_constant_neurons_are_told_for_each_layer(name, reading, layer, mean):
    several = pd.concat([distributions().assign(seed=seed) for seed in range(2)])
    found = getattr(entropy_statements, name)(several).found[reading]
    assert found[f"layer {layer}"].stated == pytest.approx((mean,) * 2)
    missing = getattr(entropy_statements, name)(distributions(layers=9)).found[reading]
    assert str(missing.verdict) == "not_comparable(network)"


def test_every_layer_is_drawn_for_both_parts(tmp_path):
    figure = entropy_pictures.at_the_end(distributions())
    assert len(figure.axes) == 10
    assert sum(len(axis.get_legend().get_texts()) for axis in figure.axes) == 30
    check_size(figure, tmp_path)


def test_every_batch_size_is_drawn_in_every_panel(tmp_path):
    quantities = ["train_top1", "test_top1"]
    quantities += [
        f"entropy_{kind} layer {n}" for kind in ("mean", "variance") for n in (1, 6, 11)
    ]
    rows = [
        ("vgg16", f"batch_{2**k}", step, quantity, 0.1 * k + step / 9)
        for k in range(4, 10)
        for quantity in quantities
        for step in range(0 if " " in quantity else 1, 5)
    ]
    frame = pd.DataFrame(rows, columns=["row", "column", "step", "quantity", "value"])
    figure = entropy_pictures.by_batch_size(frame)
    assert [len(axis.get_lines()) for axis in figure.axes] == [6] * 8
    first = figure.axes[0].get_lines()[0].get_xdata()
    assert list(first) == [1, 2, 3, 4]  # epochs, as steps of runs with 4 steps
    check_size(figure, tmp_path)


@pytest.mark.parametrize("layers", [(2, 5, 8, 11), (2, 5, 8)])
def test_entropy_over_training_is_drawn_for_every_layer(layers, tmp_path):
    random = np.random.default_rng(0)
    rows = [
        ("vgg16", "relu", 100 * step, layer, *random.dirichlet(np.ones(BINS)))
        for layer in layers
        for step in range(12)
    ]
    names = ["row", "column", "step", "layer", *(f"bin{number}" for number in range(BINS))]
    figure = entropy_pictures.during_training(pd.DataFrame(rows, columns=names))
    assert len(figure.axes) == len(layers) + 1
    check_size(figure, tmp_path)


def check_size(figure, folder):
    save_png(figure, folder / "figure.png")
    assert (folder / "figure.png").stat().st_size < 200_000
