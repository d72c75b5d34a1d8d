"""Statements of the thesis on layers over training, as effects, from Figures 3.7 to 3.18.

One network of each kind is observed, which is one replicate. A statement about a whole training
is about means over its records; "late" is the last quarter of the steps, "early" the first.
"""

from math import log

import pandas as pd

from reactivate.documents.thesis.dynamics import by_column, early, late
from reactivate.judging.effects import log_difference, trend
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")
SHALLOW, DEEP = (3, 7), (11, 15)
WIDTHS = (1.0, 0.5, 2.0)  # of a margin: as it is, half and twice as wide
MEAN, MEAN_MARGIN = 0.5, 0.05  # of Sigmoid's post-activations: "around 0.5"
VARIANCE, VARIANCE_MARGIN = 0.05, 0.005
RELU_MEAN, RELU_MARGIN = 0.1, 0.01
CENTRED = 0.2  # the mean that section 3.2.3.2 prints for a layer that it calls centred


def above(stated: float, other: float, paired: bool = False) -> Effect:
    """Log of one network's number minus that of another's, or of its own if they are paired."""
    return log_difference({0: stated}, {0: other}, paired=paired, lower_is_better=False)


def saturated_above(numbers: dict[str, float]) -> dict[str, Effect]:
    """Sigmoid and Tanh against ReLU and GeLU, each with each."""
    return {
        f"{name} above {other}": above(numbers[name], numbers[other])
        for name in SATURATED
        for other in OTHERS
    }


def sigmoid_post_activations(numbers: pd.DataFrame) -> Readings:
    """Figure 3.7: Sigmoid's layers have means around 0.5 and variances around 0.05.

    The variance is highest in layers 8 and 0, the last and the first.
    """
    layers = numbers[numbers["column"] == "sigmoid"].groupby("layer")[["mean", "variance"]].mean()
    mean = (layers["mean"] - MEAN).abs().max()
    variance = (layers["variance"] - VARIANCE).abs().max()
    ends, inner = layers["variance"].iloc[[0, -1]], layers["variance"].iloc[1:-1]
    return Readings(
        {
            f"within {width * MEAN_MARGIN:g} and {width * VARIANCE_MARGIN:g}": {
                "means": Effect((width * MEAN_MARGIN - mean,)),
                "variances": Effect((width * VARIANCE_MARGIN - variance,)),
                "layers 8 and 0": above(ends.min(), inner.max(), paired=True),
            }
            for width in WIDTHS
        }
    )


def relu_post_activations(numbers: pd.DataFrame) -> Readings:
    """Figure 3.7: ReLU's post-activations have a mean around 0.1, and a variance that falls."""
    relu = numbers[numbers["column"] == "relu"]
    off = abs(float(relu["mean"].mean()) - RELU_MEAN)
    falls = above(early(relu)["variance"].mean(), late(relu)["variance"].mean(), paired=True)
    return Readings(
        {
            f"within {margin:g}": {"mean": Effect((margin - off,)), "variance": falls}
            for margin in (width * RELU_MARGIN for width in WIDTHS)
        }
    )


def sigmoid_weights_are_alike(numbers: pd.DataFrame) -> Readings:
    """Figure 3.8: weights of hidden layers differ less with Sigmoid; ReLU's are higher in layer 2.

    Section 3.2.2 counts layers from 0, section 3.2.3 perhaps from 1.
    """
    hidden = numbers[numbers["layer"].between(2, numbers["layer"].max() - 1)]
    means = hidden.groupby(["column", "layer"])["mean"].mean()
    spread = {name: means[name].std() / means[name].mean() for name in ("sigmoid", "relu")}
    relu = means["relu"]
    return Readings(
        {
            f"layers are counted from {first}": {
                "alike": above(spread["relu"], spread["sigmoid"]),
                "layer 2": above(relu[layer], relu.drop(layer).mean(), paired=True),
            }
            for first, layer in ((0, 3), (1, 2))
        }
    )


def late_gradients_of_sigmoid_are_larger(numbers: pd.DataFrame) -> Effect:
    """Figure 3.9: late in training Sigmoid's averaged gradients exceed ReLU's."""
    means = by_column(late(numbers), "mean")
    return above(means["sigmoid"], means["relu"])


def sigmoid_ratio_varies_more(numbers: pd.DataFrame) -> Effect:
    """Figure 3.10: Sigmoid's ratio varies more over neurons than ReLU's, in the median."""
    medians = by_column(numbers, "variance", "median")
    return above(medians["sigmoid"], medians["relu"])


def relu_ratio_settles(numbers: pd.DataFrame) -> Readings:
    """Figure 3.10: ReLU's variance falls as training goes on."""
    relu = numbers[numbers["column"] == "relu"]
    curve = relu.groupby("step")["variance"].median()
    first, last = (part(relu)["variance"].median() for part in (early, late))
    return Readings(
        {
            "with every step": trend(list(curve.index), {0: list(curve)}, rising=False),
            "from the first to the last quarter": above(first, last, paired=True),
        }
    )


def saturated_ratios_vary_more(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figures 3.17 and 3.18: both saturated activations have ratios that vary more."""
    return saturated_above(by_column(numbers, "variance", "median"))


def sigmoid_ratio_varies_most(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.17: the ratio of the Sigmoid network varies more than that of any other."""
    medians = by_column(numbers, "variance", "median")
    return {
        f"above {name}": above(medians["sigmoid"], value)
        for name, value in medians.items()
        if name != "sigmoid"
    }


def pre_activations_are_centred(numbers: pd.DataFrame) -> Readings:
    """Figure 3.11: means of all layers are around 0 with every activation, late in training."""
    means = late(numbers).groupby(["column", "layer"])["mean"].mean().abs()
    largest = means.groupby("column").max()
    return Readings(
        {
            f"within {margin:g}": {
                str(net): Effect((margin - off,)) for net, off in largest.items()
            }
            for margin in (width * CENTRED for width in WIDTHS)
        }
    )


def saturated_pre_activations_vary_more(numbers: pd.DataFrame) -> Readings:
    """Figure 3.11: saturated activations have pre-activations that vary more (layers 3 and 7)."""
    end = late(numbers)
    shallow = end[end["layer"].isin(SHALLOW)]
    parts = {"all four layers": end, "layers 3 and 7": shallow}
    return Readings(
        {name: saturated_above(by_column(part, "variance")) for name, part in parts.items()}
    )


def deep_weights_vary_less(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.13: weights of layers 11 and 15 vary less than those of layers 3 and 7."""
    shallow, deep = (
        by_column(numbers[numbers["layer"].isin(layers)], "variance") for layers in (SHALLOW, DEEP)
    )
    return {name: above(shallow[name], deep[name], paired=True) for name in shallow}


def gradients_settle_without_saturation(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.15: shallow gradients fall for ReLU and GeLU; the others' remain more volatile."""
    shallow = numbers[numbers["layer"].isin(SHALLOW)]
    start, end = (by_column(part(shallow), "mean") for part in (early, late))
    falls = {f"{name} falls": above(start[name], end[name], paired=True) for name in OTHERS}
    steps = late(shallow).groupby(["column", "step"])["mean"].mean().reset_index()
    return falls | saturated_above(by_column(steps, "mean", "std"))


def gradients_of_sigmoid_rise(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.16: as in Figure 3.15; Tanh stays high, and Sigmoid's gradients even increase."""
    shallow = numbers[numbers["layer"].isin(SHALLOW)]
    start, end = (by_column(part(shallow), "mean") for part in (early, late))
    high = min(log(end["tanh"] / end[name]) for name in OTHERS)
    return gradients_settle_without_saturation(numbers) | {
        "sigmoid rises": above(end["sigmoid"], start["sigmoid"], paired=True),
        "tanh stays high": Effect((high,)),
    }
