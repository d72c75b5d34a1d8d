"""Statements of the thesis on the toy model, as effects, from Figures 3.19 to 3.21.

A replicate is a network, a draw of initial values. The thesis prints neither how many points are
learned nor the optimizer: every statement is looked into under each of the trainings.
"""

from collections.abc import Callable
from functools import partial
from itertools import combinations

import pandas as pd

from reactivate.documents.thesis.chapter3.toy import NEURONS
from reactivate.documents.thesis.chapter3.toy_readings import toy_reading
from reactivate.judging.asked import crossed
from reactivate.judging.effects import difference, log_difference
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Found, Readings
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import UNDECIDED

SMALL = (0.05, 0.1)  # of the objective's variance: a "relatively small" error
MOST = 0.5
ALMOST_ALL = (0.8, 0.5, 0.9)  # of the neurons
START, END = 0, -1  # epochs; -1 for the last

Runs = dict[int, float | None]


def under_each(frame: pd.DataFrame, find: Callable[[pd.DataFrame], Found]) -> Readings:
    """What is found of the networks under each of the trainings."""
    networks = frame[frame["part"] == "network"]
    return Readings(
        {
            toy_reading(str(name)): find(part)
            for name, part in networks.groupby("training", sort=False)
        }
    )


def under_choices(
    frame: pd.DataFrame,
    find: Callable[[float, pd.DataFrame], Found],
    word: str,
    values: tuple[float, ...],
) -> Readings:
    """What is found under each of the trainings with each value that a word may have."""
    return Readings(
        {
            crossed(training, f"{word} is {value:g}"): each
            for value in values
            for training, each in under_each(frame, partial(find, value)).found.items()
        }
    )


def runs(part: pd.DataFrame, model: str, column: str, epoch: int = END) -> Runs:
    """A number of every network of a kind; None where it has none."""
    own = part[part["model"] == model]
    own = own[own["epoch"] == (own["epoch"].max() if epoch == END else epoch)]
    pairs = zip(own["network"], own[column], strict=True)
    return {int(network): None if pd.isna(value) else float(value) for network, value in pairs}


def beyond(found: Runs, threshold: float, grain: float = 0.0) -> Effect:
    """A number of every network minus a threshold."""
    return difference(found, dict.fromkeys(found, threshold), paired=True, grain=grain)


def constant_share(part: pd.DataFrame, model: str, threshold: float) -> Effect:
    """The share of a network's neurons that are nearly constant, minus a threshold."""
    counts = runs(part, model, "constant_neurons")
    shares = {network: None if n is None else n / NEURONS for network, n in counts.items()}
    return beyond(shares, threshold, grain=1 / NEURONS)


def lower_loss(part: pd.DataFrame, model: str, other: str) -> Effect:
    """How much lower the log loss of one kind is than that of another."""
    return log_difference(runs(part, model, "loss"), runs(part, other, "loss"), paired=False)


def relu_fits(frame: pd.DataFrame) -> Readings:
    """Figure 3.19: ReLU(15, 1) ends with a small error, beside the objective's variance."""

    def find(small: float, part: pd.DataFrame) -> Effect:
        left = runs(part, "ReLU(15, 1)", "unexplained")
        return log_difference(left, dict.fromkeys(left, small), paired=True)

    return under_choices(frame, find, "small", SMALL)


def sigmoid_beats_relu(frame: pd.DataFrame) -> Readings:
    """Figure 3.19: at last, Sigmoid(15, 15) has the lower loss."""
    return under_each(frame, lambda part: lower_loss(part, "Sigmoid(15, 15)", "ReLU(15, 1)"))


def few_sigmoids_contribute(frame: pd.DataFrame) -> Readings:
    """Figure 3.19: most neurons of Sigmoid(15, 15) are nearly constant."""
    return under_each(frame, lambda part: constant_share(part, "Sigmoid(15, 15)", MOST))


def relu_models_are_similar(frame: pd.DataFrame) -> Readings:
    """Figure 3.20: the three kinds have similar losses.

    The thesis prints no margin; trainings with one that was named afterwards cannot decide.
    """

    def find(part: pd.DataFrame) -> dict[str, Effect]:
        pairs = combinations(part["model"].unique(), 2)
        return {f"{one} and {other}": lower_loss(part, one, other) for one, other in pairs}

    unprinted = Judgement(UNDECIDED, "how far similar losses may differ is not printed")
    later = under_each(frame, find).found.items()
    return Readings(
        {"without a margin": unprinted}
        | {crossed(training, "within a factor of 2"): each for training, each in later}
    )


def relu_gradients_remain(frame: pd.DataFrame) -> Readings:
    """Figure 3.20: over evenly spread inputs the mean weight gradient keeps most of its size."""

    def find(epoch: int, part: pd.DataFrame) -> dict[str, Effect]:
        return {
            model: beyond(runs(part, model, "net_gradient", epoch), MOST)
            for model in part["model"].unique()
        }

    return Readings(
        {
            crossed(training, when): each
            for when, epoch in (("at the start", START), ("after training", END))
            for training, each in under_each(frame, partial(find, epoch)).found.items()
        }
    )


def sigmoid_1_1_is_worst(frame: pd.DataFrame) -> Readings:
    """Figure 3.21: Sigmoid(1, 1) has a larger loss than either of the others."""

    def find(part: pd.DataFrame) -> dict[str, Effect]:
        others = [model for model in part["model"].unique() if model != "Sigmoid(1, 1)"]
        return {other: lower_loss(part, other, "Sigmoid(1, 1)") for other in others}

    return under_each(frame, find)


def sigmoid_1_1_is_constant(frame: pd.DataFrame) -> Readings:
    """Figure 3.21: almost all neurons of Sigmoid(1, 1) are nearly constant."""

    def find(almost_all: float, part: pd.DataFrame) -> Effect:
        return constant_share(part, "Sigmoid(1, 1)", almost_all)

    return under_choices(frame, find, "almost all", ALMOST_ALL)


def sigmoid_gradients_cancel(frame: pd.DataFrame) -> Readings:
    """Figure 3.21: gradients of samples cancel out in Sigmoid(1, 1), for the most part."""

    def find(part: pd.DataFrame) -> Effect:
        net = runs(part, "Sigmoid(1, 1)", "net_gradient")
        half = dict.fromkeys(net, 1 - MOST)
        return difference(net, half, paired=True, lower_is_better=True)

    return under_each(frame, find)


def neurons_die_elsewhere(frame: pd.DataFrame) -> Readings:
    """Figure 3.21: networks Sigmoid(15, 0) and Sigmoid(50, 50) have nearly constant neurons."""

    def find(part: pd.DataFrame) -> dict[str, dict[int, bool | None]]:
        return {
            model: {n: bool(k) for n, k in runs(part, model, "constant_neurons").items()}
            for model in ("Sigmoid(15, 0)", "Sigmoid(50, 50)")
        }

    return under_each(frame, find)


def sigmoid_15_0_underfits(frame: pd.DataFrame) -> Readings:
    """Figure 3.21: Sigmoid(15, 0) is worse away from 0 than near it."""

    def find(part: pd.DataFrame) -> Effect:
        near, far = (
            runs(part, "Sigmoid(15, 0)", name) for name in ("loss_near_zero", "loss_elsewhere")
        )
        return log_difference(far, near, paired=True, lower_is_better=False)

    return under_each(frame, find)
