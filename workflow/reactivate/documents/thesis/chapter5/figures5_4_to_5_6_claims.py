"""Statements of the thesis on similarity over training, judged from Figures 5.4 to 5.6."""

from functools import partial
from itertools import pairwise

import pandas as pd

from reactivate.documents.thesis.chapter5.replicates import of_seeds, runs
from reactivate.judging.effects import difference, log_difference, spearman
from reactivate.judging.equality import around_margin
from reactivate.judging.exact import not_run
from reactivate.judging.questions import Found, Readings
from reactivate.judging.replicates import Effect

SATURATED = ("sigmoid", "tanh")
BEGINNING = 500  # printed steps, the early stage of Figure 5.6
ALIKE = 0.95
HALF = 0.5
WHOLE = 0.99  # what rounds to 100 %
OPEN = ("breakpoints -1, 1", "breakpoints -2, 2")  # not printed for these figures, like those used


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

    margin = around_margin(ALIKE, 0.01)
    found: dict[str, Found] = {}
    for factor in (1.0, 0.5, 2.0):
        cases = {}
        for name in SATURATED:
            own = _of(numbers, name)
            cases[f"{name} falls"] = of_seeds(own, fall)
            cases[f"{name} rises"] = of_seeds(own, lambda part: final(part) - lowest(part))
            cases[f"{name} ends around {ALIKE}"] = of_seeds(own, partial(near, factor * margin))
        found[f"breakpoints -0.5, 0.5, around = {factor * margin:.2g}"] = cases
    return _with_open(found)


def others_stay_at_half(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 5.4: ReLU and GELU are around 0.5 from the beginning on."""

    def farthest(own: pd.DataFrame) -> float:
        away = own.loc[own["printed_step"] >= BEGINNING, "similarity"] - HALF
        return float(max(away, key=abs))

    return {name: of_seeds(_of(numbers, name), farthest) for name in ("relu", "gelu")}


def relu_distance_varies_least(numbers: pd.DataFrame) -> Readings:
    """Figure 5.4: the variance of the prediction distance rises from ReLU over GELU and Tanh.

    Over pairs of images, in the mean of training; or of the mean over pairs, over training.
    """
    readings = {
        "over pairs": lambda own: float(own["distance_variance"].mean()),
        "over training": lambda own: float(own["distance_mean"].var(ddof=0)),
    }
    order = ("relu", "gelu", "tanh", "sigmoid")
    return Readings(
        {
            reading: {
                f"{low} below {high}": log_difference(
                    runs(_of(numbers, low), measure),
                    runs(_of(numbers, high), measure),
                    paired=False,
                )
                for low, high in pairwise(order)
            }
            for reading, measure in readings.items()
        }
    )


def gelu_ends_lowest(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 5.5: GELU has the lowest similarity at the end."""
    ends = {name: runs(_of(numbers, name), final) for name in _names(numbers)}
    own = ends.pop("gelu")
    return {
        name: difference(own, other, paired=False, lower_is_better=True)
        for name, other in ends.items()
    }


def accuracy_mirrors_similarity(numbers: pd.DataFrame) -> Effect:
    """Section 5.2.3.4: the less similar, the more accurate, over the networks of a seed."""

    def mirrored(part: pd.DataFrame) -> float:
        own = [_of(part, name) for name in _names(part)]
        return -spearman([final(x) for x in own], [final(x, "accuracy") for x in own])

    k = len(_names(numbers))
    return Effect(tuple(runs(numbers, mirrored).values()), grain=12 / (k**3 - k))


def settled(numbers: pd.DataFrame) -> float:
    """Steps until nine tenths of the way to the lowest similarity of the early stage are done."""
    part = numbers.sort_values("step")
    start = float(part["similarity"].iloc[0])
    done = part[part["similarity"] <= start - 0.9 * (start - lowest(part))]
    return max(1.0, float(done["printed_step"].iloc[0]))


def relu_settles_first(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 5.6(a): ReLU is fastest, then GELU and Tanh; Sigmoid is slowest."""
    fcnn = numbers[numbers["row"] == "fcnn"]
    steps = {name: runs(_of(fcnn, name), settled) for name in _names(fcnn)}
    pairs = [("relu", name) for name in ("gelu", "tanh", "sigmoid")]
    pairs += [(name, "sigmoid") for name in ("gelu", "tanh")]
    return {
        f"{fast} before {slow}": log_difference(steps[fast], steps[slow], paired=False)
        for fast, slow in pairs
    }


def early_similarity_reaches_half(numbers: pd.DataFrame) -> Readings:
    """Figure 5.6(a): the similarity of all models decreases to around 0.5."""
    fcnn = numbers[numbers["row"] == "fcnn"]
    cases = {
        name: of_seeds(_of(fcnn, name), lambda own: lowest(own) - HALF) for name in _names(fcnn)
    }
    return _with_open({"breakpoints -0.5, 0.5": cases})


def sigmoid_vgg_starts_alike(numbers: pd.DataFrame) -> Effect:
    """Figure 5.6(b): the Sigmoid VGG16 is at 100 % in the first three records."""
    vgg = _of(numbers[numbers["row"] == "vgg16"], "sigmoid")
    return of_seeds(
        vgg, lambda own: float(own.sort_values("step")["similarity"].iloc[:3].min()) - WHOLE
    )


def _of(numbers: pd.DataFrame, activation: str) -> pd.DataFrame:
    return numbers[numbers["column"] == activation]


def _names(numbers: pd.DataFrame) -> list[str]:
    return [str(name) for name in numbers["column"].unique()]


def _with_open(found: dict[str, Found]) -> Readings:
    """The readings that were measured, and those that were not."""
    unseen = not_run("compute", "similarity was recorded with the breakpoints -0.5, 0.5 only")
    return Readings({**found, **dict.fromkeys(OPEN, unseen)})
