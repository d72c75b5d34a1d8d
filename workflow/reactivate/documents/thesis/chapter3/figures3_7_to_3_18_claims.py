"""Statements of the thesis on layers over training, as effects, from Figures 3.7 to 3.18.

A replicate is a seed of every network that a statement compares. A statement about a whole
training is about means over its records; "late" is the last quarter of the steps, "early" the
first.
"""

from collections.abc import Iterable, Mapping
from functools import partial

import pandas as pd

from reactivate.documents.shared.replicates import Measure, by_network, of_seeds, runs
from reactivate.documents.thesis.dynamics import early, late
from reactivate.judging.effects import log_difference, trend
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect, Runs

SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")
SHALLOW, DEEP = (3, 7), (11, 15)
WIDTHS = (1.0, 0.5, 2.0)  # of a margin: as it is, half and twice as wide
MEAN, MEAN_MARGIN = 0.5, 0.05  # of Sigmoid's post-activations: "around 0.5"
VARIANCE, VARIANCE_MARGIN = 0.05, 0.005
RELU_MEAN, RELU_MARGIN = 0.1, 0.01
CENTRED = 0.2  # the mean that section 3.2.3.2 prints for a layer that it calls centred


Numbers = Mapping[str, Runs]  # of every activation


def above(stated: Runs, other: Runs, paired: bool = False) -> Effect:
    """Log of one network's number minus that of another's, or of its own if they are paired."""
    return log_difference(stated, other, paired=paired, lower_is_better=False)


def saturated_above(numbers: Numbers) -> dict[str, Effect]:
    """Sigmoid and Tanh against ReLU and GeLU, each with each."""
    return {
        f"{name} above {other}": above(numbers[name], numbers[other])
        for name in SATURATED
        for other in OTHERS
    }


def mean_of(quantity: str) -> Measure:
    """The mean of a quantity over layers and records."""
    return lambda own: float(own[quantity].mean())


def median_of(quantity: str) -> Measure:
    """The median of a quantity over layers and records."""
    return lambda own: float(own[quantity].median())


def of(numbers: pd.DataFrame, activation: str) -> pd.DataFrame:
    """The values of networks with an activation."""
    return numbers[numbers["column"] == activation]


def sigmoid_post_activations(numbers: pd.DataFrame) -> Readings:
    """Figure 3.7: Sigmoid's layers have means around 0.5 and variances around 0.05.

    The variance is highest in layers 8 and 0, the last and the first.
    """
    own = of(numbers, "sigmoid")

    def near(quantity: str, stated: float, margin: float, seed: pd.DataFrame) -> float:
        layers = seed.groupby("layer")[quantity].mean()
        return margin - float((layers - stated).abs().max())

    def end(seed: pd.DataFrame) -> float:
        return float(seed.groupby("layer")["variance"].mean().iloc[[0, -1]].min())

    def inner(seed: pd.DataFrame) -> float:
        return float(seed.groupby("layer")["variance"].mean().iloc[1:-1].max())

    return Readings(
        {
            f"within {width * MEAN_MARGIN:g} and {width * VARIANCE_MARGIN:g}": {
                "means": of_seeds(own, partial(near, "mean", MEAN, width * MEAN_MARGIN)),
                "variances": of_seeds(
                    own, partial(near, "variance", VARIANCE, width * VARIANCE_MARGIN)
                ),
                "layers 8 and 0": above(runs(own, end), runs(own, inner), paired=True),
            }
            for width in WIDTHS
        }
    )


def relu_post_activations(numbers: pd.DataFrame) -> Readings:
    """Figure 3.7: ReLU's post-activations have a mean around 0.1, and a variance that falls."""
    relu = of(numbers, "relu")
    variance = mean_of("variance")
    falls = above(runs(early(relu), variance), runs(late(relu), variance), paired=True)

    def near(margin: float, own: pd.DataFrame) -> float:
        return margin - abs(float(own["mean"].mean()) - RELU_MEAN)

    return Readings(
        {
            f"within {margin:g}": {
                "mean": of_seeds(relu, partial(near, margin)),
                "variance": falls,
            }
            for margin in (width * RELU_MARGIN for width in WIDTHS)
        }
    )


def sigmoid_weights_are_alike(numbers: pd.DataFrame) -> Readings:
    """Figure 3.8: weights of hidden layers differ less with Sigmoid; ReLU's are higher in layer 2.

    Section 3.2.2 counts layers from 0, section 3.2.3 perhaps from 1.
    """
    hidden = numbers[numbers["layer"].between(2, numbers["layer"].max() - 1)]

    def spread(own: pd.DataFrame) -> float:
        means = own.groupby("layer")["mean"].mean()
        return float(means.std() / means.mean())

    def in_layers(layers: Iterable[int], own: pd.DataFrame) -> float:
        return float(own.groupby("layer")["mean"].mean()[list(layers)].mean())

    spreads, relu = by_network(hidden, spread), of(hidden, "relu")
    every = set(relu["layer"])
    return Readings(
        {
            f"layers are counted from {first}": {
                "alike": above(spreads["relu"], spreads["sigmoid"]),
                "layer 2": above(
                    runs(relu, partial(in_layers, [layer])),
                    runs(relu, partial(in_layers, every - {layer})),
                    paired=True,
                ),
            }
            for first, layer in ((0, 3), (1, 2))
        }
    )


def late_gradients_of_sigmoid_are_larger(numbers: pd.DataFrame) -> Effect:
    """Figure 3.9: late in training Sigmoid's averaged gradients exceed ReLU's."""
    means = by_network(late(numbers), mean_of("mean"))
    return above(means["sigmoid"], means["relu"])


def sigmoid_ratio_varies_more(numbers: pd.DataFrame) -> Effect:
    """Figure 3.10: Sigmoid's ratio varies more over neurons than ReLU's, in the median."""
    medians = by_network(numbers, median_of("variance"))
    return above(medians["sigmoid"], medians["relu"])


def relu_ratio_settles(numbers: pd.DataFrame) -> Readings:
    """Figure 3.10: ReLU's variance falls as training goes on."""
    relu = of(numbers, "relu")
    steps = sorted(relu["step"].unique())
    at = {step: runs(relu[relu["step"] == step], median_of("variance")) for step in steps}
    curves: dict[int, list[float] | None] = {}
    for seed in at[steps[0]]:
        curve = [x for step in steps if (x := at[step].get(seed)) is not None]
        curves[seed] = curve if len(curve) == len(steps) else None
    first, last = (runs(part(relu), median_of("variance")) for part in (early, late))
    return Readings(
        {
            "with every step": trend(steps, curves, rising=False),
            "from the first to the last quarter": above(first, last, paired=True),
        }
    )


def saturated_ratios_vary_more(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figures 3.17 and 3.18: both saturated activations have ratios that vary more."""
    return saturated_above(by_network(numbers, median_of("variance")))


def sigmoid_ratio_varies_most(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.17: the ratio of the Sigmoid network varies more than that of any other."""
    medians = by_network(numbers, median_of("variance"))
    return {
        f"above {name}": above(medians["sigmoid"], value)
        for name, value in medians.items()
        if name != "sigmoid"
    }


def pre_activations_are_centred(numbers: pd.DataFrame) -> Readings:
    """Figure 3.11: means of all layers are around 0 with every activation, late in training."""

    def near(margin: float, own: pd.DataFrame) -> float:
        return margin - float(own.groupby("layer")["mean"].mean().abs().max())

    end = late(numbers)
    return Readings(
        {
            f"within {margin:g}": {
                str(name): of_seeds(own, partial(near, margin))
                for name, own in end.groupby("column")
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
        {
            name: saturated_above(by_network(part, mean_of("variance")))
            for name, part in parts.items()
        }
    )


def deep_weights_vary_less(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.13: weights of layers 11 and 15 vary less than those of layers 3 and 7."""
    shallow, deep = (
        by_network(numbers[numbers["layer"].isin(layers)], mean_of("variance"))
        for layers in (SHALLOW, DEEP)
    )
    return {name: above(shallow[name], deep[name], paired=True) for name in shallow}


def gradients_settle_without_saturation(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.15: shallow gradients fall for ReLU and GeLU; the others' remain more volatile."""
    shallow = numbers[numbers["layer"].isin(SHALLOW)]
    start, end = (by_network(part(shallow), mean_of("mean")) for part in (early, late))
    falls = {f"{name} falls": above(start[name], end[name], paired=True) for name in OTHERS}

    def volatility(own: pd.DataFrame) -> float:
        return float(own.groupby("step")["mean"].mean().std())

    return falls | saturated_above(by_network(late(shallow), volatility))


def gradients_of_sigmoid_rise(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 3.16: as in Figure 3.15; Tanh stays high, and Sigmoid's gradients even increase."""
    shallow = numbers[numbers["layer"].isin(SHALLOW)]
    start, end = (by_network(part(shallow), mean_of("mean")) for part in (early, late))
    return gradients_settle_without_saturation(numbers) | {
        "sigmoid rises": above(end["sigmoid"], start["sigmoid"], paired=True),
        "tanh stays high": above(end["tanh"], larger(*(end[name] for name in OTHERS))),
    }


def larger(one: Runs, other: Runs) -> Runs:
    """The larger number of two networks, by seed; None where one of them has not learned.

    Example:
        >>> larger({0: 1.0, 1: 2.0}, {0: 3.0, 1: None})
        {0: 3.0, 1: None}
    """
    pairs = {seed: (one[seed], other[seed]) for seed in sorted(set(one) & set(other))}
    return {seed: None if a is None or b is None else max(a, b) for seed, (a, b) in pairs.items()}
