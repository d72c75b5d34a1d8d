"""Statements of the thesis on similarity over training, judged from Figures 5.4 to 5.6."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pandas as pd

from reactivate.documents.shared.replicates import of_seeds, runs
from reactivate.documents.thesis.chapter5.pattern_readings import (
    SATURATED,
    of_networks,
    of_patterns,
)
from reactivate.judging.asked import crossed
from reactivate.judging.effects import difference, log_difference, spearman
from reactivate.judging.equality import around_margin
from reactivate.judging.questions import Found, Readings
from reactivate.judging.replicates import Effect

RISING = ("relu", "gelu")
ALL = (*SATURATED, *RISING)
BEGINNING = 500  # printed steps, the early stage of Figure 5.6
ALIKE = 0.95
HALF = 0.5
WHOLE = 0.99  # what rounds to 100 %
MARGINS = {"around = a tenth": 1.0, "around = half of it": 0.5, "around = twice of it": 2.0}


def final(numbers: pd.DataFrame, quantity: str = "similarity") -> float:
    """The last value of a quantity."""
    return float(numbers.sort_values("step")[quantity].iloc[-1])


def lowest(numbers: pd.DataFrame) -> float:
    """The smallest similarity on the way."""
    return float(numbers["similarity"].min())


def saturated_become_alike(numbers: pd.DataFrame) -> Readings:
    """Figure 5.4: Sigmoid and Tanh fall, then rise to around 0.95."""

    def fall(own: pd.DataFrame) -> float:
        return float(own.sort_values("step")["similarity"].iloc[0]) - lowest(own)

    def near(margin: float, own: pd.DataFrame) -> float:
        return margin - abs(final(own) - ALIKE)

    def cases(margin: float, part: pd.DataFrame) -> Found:
        found = {}
        for name in SATURATED:
            own = _of(part, name)
            found[f"{name} falls"] = of_seeds(own, fall)
            found[f"{name} rises"] = of_seeds(own, lambda x: final(x) - lowest(x))
            found[f"{name} ends around {ALIKE}"] = of_seeds(own, partial(near, margin))
        return found

    margin = around_margin(ALIKE, 0.01)
    by_margin = {
        around: of_patterns(numbers, "fcnn", SATURATED, partial(cases, factor * margin))
        for around, factor in MARGINS.items()
    }
    return Readings(
        {
            crossed(patterns, around): found
            for around, readings in by_margin.items()
            for patterns, found in readings.items()
        }
    )


def others_stay_at_half(numbers: pd.DataFrame) -> Readings:
    """Figure 5.4: ReLU and GELU are around 0.5 from the beginning on."""

    def farthest(own: pd.DataFrame) -> float:
        away = own.loc[own["printed_step"] >= BEGINNING, "similarity"] - HALF
        return float(max(away, key=abs))

    def cases(part: pd.DataFrame) -> Found:
        return {name: of_seeds(_of(part, name), farthest) for name in RISING}

    return Readings(of_networks(numbers, "fcnn", RISING, cases))


def relu_distance_varies_least(numbers: pd.DataFrame) -> Readings:
    """Figure 5.4: the variance of the prediction distance rises from ReLU over GELU and Tanh.

    Over pairs of images, in the mean of training; or of the mean over pairs, over training.
    """
    variances = {
        "over pairs": lambda own: float(own["distance_variance"].mean()),
        "over training": lambda own: float(own["distance_mean"].var(ddof=0)),
    }

    def cases(measure: Callable[[pd.DataFrame], float], part: pd.DataFrame) -> Found:
        each = {name: runs(_of(part, name), measure) for name in ALL}
        return {
            f"{low} below {high}": log_difference(each[low], each[high], paired=False)
            for low, high in pairwise(("relu", "gelu", "tanh", "sigmoid"))
        }

    return Readings(
        {
            crossed(variance, normalised): found
            for variance, measure in variances.items()
            for normalised, found in of_networks(
                numbers, "fcnn", ALL, partial(cases, measure)
            ).items()
        }
    )


def gelu_ends_lowest(numbers: pd.DataFrame) -> Readings:
    """Figure 5.5: GELU has the lowest similarity at the end."""

    def cases(part: pd.DataFrame) -> Found:
        ends = {name: runs(_of(part, name), final) for name in ALL}
        own = ends.pop("gelu")
        return {
            name: difference(own, other, paired=False, lower_is_better=True)
            for name, other in ends.items()
        }

    return Readings(of_patterns(numbers, "vgg16", ALL, cases))


def accuracy_mirrors_similarity(numbers: pd.DataFrame) -> Readings:
    """Section 5.2.3.4: the less similar, the more accurate, over the networks of a seed."""

    def mirrored(part: pd.DataFrame) -> float:
        own = [_of(part, name) for name in ALL]
        return -spearman([final(x) for x in own], [final(x, "accuracy") for x in own])

    def effect(part: pd.DataFrame) -> Found:
        k = len(ALL)
        return Effect(tuple(runs(part, mirrored).values()), grain=12 / (k**3 - k))

    return Readings(of_patterns(numbers, "vgg16", ALL, effect))


def settled(numbers: pd.DataFrame) -> float:
    """Steps until nine tenths of the way to the lowest similarity of the early stage are done."""
    part = numbers.sort_values("step")
    start = float(part["similarity"].iloc[0])
    done = part[part["similarity"] <= start - 0.9 * (start - lowest(part))]
    return max(1.0, float(done["printed_step"].iloc[0]))


def relu_settles_first(numbers: pd.DataFrame) -> Readings:
    """Figure 5.6(a): ReLU is fastest, then GELU and Tanh; Sigmoid is slowest."""
    pairs = [("relu", name) for name in ("gelu", "tanh", "sigmoid")]
    pairs += [(name, "sigmoid") for name in ("gelu", "tanh")]

    def cases(part: pd.DataFrame) -> Found:
        steps = {name: runs(_of(part, name), settled) for name in ALL}
        return {
            f"{fast} before {slow}": log_difference(steps[fast], steps[slow], paired=False)
            for fast, slow in pairs
        }

    return Readings(of_patterns(numbers, "fcnn", ALL, cases))


def early_similarity_reaches_half(numbers: pd.DataFrame) -> Readings:
    """Figure 5.6(a): the similarity of all models decreases to around 0.5."""

    def cases(part: pd.DataFrame) -> Found:
        return {name: of_seeds(_of(part, name), lambda own: lowest(own) - HALF) for name in ALL}

    return Readings(of_patterns(numbers, "fcnn", ALL, cases))


def sigmoid_vgg_starts_alike(numbers: pd.DataFrame) -> Readings:
    """Figure 5.6(b): the Sigmoid VGG16 is at 100 % in the first three records."""

    def least(own: pd.DataFrame) -> float:
        return float(own.sort_values("step")["similarity"].iloc[:3].min()) - WHOLE

    return Readings(of_patterns(numbers, "vgg16", ["sigmoid"], lambda own: of_seeds(own, least)))


def _of(numbers: pd.DataFrame, activation: str) -> pd.DataFrame:
    return numbers[numbers["column"] == activation]
