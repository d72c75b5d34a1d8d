"""Statements of CReLU's section 4.2 on Figure 4: what its networks show, case by case.

The CIFAR networks are those of protocol ``document``, with the eight convolutions that the paper
counts. Its "between conv2 and conv3" is the step over the first max-pooling, its "between conv4
and conv6" the two steps around the second one. One network of each kind is measured, once.
"""

from itertools import pairwise
from math import isfinite

import pandas as pd

from reactivate.judging.effects import difference, trend
from reactivate.judging.exact import not_comparable
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Case
from reactivate.judging.replicates import Effect

PAIR = ("relu", "crelu")
CIFAR = ("cifar10", "cifar100")
PEAKS = (1, 4, 7)
Curves = dict[tuple[str, str], pd.DataFrame]  # by dataset and network


def curves(numbers: pd.DataFrame) -> Curves:
    """The layers of each ReLU and CReLU network, by dataset and network."""
    part = numbers[numbers["network"].isin(PAIR)].sort_values("layer")
    return {(str(d), str(n)): own for (d, n), own in part.groupby(["dataset", "network"])}


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
        for layer, *pair in zip(relu["layer"], crelu["score"], relu["score"], strict=True):
            first, second = ({0: _known(score)} for score in pair)
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
    cases = dict[str, Case]()
    for (name, network), own in curves(numbers).items():
        if name not in CIFAR:
            continue
        around, others = pooling_steps(own)
        for pooling, rise in zip(("first", "second"), around, strict=True):
            beyond = _known(rise - max(0.0, *others))
            cases[f"{name} {network}, {pooling} pooling"] = Effect((beyond,))
    return cases


def rises_with_depth(numbers: pd.DataFrame) -> dict[str, Case]:
    """Spearman's rho of layer and score in each network."""
    return {
        f"{name} {network}": stood_in(own)
        or trend(own["layer"].tolist(), {0: own["score"].tolist()})
        for (name, network), own in curves(numbers).items()
    }


def not_monotonic(numbers: pd.DataFrame) -> dict[str, Case]:
    """Whether each network has a layer whose score is below that of the layer before it."""
    return {
        f"{name} {network}": stood_in(own)
        or {0: any(after < before for before, after in pairwise(own["score"]))}
        for (name, network), own in curves(numbers).items()
    }


def local_maxima(numbers: pd.DataFrame) -> dict[str, Case]:
    """Score of the ImageNet ReLU network at conv1, conv4 and conv7 minus that beside it."""
    own = curves(numbers)["imagenet", "relu"]
    scores = own["score"].tolist()
    cases = dict[str, Case]()
    for peak in PEAKS:
        beside = scores[max(0, peak - 2) : peak - 1] + scores[peak : peak + 1]
        cases[f"conv{peak}"] = stood_in(own) or Effect((_known(scores[peak - 1] - max(beside)),))
    return cases


def _known(score: float) -> float | None:
    """A score, or None where no filter of a layer fires."""
    return float(score) if isfinite(score) else None
