"""Statements of the thesis on the toy model (section 3.4), judged from many networks of a kind."""

import numpy as np
import pandas as pd
import torch

from reactivate.documents.shared.judging import judge, ordered
from reactivate.documents.thesis.chapter3.toy import NEURONS, Model, Training, objective
from reactivate.evidence.judgement import Judgement

SMALL = 0.05  # of the objective's variance: a "relatively small" error
MOST = 0.5
ALMOST_ALL = 0.8
FAR = 1 / 3  # of the grid's width: w and b that differ by more are far apart


def kinds(frame: pd.DataFrame, epoch: int | None = None) -> pd.DataFrame:
    """Summaries of the networks of every kind, after the most epochs if none are given."""
    chosen = frame[frame["epoch"] == (epoch or frame["epoch"].max())]
    by_kind: pd.DataFrame = chosen.groupby("model", sort=False).first()
    return by_kind


def listing(by_kind: pd.DataFrame, quantity: str) -> str:
    """A quantity of every kind, as the reason of a judgement lists it."""
    return ", ".join(f"{model} {value:.3g}" for model, value in by_kind[quantity].items())


def over(by_kind: pd.DataFrame) -> str:
    """The number of networks that a summary is taken over, in words."""
    return f"over {by_kind['repeats'].iloc[0]} networks each"


def relu_fits(frame: pd.DataFrame) -> Judgement:
    """Figure 3.19: at last, ReLU(15, 1) leaves less than a twentieth of the variance."""
    loss = kinds(frame)["median_loss"]["ReLU(15, 1)"]
    variance = float(frame.drop_duplicates("x")["objective"].var(ddof=0))
    return ordered(
        loss < SMALL * variance,
        f"median loss {loss:.3g} {over(frame)}, {loss / variance:.1%} of the objective's variance",
    )


def sigmoid_beats_relu(frame: pd.DataFrame) -> Judgement:
    """Figure 3.19: at last, Sigmoid(15, 15) has the lower median loss."""
    by_kind = kinds(frame)
    loss = by_kind["median_loss"]
    return ordered(
        bool(loss["Sigmoid(15, 15)"] < loss["ReLU(15, 1)"]),
        f"median loss: {listing(by_kind, 'median_loss')}, {over(by_kind)}",
    )


def few_sigmoids_contribute(frame: pd.DataFrame) -> Judgement:
    """Figure 3.19: less than half of the neurons of Sigmoid(15, 15) vary with the input."""
    count = {
        int(epoch): kinds(frame, int(epoch))["contributing_neurons"]["Sigmoid(15, 15)"]
        for epoch in frame["epoch"].unique()
    }
    shown = ", ".join(f"{number:.2g} after {epoch} epochs" for epoch, number in count.items())
    return ordered(
        count[max(count)] < (1 - MOST) * NEURONS,
        f"of {NEURONS} neurons vary by more than a tenth of the objective's range: {shown} "
        f"(mean {over(frame)}; the thesis shows 3)",
    )


def relu_models_are_similar(frame: pd.DataFrame) -> Judgement:
    """Figure 3.20: the middle halves of the losses of the three kinds overlap."""
    by_kind = kinds(frame)
    quartiles = ", ".join(
        f"{model} {row['median_loss']:.3g} ({row['lower_quartile']:.3g} to "
        f"{row['upper_quartile']:.3g})"
        for model, row in by_kind.iterrows()
    )
    return ordered(
        bool(by_kind["lower_quartile"].max() <= by_kind["upper_quartile"].min()),
        f"median loss (quartiles): {quartiles}, {over(by_kind)}",
    )


def relu_gradients_remain(frame: pd.DataFrame) -> Judgement:
    """Figure 3.20: the mean gradient of an epoch keeps most of the size of its samples'."""
    by_kind = kinds(frame)
    return ordered(
        bool((by_kind["net_gradient"] > MOST).all()),
        "size of a neuron's mean weight gradient over that of the single samples', median: "
        f"{listing(by_kind, 'net_gradient')}, {over(by_kind)}",
    )


def sigmoid_1_1_is_worst(frame: pd.DataFrame) -> Judgement:
    """Figure 3.21: Sigmoid(1, 1) has the largest median loss."""
    by_kind = kinds(frame)
    return ordered(
        by_kind["median_loss"].idxmax() == "Sigmoid(1, 1)",
        f"median loss: {listing(by_kind, 'median_loss')}, {over(by_kind)}",
    )


def sigmoid_1_1_is_constant(frame: pd.DataFrame) -> Judgement:
    """Figure 3.21: eight neurons of ten or more of Sigmoid(1, 1) are nearly constant."""
    count = kinds(frame)["contributing_neurons"]["Sigmoid(1, 1)"]
    return ordered(
        count <= (1 - ALMOST_ALL) * NEURONS,
        f"{count:.2g} of {NEURONS} neurons vary by more than a tenth of the objective's range "
        f"(mean {over(frame)})",
    )


def sigmoid_gradients_cancel(frame: pd.DataFrame) -> Judgement:
    """Figure 3.21: samples have gradients in Sigmoid(1, 1), and most of them cancel out."""
    by_kind = kinds(frame)
    size, net = (by_kind[key]["Sigmoid(1, 1)"] for key in ("absolute_gradient", "net_gradient"))
    return ordered(
        size > 0 and net < 1 - MOST,
        f"the weight gradient of a sample has size {size:.3g}, the mean over samples {net:.0%} of "
        f"that (median neuron {over(frame)})",
    )


def neurons_die_elsewhere(frame: pd.DataFrame) -> Judgement:
    """Figure 3.21: most neurons of Sigmoid(15, 0) and of Sigmoid(50, 50) are constant too."""
    by_kind = kinds(frame).drop("Sigmoid(1, 1)")
    return ordered(
        bool((by_kind["contributing_neurons"] < (1 - MOST) * NEURONS).all()),
        f"of {NEURONS} neurons vary by more than a tenth of the objective's range: "
        f"{listing(by_kind, 'contributing_neurons')} (mean {over(by_kind)})",
    )


def sigmoid_15_0_underfits(frame: pd.DataFrame) -> Judgement:
    """Figure 3.21: Sigmoid(15, 0) is worse away from 0 than near it."""
    by_kind = kinds(frame)
    near, far = (by_kind[key]["Sigmoid(15, 0)"] for key in ("loss_near_zero", "loss_elsewhere"))
    return ordered(
        far > near,
        f"median loss {near:.3g} where |x| <= 1/2 and {far:.3g} elsewhere, {over(frame)}",
    )


def surface(frame: pd.DataFrame, activation: str) -> pd.DataFrame:
    """Mean loss by w (rows) and b (columns)."""
    chosen = frame[frame["activation"] == activation]
    losses: pd.DataFrame = chosen.pivot(index="w", columns="b", values="mean_loss")
    return losses


def sigmoid_surface_is_u_shaped(frame: pd.DataFrame) -> Judgement:
    """Figure 3.22: for most w, the loss first falls and then rises with b."""
    loss = surface(frame, "sigmoid")
    best = loss.idxmin(axis=1)
    inner = best.between(loss.columns[0], loss.columns[-1], inclusive="neither")
    ends = loss.div(loss.min(axis=1), axis=0).median().iloc[[0, -1]]
    return ordered(
        bool(inner.mean() > MOST),
        f"for {inner.sum()} of {len(loss)} values of w the loss is lowest at an inner b; at the "
        f"smallest and the largest b it is {' and '.join(f'{end:.2g}' for end in ends)} times "
        "that (medians)",
    )


def sigmoid_valley_is_diagonal(frame: pd.DataFrame) -> Judgement:
    """Figure 3.22: the loss near w = b is lower than far from it, on both sides."""
    chosen = frame[frame["activation"] == "sigmoid"]
    apart = (chosen["w"] - chosen["b"]) / chosen["w"].max()
    near, wide, high = (
        float(chosen["mean_loss"][where].mean())
        for where in (apart.abs() <= FAR, apart > FAR, apart < -FAR)
    )
    best = surface(frame, "sigmoid").idxmin(axis=1)
    ratio = float((best / best.index).median())
    return ordered(
        near < min(wide, high),
        f"mean loss {near:.3g} near w = b, {wide:.3g} where w is larger and {high:.3g} where b is "
        f"larger by a third of the grid; for given w the lowest is at b = {ratio:.2g} w (median)",
    )


def relu_loss_is_set_by_bias(frame: pd.DataFrame) -> Judgement:
    """Figure 3.22: b explains most of the variance of the loss over the grid, and more than w."""
    loss = surface(frame, "relu").to_numpy()
    of_w, of_b = (float(loss.mean(axis=axis).var() / loss.var()) for axis in (1, 0))
    chosen = frame[frame["activation"] == "relu"]
    sides = np.column_stack([np.ones(len(chosen)), chosen["w"], chosen["b"]])
    left = np.linalg.lstsq(sides, chosen["mean_loss"], rcond=None)[1].sum()
    plane = 1 - float(left) / (len(chosen) * loss.var())
    return ordered(
        of_b > max(MOST, of_w),
        f"of the variance of the mean loss over the grid, b explains {of_b:.0%} and w {of_w:.0%}; "
        f"a plane explains {plane:.0%}",
    )


def share_below(t: float, w: float, b: float) -> float:
    """P(|beta / omega| < t) for omega from U(-w, w), beta from U(-b, b).

    Example:
        >>> share_below(1.0, 15, 15), share_below(2.0, 15, 15)
        (0.5, 0.75)
    """
    return t * w / (2 * b) if t * w <= b else 1 - b / (2 * t * w)


def centres_are_uniform() -> Judgement:
    """Section 3.4.2.1: breakpoints -b/w spread evenly over the inputs, for both models."""
    models = [Model("relu", 15, 1), Model("sigmoid", 15, 15)]
    halves = [share_below(0.5, m.w, m.b) / share_below(1, m.w, m.b) for m in models]
    shown = " and ".join(f"{s:.0%} for {m}" for s, m in zip(halves, models, strict=True))
    return judge(
        all(abs(share - 0.5) < 1e-9 for share in halves),
        f"of the breakpoints inside [-1, 1], {shown} lie inside [-1/2, 1/2]; "
        f"{share_below(1 / 15, 15, 1):.0%} of those of ReLU(15, 1) lie within 1/15 of 0, "
        f"{1 - share_below(1, 15, 15):.0%} of the centres of Sigmoid(15, 15) outside [-1, 1]",
    )


def prediction_sums_post_activations() -> Judgement:
    """Eq. 3.14 as printed: a sum of values of ReLU or Sigmoid, which are never negative."""
    lowest = objective(Training(points=2001).inputs()).min().item()
    floor = min(float(f(torch.tensor(-1e3))) for f in (torch.relu, torch.sigmoid))
    return judge(
        lowest >= floor,
        f"the objective falls to {lowest:.3g}, a sum of values of ReLU or Sigmoid not below "
        f"{floor:g}: every value has to be weighted by the output layer",
    )
