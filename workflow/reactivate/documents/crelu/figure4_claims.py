"""Statements of CReLU's section 4.2 on Figure 4: what its networks show, case by case.

The CIFAR networks are those of protocol ``document``, with the eight convolutions that the paper
counts. Its "between conv2 and conv3" is the step over the first max-pooling, its "between conv4
and conv6" the two steps around the second one. Networks of every seed are measured.
"""

from functools import partial
from itertools import pairwise
from math import isfinite, nan

import pandas as pd

from reactivate.documents.shared.replicates import Measure, rank_effect, runs
from reactivate.judging.effects import difference
from reactivate.judging.exact import not_comparable
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Case
from reactivate.judging.replicates import Effect, Runs

PAIR = ("relu", "crelu")
CIFAR = ("cifar10", "cifar100")
PEAKS = (1, 4, 7)
Curves = dict[tuple[str, str], pd.DataFrame]  # by dataset and network


def curves(numbers: pd.DataFrame) -> Curves:
    """The layers of each ReLU and CReLU network, by dataset and network; of all its seeds."""
    found = Curves()
    for (dataset, network), own in numbers.sort_values("layer").groupby(["dataset", "network"]):
        kind = str(network).removeprefix(f"{dataset}_")
        if kind in PAIR:
            found[str(dataset), kind] = own
    return found


def stood_in(own: pd.DataFrame) -> Judgement | None:
    """Judgement of a network that other data trained than the document names; None if none did."""
    name, data = str(own["dataset"].iloc[0]), str(own["data"].iloc[0])
    if name == data:
        return None
    return not_comparable("data", f"{data} stands in for {name}")


def higher_with_crelu(numbers: pd.DataFrame) -> dict[str, Case]:
    """Score of a CReLU network minus that of a ReLU network, in each layer of each dataset."""
    by_network, cases = curves(numbers), dict[str, Case]()
    for name in dict.fromkeys(d for d, _ in by_network):
        relu, crelu = (by_network[name, kind] for kind in PAIR)
        if other := stood_in(relu):
            cases[name] = other
            continue
        for layer in dict.fromkeys(relu["layer"]):
            first, second = (
                _known(runs(own[own["layer"] == layer], lambda part: part["score"].item()))
                for own in (crelu, relu)
            )
            cases[f"{name} conv{layer}"] = difference(first, second, paired=False)
    return cases


def pooling_steps(own: pd.DataFrame) -> tuple[list[float], list[float]]:
    """Rises around the poolings, as the section names them, and all rises between other layers.

    Example:
        >>> layers = pd.DataFrame({"pools": [0, 0, 1, 1, 2], "score": [1, 2, 6, 7, 10]})
        >>> pooling_steps(layers)
        ([4.0, 4.0], [1.0])
    """
    scores, pools = own["score"].tolist(), own["pools"].tolist()
    first, second = pools.index(1), pools.index(2)
    around = [float(scores[first] - scores[first - 1]), float(scores[second] - scores[second - 2])]
    named = {first, second, second - 1}  # steps that end at these layers
    steps = enumerate(pairwise(scores), start=1)
    return around, [float(b - a) for number, (a, b) in steps if number not in named]


def rises_after_pooling(numbers: pd.DataFrame) -> dict[str, Case]:
    """Rise of the score over each max-pooling minus the largest between other layers."""

    def beyond(pooling: int, own: pd.DataFrame) -> float:
        around, others = pooling_steps(own)
        return around[pooling] - max(0.0, *others) if own["score"].notna().all() else nan

    return {
        f"{name} {network}, {words} pooling": _effect(own, partial(beyond, pooling))
        for (name, network), own in curves(numbers).items()
        if name in CIFAR
        for pooling, words in enumerate(("first", "second"))
    }


def rises_with_depth(numbers: pd.DataFrame) -> dict[str, Case]:
    """Spearman's rho of layer and score in each network."""
    return {
        f"{name} {network}": stood_in(own) or rank_effect(own, "layer", "score")
        for (name, network), own in curves(numbers).items()
    }


def not_monotonic(numbers: pd.DataFrame) -> dict[str, Case]:
    """Whether each network has a layer whose score is below that of the layer before it."""

    def falls(own: pd.DataFrame) -> bool:
        return any(after < before for before, after in pairwise(own["score"]))

    return {
        f"{name} {network}": stood_in(own)
        or {seed: None if fell is None else bool(fell) for seed, fell in runs(own, falls).items()}
        for (name, network), own in curves(numbers).items()
    }


def local_maxima(numbers: pd.DataFrame) -> dict[str, Case]:
    """Score of the ImageNet ReLU network at conv1, conv4 and conv7 minus that beside it."""
    own = curves(numbers)["imagenet", "relu"]

    def above(peak: int, network: pd.DataFrame) -> float:
        scores = network["score"].tolist()
        beside = scores[max(0, peak - 2) : peak - 1] + scores[peak : peak + 1]
        return float(scores[peak - 1] - max(beside))

    return {f"conv{peak}": stood_in(own) or _effect(own, partial(above, peak)) for peak in PEAKS}


def _effect(own: pd.DataFrame, measure: Measure) -> Effect:
    """A number for each seed; None where a network has not learned or a layer never fires."""
    return Effect(tuple(_known(runs(own, measure)).values()))


def _known(found: Runs) -> Runs:
    return {seed: x if x is not None and isfinite(x) else None for seed, x in found.items()}
