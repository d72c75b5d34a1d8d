"""Statements of the thesis on layers over training, judged from Figures 3.7 to 3.18.

A statement about a whole training is judged by means over its records; "late" is the last quarter
of the steps, "early" the first.
"""

import pandas as pd

from reactivate.documents.shared.judging import ordered, said
from reactivate.documents.thesis.dynamics import by_column, early, late, late_over_early
from reactivate.evidence.judgement import Judgement

SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")
SHALLOW, DEEP = (3, 7), (11, 15)


def sigmoid_post_activations(numbers: pd.DataFrame) -> Judgement:
    """Sigmoid layers have means around 0.5 (to 0.1), variances around 0.05 (by a factor of 2)."""
    layers = numbers[numbers["column"] == "sigmoid"].groupby("layer")[["mean", "variance"]].mean()
    holds = layers["mean"].between(0.4, 0.6).all() and layers["variance"].between(0.025, 0.1).all()
    means, spreads = layers["mean"], layers["variance"]
    return ordered(
        bool(holds),
        f"over training, layers have means from {means.min():.3g} to {means.max():.3g} and "
        f"variances from {spreads.min():.3g} to {spreads.max():.3g}",
    )


def relu_post_activations(numbers: pd.DataFrame) -> Judgement:
    """Layers of ReLU have means around 0.1 (within a factor of 2), and a variance that falls."""
    relu = numbers[numbers["column"] == "relu"]
    mean = float(relu["mean"].mean())
    first, last = float(early(relu)["variance"].mean()), float(late(relu)["variance"].mean())
    return ordered(
        0.05 <= mean <= 0.2 and last < first,
        f"mean {mean:.3g} over layers and training; variance {first:.3g} in the first quarter, "
        f"{last:.3g} in the last",
    )


def sigmoid_weights_are_alike(numbers: pd.DataFrame) -> Judgement:
    """Averaged weights differ less between hidden layers with Sigmoid than with ReLU."""
    hidden = numbers[numbers["layer"].between(2, numbers["layer"].max() - 1)]
    means = hidden.groupby(["column", "layer"])["mean"].mean()
    spread = {name: float(means[name].std() / means[name].mean()) for name in ("sigmoid", "relu")}
    return ordered(
        spread["sigmoid"] < spread["relu"],
        f"deviation between hidden layers, relative to their mean: {said(spread)}",
    )


def late_gradients_of_sigmoid_are_larger(numbers: pd.DataFrame) -> Judgement:
    """Figure 3.9: late in training Sigmoid's averaged gradients exceed ReLU's."""
    means = by_column(late(numbers), "mean")
    return ordered(means["sigmoid"] > means["relu"], f"last quarter: {said(means)}")


def sigmoid_ratio_varies_more(numbers: pd.DataFrame) -> Judgement:
    """Figure 3.10: Sigmoid's ratio varies more over neurons than ReLU's, in the median."""
    medians = by_column(numbers, "variance", "median")
    return ordered(
        medians["sigmoid"] > medians["relu"], f"median over records and layers: {said(medians)}"
    )


def relu_ratio_settles(numbers: pd.DataFrame) -> Judgement:
    """Figure 3.10: ReLU's variance falls as training goes on."""
    relu = numbers[numbers["column"] == "relu"]
    first, last = early(relu)["variance"].median(), late(relu)["variance"].median()
    return ordered(
        last < first, f"median {first:.3g} in the first quarter, {last:.3g} in the last"
    )


def saturated_ratios_vary_more(numbers: pd.DataFrame) -> Judgement:
    """Figures 3.17 and 3.18: both saturated activations have ratios that vary more."""
    medians = by_column(numbers, "variance", "median")
    holds = min(medians[n] for n in SATURATED) > max(medians[n] for n in OTHERS)
    return ordered(holds, f"median over records and layers: {said(medians)}")


def sigmoid_ratio_varies_most(numbers: pd.DataFrame) -> Judgement:
    """Figure 3.17: the Sigmoid network is the least stable."""
    medians = by_column(numbers, "variance", "median")
    return ordered(
        max(medians, key=lambda name: medians[name]) == "sigmoid",
        f"median over records and layers: {said(medians)}",
    )


def pre_activations_are_centred(numbers: pd.DataFrame) -> Judgement:
    """Figure 3.11: means of all layers and activations are within 0.5 of 0, late in training."""
    means = late(numbers).groupby(["column", "layer"])["mean"].mean()
    return ordered(
        bool(means.abs().max() < 0.5),
        f"means of layers in the last quarter from {means.min():.3g} to {means.max():.3g}",
    )


def saturated_pre_activations_vary_more(numbers: pd.DataFrame) -> Judgement:
    """Figures 3.11 and 3.12: in shallow layers both saturated activations vary more."""
    shallow = late(numbers[numbers["layer"].isin(SHALLOW)])
    variances = by_column(shallow, "variance")
    holds = min(variances[n] for n in SATURATED) > max(variances[n] for n in OTHERS)
    return ordered(holds, f"variance in layers 3 and 7, last quarter: {said(variances)}")


def deep_weights_vary_less(numbers: pd.DataFrame) -> Judgement:
    """Figures 3.13 and 3.14: weights of layers 11 and 15 vary less than those of 3 and 7."""
    shares = {}
    for name, part in numbers.groupby("column", sort=False):
        deep = part[part["layer"].isin(DEEP)]["variance"].mean()
        shallow = part[part["layer"].isin(SHALLOW)]["variance"].mean()
        shares[str(name)] = float(deep / shallow)
    return ordered(
        max(shares.values()) < 1, f"variance of deep over that of shallow layers: {said(shares)}"
    )


def gradients_settle_without_saturation(numbers: pd.DataFrame) -> Judgement:
    """Figures 3.15 and 3.16: gradients fall for ReLU and GELU, less or not for the others."""
    changes = late_over_early(numbers[numbers["layer"].isin(SHALLOW)])
    settled = max(changes[n] for n in OTHERS)
    holds = settled < 1 and min(changes[n] for n in SATURATED) > settled
    return ordered(
        holds, f"gradients of layers 3 and 7, last quarter over first quarter: {said(changes)}"
    )


def relu_gradients_rise(numbers: pd.DataFrame) -> Judgement:
    """Section 3.2.3.3: gradients of Sigmoid and ReLU oscillate, and are higher in late stages."""
    chosen = numbers[numbers["layer"].isin(SHALLOW) & numbers["column"].isin(["sigmoid", "relu"])]
    changes = late_over_early(chosen)
    return ordered(
        min(changes.values()) > 1,
        f"gradients of layers 3 and 7, last quarter over first: {said(changes)}",
    )
