"""The toy model's frames, pictures and statements; tests/oracle/test_toy.py has its training."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.documents.thesis.chapter3 import figure3_22_claims, section3_4_claims
from reactivate.documents.thesis.chapter3 import figures3_19_to_3_21_claims as toy_statements
from reactivate.documents.thesis.chapter3.figures3_19_to_3_22 import (
    figure3_19,
    figure3_20,
    figure3_21,
    figure3_22,
    typical,
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
from reactivate.evidence.judgement import Verdict
from reactivate.stages.plot import save_png

FEW = {"repeats": 3, "points": 11}
GRID = {"epochs": 20, "largest": 2, "step": 1, **FEW}
X = Training(points=11).inputs()
FRAMES = {
    "figure3_19": (partial(figure3_19, early=5, late=20, **FEW), 4),
    "figure3_20": (partial(figure3_20, epochs=20, **FEW), 3),
    "figure3_21": (partial(figure3_21, epochs=20, **FEW), 3),
}


def kind(model, **values):
    """A row of what is typical of a kind; 0 where nothing is said."""
    names = ("median_loss", "lower_quartile", "upper_quartile", "contributing_neurons")
    names += ("absolute_gradient", "net_gradient", "loss_near_zero", "loss_elsewhere")
    zeros = dict.fromkeys(names, 0.0)
    row = {"model": model, "epoch": 1000, "repeats": 50, "x": 0.0, "objective": 1.0}
    return {**row, **zeros, **values}


def grid(sigmoid, relu):
    """A frame of two surfaces, functions of w and b."""
    sizes = (1, 10, 20, 30, 40)
    rows = [
        {"activation": name, "w": w, "b": b, "mean_loss": float(surface(w, b))}
        for name, surface in (("sigmoid", sigmoid), ("relu", relu))
        for w in sizes
        for b in sizes
    ]
    return pd.DataFrame(rows).assign(repeats=50, epochs=2000)


def holds(name, frame):
    module = figure3_22_claims if hasattr(figure3_22_claims, name) else toy_statements
    judgement = getattr(module, name)(frame)
    assert judgement.verdict in (Verdict.ORDER_HOLDS, Verdict.ORDER_FAILS)
    assert "\n" not in judgement.reason
    return judgement.verdict == Verdict.ORDER_HOLDS


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
    frame = make(points=51)  # those that are drawn
    assert len(frame) == panels * 10 * 51
    assert not frame.isna().any().any()
    for _, panel in frame.groupby(["model", "epoch"]):
        total = panel.groupby("x")["contribution"].sum()
        first = panel[panel["neuron"] == 1].set_index("x")
        assert np.allclose(total, first["prediction"], atol=1e-4)
        error = (first["prediction"] - first["objective"]).pow(2).mean()
        assert error == pytest.approx(panel["median_loss"].iloc[0], abs=1e-4)
        assert panel["lower_quartile"].iloc[0] <= error + 1e-4
        assert panel["upper_quartile"].iloc[0] >= error - 1e-4


@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_the_same_on_every_call(name):
    pd.testing.assert_frame_equal(FRAMES[name][0](), FRAMES[name][0]())


def test_the_grid_has_every_pair_of_sizes_for_both_activations():
    frame = figure3_22(**GRID)
    assert len(frame) == 2 * 2 * 2
    assert set(frame["w"]) == set(frame["b"]) == {1, 2}
    assert set(frame["activation"]) == {"relu", "sigmoid"}
    assert not frame.isna().any().any()
    pd.testing.assert_frame_equal(frame, figure3_22(**GRID))


def test_the_grid_averages_the_networks_that_are_drawn():
    """Figure 3.20's ReLU(1, 1) and the corner of Figure 3.22 are the same networks."""
    frame = figure3_22(**GRID)
    corner = frame[(frame["activation"] == "relu") & (frame["w"] == 1) & (frame["b"] == 1)]
    drawn = figure3_20(epochs=20, **FEW)
    median = drawn[drawn["model"] == "ReLU(1, 1)"]["median_loss"].iloc[0]
    assert corner["median_loss"].iloc[0] == pytest.approx(median, rel=1e-3)


def test_one_network_has_no_spread():
    frame = figure3_22(**{**GRID, "repeats": 1})
    assert (frame["standard_error"] == 0).all()
    assert (frame["mean_loss"] == frame["median_loss"]).all()


def test_constant_neurons_do_not_contribute_and_opposed_gradients_cancel():
    contribution = torch.zeros(10, 11, 1, dtype=torch.float64)
    contribution[0, :, 0] = objective(X)
    contribution[1] = 3.0
    gradient = torch.zeros_like(contribution)
    gradient[0, :, 0] = X  # cancels over [-1, 1]
    found = typical(Neurons(contribution, gradient, gradient), X)
    assert found["contributing_neurons"] == 1
    assert found["net_gradient"] == pytest.approx(0, abs=1e-12)
    assert found["absolute_gradient"] == pytest.approx(X.abs().mean().item())
    assert found["median_loss"] == found["loss_near_zero"] == found["loss_elsewhere"] == 9


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


@pytest.mark.parametrize(("loss", "expected"), [(0.01, True), (0.5, False)])
def test_a_small_error_is_small_beside_the_variance_of_the_objective(loss, expected):
    rows = [kind("ReLU(15, 1)", x=x, objective=y, median_loss=loss) for x, y in ((0, 0), (1, 2))]
    assert holds("relu_fits", pd.DataFrame(rows)) is expected


@pytest.mark.parametrize(("loss", "expected"), [(0.01, True), (0.5, False)])
def test_the_better_of_the_best_has_the_lower_median_loss_at_the_end(loss, expected):
    frame = pd.DataFrame(
        [
            kind("ReLU(15, 1)", median_loss=0.1),
            kind("Sigmoid(15, 15)", median_loss=loss),
            kind("Sigmoid(15, 15)", median_loss=1.0, epoch=500),
        ]
    )
    assert holds("sigmoid_beats_relu", frame) is expected


@pytest.mark.parametrize(("late", "expected"), [(3, True), (5, False)])
def test_most_neurons_are_constant_if_less_than_half_contribute_at_the_end(late, expected):
    frame = pd.DataFrame(
        [
            kind("Sigmoid(15, 15)", epoch=500, contributing_neurons=8 - late),
            kind("Sigmoid(15, 15)", epoch=2000, contributing_neurons=late),
        ]
    )
    assert holds("few_sigmoids_contribute", frame) is expected


@pytest.mark.parametrize(("lower", "expected"), [(0.25, True), (0.35, False)])
def test_kinds_are_similar_if_their_middle_halves_overlap(lower, expected):
    frame = pd.DataFrame(
        [
            kind("ReLU(1, 1)", lower_quartile=0.1, upper_quartile=0.3),
            kind("ReLU(15, 1)", lower_quartile=lower, upper_quartile=0.5),
        ]
    )
    assert holds("relu_models_are_similar", frame) is expected


@pytest.mark.parametrize(("net", "cancelled"), [(0.2, True), (0.8, False)])
def test_gradients_cancel_or_remain(net, cancelled):
    values = {"net_gradient": net, "absolute_gradient": 0.1}
    relu, sigmoid = (
        pd.DataFrame([kind(f"{name}(1, 1)", **values)]) for name in ("ReLU", "Sigmoid")
    )
    assert holds("relu_gradients_remain", relu) is not cancelled
    assert holds("sigmoid_gradients_cancel", sigmoid) is cancelled


@pytest.mark.parametrize(("loss", "count", "expected"), [(0.9, 1, True), (0.1, 7, False)])
def test_sigmoid_models_are_told_apart(loss, count, expected):
    frame = pd.DataFrame(
        [
            kind("Sigmoid(1, 1)", median_loss=loss, contributing_neurons=count),
            kind(
                "Sigmoid(15, 0)",
                median_loss=0.5,
                contributing_neurons=count,
                loss_elsewhere=loss,
                loss_near_zero=0.5,
            ),
        ]
    )
    for name in (
        *("sigmoid_1_1_is_worst", "sigmoid_1_1_is_constant"),
        *("neurons_die_elsewhere", "sigmoid_15_0_underfits"),
    ):
        assert holds(name, frame) is expected


@pytest.mark.parametrize(
    ("sigmoid", "u_shaped", "diagonal"),
    [
        (lambda w, b: (w - b) ** 2, True, True),
        (lambda w, b: (w / 3 - b) ** 2, True, False),
        (lambda w, b: b - w, False, False),
    ],
)
def test_a_valley_is_told_from_a_slope_and_its_place_from_the_diagonal(
    sigmoid, u_shaped, diagonal
):
    frame = grid(sigmoid, relu=lambda w, b: b)
    assert holds("sigmoid_surface_is_u_shaped", frame) is u_shaped
    assert holds("sigmoid_valley_is_diagonal", frame) is diagonal


@pytest.mark.parametrize(
    ("relu", "expected"),
    [
        (lambda w, b: 3 * b - w, True),
        (lambda w, b: b - 3 * w, False),
        (lambda w, b: w * b, False),
    ],
)
def test_the_bias_sets_the_loss_if_it_explains_most_of_its_variance(relu, expected):
    assert holds("relu_loss_is_set_by_bias", grid(lambda w, b: 1, relu)) is expected


def test_a_plane_is_explained_by_a_plane():
    reason = figure3_22_claims.relu_loss_is_set_by_bias(
        grid(lambda w, b: 1, lambda w, b: b - w)
    ).reason
    assert "b explains 50% and w 50%; a plane explains 100%" in reason


@pytest.mark.parametrize(("t", "w", "b"), [(0.05, 15, 1), (0.5, 15, 1), (1, 15, 15), (3, 2, 5)])
def test_the_share_of_breakpoints_is_that_of_draws(t, w, b):
    draws = initialize(Model("relu", w, b), repeats=4000)
    share = (draws[1] / draws[0]).abs().lt(t).double().mean().item()
    assert section3_4_claims.share_below(t, w, b) == pytest.approx(share, abs=0.01)
