"""Statements of the thesis on the toy model, judged from Figures 3.19 to 3.21."""

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.documents.thesis.chapter3.toy import NEURONS
from reactivate.evidence.judgement import Judgement

SMALL = 0.05  # of the objective's variance: a "relatively small" error
MOST = 0.5
ALMOST_ALL = 0.8


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
