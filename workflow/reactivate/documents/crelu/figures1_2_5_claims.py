"""Statements of CReLU's sections 2.1 and 4.3 on pairs, from Figures 1, 2 and 5.

The AlexNet at hand is torchvision's, with one tower and 64 filters in conv1. The document shows
that of Krizhevsky et al. (2012), with two towers and 96: what ours shows is told, not judged.
"""

import pandas as pd
import torch

from reactivate.documents.shared.replicates import first_of_each, of_seeds
from reactivate.filters.pairing import pair_filters, random_filters
from reactivate.foundation.seeding import generator
from reactivate.judging.effects import spearman
from reactivate.judging.exact import not_comparable, not_run, sampled
from reactivate.judging.judgement import Judgement
from reactivate.judging.replicates import Effect

CONV1 = (96, 3, 11, 11)  # filters of the AlexNet that the document shows
SETS = 100
SLIGHTLY = 0.25  # a mean as far below 0 or a deviation as large might not be called small
WITH_CRELU = ("conv1", "conv2", "conv3", "conv4")  # of the network that Figure 5 shows


def almost_opposite(numbers: pd.DataFrame) -> Judgement:
    """Every conv1 filter of AlexNet has another one at almost the opposite phase."""
    mu = numbers["mu"]
    return _of_another(
        f"the correlation with the pairing filter is {mu.min():.2f} to {mu.max():.2f}, median "
        f"{mu.median():.2f}, and negative for {(mu < 0).sum()} of {len(mu)} filters"
    )


def conv1_differs(numbers: pd.DataFrame) -> Judgement:
    """In conv1 of AlexNet the correlations are negatively centred, unlike random ones."""
    part = numbers[numbers["layer"] == "conv1"]
    lower = (part["trained"] < part["random"].min()).mean()
    return _of_another(
        f"conv1 has the mean {_pair(part)}; {lower:.0%} of its filters are below all of a random "
        "set"
    )


def centre_moves_to_zero(numbers: pd.DataFrame) -> Judgement:
    """From layer to layer of AlexNet the mean correlation moves towards zero."""
    layers = [(str(layer), part) for layer, part in numbers.groupby("layer", sort=False)]
    means = [float(part["trained"].mean()) for _, part in layers]
    rho = spearman(range(len(means)), means)
    shown = "; ".join(f"{layer} {_pair(part)}" for layer, part in layers)
    return _of_another(f"rank correlation of layer and mean {rho:+.2f}: {shown}")


def random_slightly_negative() -> Judgement:
    """The mean correlation of random conv1 filters is slightly negative, its deviation small."""
    like = torch.empty(CONV1, dtype=torch.float64)
    drawn = [
        pair_filters(random_filters(like, generator("crelu", "random conv1", number))).correlations
        for number in range(SETS)
    ]
    means, spreads = ([float(value) for value in map(f, drawn)] for f in (torch.mean, torch.std))
    said = (
        f"{SETS} sets of {CONV1[0]} random unit filters: means from {min(means):.3f} to "
        f"{max(means):.3f}, deviations up to {max(spreads):.3f}"
    )
    if min(means) <= -SLIGHTLY or max(spreads) >= SLIGHTLY:
        return not_run("underspecified", f"{said}; what slightly and small mean is not said")
    return sampled(max(means) < 0, said, cases=SETS)


def aligned_with_random(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Mean correlation in each lower layer of the CReLU network minus that of random sets."""
    return {
        layer: of_seeds(part, _beyond_chance)
        for layer, part in _lower_layers(numbers, "crelu_conv1_4").items()
    }


def pairs_on_cifar(numbers: pd.DataFrame) -> str:
    """How far the lower layers of ConvPool-CNN-C on CIFAR-10 are from random sets."""
    told = []
    for name in ("convpool", "convpool_crelu_half"):
        layers = _lower_layers(first_of_each(numbers), name).items()
        told.append(f"{name} " + ", ".join(f"{n} {_spreads(part):+.1f}" for n, part in layers))
    return (
        "Mean correlation with the pairing filter less that of random sets, in standard "
        f"deviations of a set's mean: {'; '.join(told)}."
    )


def _of_another(said: str) -> Judgement:
    """What another network than the one the document shows says, which is no verdict on it."""
    return not_comparable("network", f"in torchvision's one-tower AlexNet {said}")


def _lower_layers(numbers: pd.DataFrame, network: str) -> dict[str, pd.DataFrame]:
    own = numbers[numbers["network"] == network]
    return {layer: own[own["layer"] == layer] for layer in WITH_CRELU}


def _spreads(part: pd.DataFrame) -> float:
    """Distance of the mean from that of random sets, in their standard deviations."""
    return _beyond_chance(part) / float(part["random_spread"].iloc[0])


def _beyond_chance(part: pd.DataFrame) -> float:
    """Mean correlation of a layer less that of random sets."""
    return float(part["trained_mean"].iloc[0] - part["random_mean"].iloc[0])


def _pair(part: pd.DataFrame) -> str:
    trained, random = part["trained"].mean(), part["random_mean"].iloc[0]
    return f"{trained:.3f} (random {random:.3f})"
