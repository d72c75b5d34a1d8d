"""The toy model's frames and pictures; tests/oracle/test_toy.py has its training."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.documents.shared.style import save_png
from reactivate.documents.thesis.chapter3.figures3_19_to_3_22 import (
    each_network,
    figure3_19,
    figure3_20,
    figure3_21,
    figure3_22,
)
from reactivate.documents.thesis.chapter3.figures3_19_to_3_22_picture import neurons, surfaces
from reactivate.documents.thesis.chapter3.toy import (
    Model,
    Neurons,
    Training,
    initialize,
    objective,
    train,
)

FEW = {"repeats": 3, "trainings": "11 sgd 1, 7 adam 0"}
GRID = {"epochs": 20, "largest": 2, "step": 1, **FEW}
X = Training(points=11).inputs()
FRAMES = {
    "figure3_19": (partial(figure3_19, early=5, late=20, **FEW), 4),
    "figure3_20": (partial(figure3_20, epochs=20, **FEW), 3),
    "figure3_21": (partial(figure3_21, epochs=20, **FEW), 3),
}


@pytest.mark.parametrize(("w", "b"), [(15, 1), (1, 0), (50, 50)])
def test_parameters_are_drawn_within_their_bounds(w, b):
    found = initialize(Model("relu", w, b), repeats=300)
    assert found.shape == (3, 10, 300)
    for part, bound in zip(found, (w, b, 10**-0.5), strict=True):
        assert part.abs().max() <= bound
        assert part.std().item() == pytest.approx(bound / 3**0.5, rel=0.05)


def test_the_first_networks_of_many_are_those_of_few():
    few, many = (initialize(Model("relu", 15, 1), repeats) for repeats in (2, 7))
    assert torch.equal(few, many[..., :2])


def test_kinds_have_draws_of_their_own_and_activations_share_them():
    one, other = (initialize(Model("relu", w, 5), 2) / w for w in (5, 10))
    assert not torch.allclose(one[0], other[0])
    assert torch.equal(initialize(Model("sigmoid", 5, 5), 2), initialize(Model("relu", 5, 5), 2))


def test_training_keeps_what_it_starts_from():
    start = initialize(Model("sigmoid", 15, 15), 2)
    before = start.clone()
    (state,) = train("sigmoid", start, [3], Training(points=5))
    assert torch.equal(start, before)
    assert not torch.equal(state, before)


def test_an_unknown_optimizer_is_refused():
    with pytest.raises(ValueError, match="unknown optimizer 'adm'; did you mean adam"):
        Training(optimizer="adm")


@pytest.mark.parametrize("name", FRAMES)
def test_neurons_of_the_median_network_sum_to_its_prediction(name):
    make, panels = FRAMES[name]
    frame = make(trainings="51 sgd 1")  # the points that are drawn
    drawn = frame[frame["part"] == "neuron"]
    assert len(drawn) == panels * 10 * 51
    for (model, epoch), panel in drawn.groupby(["model", "epoch"]):
        total = panel.groupby("x")["contribution"].sum()
        first = panel[panel["neuron"] == 1].set_index("x")
        assert np.allclose(total, first["prediction"], atol=1e-4)
        error = (first["prediction"] - first["objective"]).pow(2).mean()
        own = frame[(frame["part"] == "network") & (frame["model"] == model)]
        losses = own[own["epoch"] == epoch]["loss"]
        assert error == pytest.approx(losses.median(), abs=1e-4)
        assert panel["loss"].iloc[0] == pytest.approx(losses.median())


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_the_same_on_every_call(name):
    pd.testing.assert_frame_equal(FRAMES[name][0](), FRAMES[name][0]())


def test_the_grid_has_every_pair_of_sizes_for_both_activations():
    frame = figure3_22(**GRID)
    assert len(frame) == 2 * 2 * 2 * 2  # under two trainings
    assert set(frame["w"]) == set(frame["b"]) == {1, 2}
    assert set(frame["activation"]) == {"relu", "sigmoid"}
    assert not frame.isna().any().any()
    pd.testing.assert_frame_equal(frame, figure3_22(**GRID))


def test_the_grid_has_the_networks_that_are_drawn():
    """Figure 3.20's ReLU(1, 1) and the corner of Figure 3.22 are the same networks."""
    frame = figure3_22(**GRID)
    corner = frame[(frame["activation"] == "relu") & (frame["w"] == 1) & (frame["b"] == 1)]
    drawn = figure3_20(epochs=20, **FEW)
    own = drawn[(drawn["model"] == "ReLU(1, 1)") & (drawn["epoch"] == 20)]
    losses = own[own["part"] == "network"].pivot(
        index="training", columns="network", values="loss"
    )
    assert len(losses) == len(corner) == 2
    for training, row in losses.iterrows():
        found = corner[corner["training"] == training].filter(regex=r"^loss\d").to_numpy()[0]
        assert list(found) == pytest.approx(list(row), rel=1e-3)
    first = corner.iloc[0]
    assert first["mean_loss"] == pytest.approx(np.mean(losses.loc[first["training"]]), rel=1e-3)


def test_networks_are_seen_before_and_after_every_training():
    frame = figure3_19(early=5, late=20, **FEW)
    networks = frame[frame["part"] == "network"]
    assert networks.groupby(["training", "model", "epoch"]).size().to_dict() == {
        (training, model, epoch): FEW["repeats"]
        for training in ("11 points, sgd, 1 a step", "7 points, adam, all a step")
        for model in ("ReLU(15, 1)", "Sigmoid(15, 15)")
        for epoch in (0, 5, 20)
    }


def test_constant_neurons_are_counted_and_opposed_gradients_cancel():
    contribution = torch.zeros(10, 11, 2, dtype=torch.float64)
    contribution[0, :, 0] = objective(X)
    contribution[1] = 3.0
    gradient = torch.zeros_like(contribution)
    gradient[0, :, 0] = X  # cancels over [-1, 1]
    found = each_network(Neurons(contribution, gradient, gradient), X)
    assert found["network"] == [1, 2]
    assert found["constant_neurons"] == [9, 10]
    assert found["net_gradient"][0] == pytest.approx(0, abs=1e-12)
    assert np.isnan(found["net_gradient"][1])  # no neuron has a gradient
    assert found["loss"][0] == found["loss_near_zero"][0] == found["loss_elsewhere"][0] == 9
    variance = objective(X).var(correction=0).item()
    assert found["unexplained"][0] == pytest.approx(9 / variance)


@pytest.mark.slow
@pytest.mark.parametrize("name", FRAMES)
def test_pictures_of_neurons_have_a_column_per_panel_and_stay_small(name, tmp_path):
    make, panels = FRAMES[name]
    figure = neurons(make())
    assert len(figure.axes) == 3 * panels
    assert [len(axis.get_lines()) for axis in figure.axes[::panels]] == [13, 11, 11]
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000


def test_the_picture_of_surfaces_stays_small(tmp_path):
    figure = surfaces(figure3_22(**GRID))
    save_png(figure, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size < 200_000


def test_a_picture_is_of_the_first_training():
    frame = figure3_22(**GRID)
    first = frame[frame["training"] == "11 points, sgd, 1 a step"]
    one, other = (surfaces(part).axes for part in (frame, first))
    assert len(one) == len(other)
    assert all(
        np.array_equal(a.get_images()[0].get_array(), b.get_images()[0].get_array())
        for a, b in zip(one, other, strict=True)
        if a.get_images()
    )
