"""Statements of CReLU's sections 2.1 and 4.3 on pairs, judged from Figures 1, 2 and 5.

Whether learned and random correlations align is judged by the Kolmogorov-Smirnov distance of the
layer to all sets together, learned and random: it aligns unless fewer than one set in a hundred is
as far. Whether a layer has pairs at all is judged by its mean correlation, against the means of
random sets.
"""

from itertools import pairwise
from math import cos, radians

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

SIGNIFICANCE = 0.01  # a share of sets that are as far; below it a layer is not aligned
SPREADS = 3  # of random sets: a mean that is lower by more is no chance
NEARLY_OPPOSITE = cos(radians(135))  # nearer to the opposite direction than to a perpendicular
WITH_CRELU = ("conv1", "conv2", "conv3", "conv4")  # of the network that Figure 5 shows


def almost_opposite(numbers: pd.DataFrame) -> Judgement:
    """Every conv1 filter of AlexNet has another one at almost the opposite phase."""
    mu = numbers["mu"]
    share = (mu < NEARLY_OPPOSITE).mean()
    return ordered(
        bool((mu < NEARLY_OPPOSITE).all()),
        f"{share:.0%} of {len(mu)} filters have a pairing filter at more than 135 degrees "
        f"(mu < {NEARLY_OPPOSITE:.2f}); mu is {mu.min():.2f} to {mu.max():.2f}, "
        f"median {mu.median():.2f}; torchvision's one-tower AlexNet",
    )


def conv1_differs(numbers: pd.DataFrame) -> Judgement:
    """In conv1 of AlexNet the median correlation is below all those of random filters."""
    part = numbers[numbers["layer"] == "conv1"]
    lower = (part["learned"] < part["random"].min()).mean()
    return ordered(
        bool(part["learned"].median() < part["random"].min()),
        f"conv1: mean {_pair(part)}; {lower:.0%} of filters are below all of a random set; "
        f"{_distance(part)}",
    )


def random_slightly_negative(numbers: pd.DataFrame) -> Judgement:
    """In conv1 random filters are nearer to 0 than to AlexNet's, and less spread."""
    part = numbers[numbers["layer"] == "conv1"]
    learned, random = part["learned"], part["random"]
    holds = learned.mean() / 2 < random.mean() < 0 and random.std() < learned.std()
    return ordered(
        bool(holds),
        f"conv1: mean {_pair(part)}; standard deviation {learned.std():.3f} against "
        f"{random.std():.3f} of random filters",
    )


def centre_moves_to_zero(numbers: pd.DataFrame) -> Judgement:
    """From layer to layer of AlexNet the mean correlation rises, and stays negative."""
    layers = [(str(layer), part) for layer, part in numbers.groupby("layer", sort=False)]
    means = [float(part["learned"].mean()) for _, part in layers]
    holds = all(before < after for before, after in pairwise(means)) and means[-1] < 0
    return ordered(holds, "; ".join(f"{layer} {_pair(part)}" for layer, part in layers))


def aligned_with_random(numbers: pd.DataFrame) -> Judgement:
    """In conv1 to conv4 of the CReLU network learned and random correlations align."""
    parts = _lower_layers(numbers, "crelu_conv1_4")
    described = [f"{layer} {_pair(part)}, {_distance(part)}" for layer, part in parts.items()]
    chances = [part["chance"].iloc[0] for part in parts.values()]
    return ordered(all(chance >= SIGNIFICANCE for chance in chances), "; ".join(described))


def pairing_vanishes(numbers: pd.DataFrame) -> Judgement:
    """The ReLU All-CNN has pairs in its lower layers, the one with CReLU there has none."""
    return _vanishes(numbers, "baseline", "crelu_conv1_4")


def pairing_vanishes_on_cifar(numbers: pd.DataFrame) -> Judgement:
    """ConvPool-CNN-C on CIFAR-10 has pairs with ReLU, none with CReLU and half the filters."""
    return _vanishes(numbers, "convpool", "convpool_crelu_half")


def _vanishes(numbers: pd.DataFrame, relu: str, crelu: str) -> Judgement:
    paired = {
        name: {layer: _spreads(part) for layer, part in _lower_layers(numbers, name).items()}
        for name in (relu, crelu)
    }
    holds = min(paired[relu].values()) < -SPREADS <= min(paired[crelu].values())
    told = [
        f"{name}: " + ", ".join(f"{layer} {value:+.1f}" for layer, value in layers.items())
        for name, layers in paired.items()
    ]
    return ordered(
        holds,
        "mean of mu less that of random sets, in standard deviations of a set's mean "
        f"(pairs: below -{SPREADS}); " + "; ".join(told),
    )


def _lower_layers(numbers: pd.DataFrame, network: str) -> dict[str, pd.DataFrame]:
    own = numbers[numbers["network"] == network]
    return {layer: own[own["layer"] == layer] for layer in WITH_CRELU}


def _spreads(part: pd.DataFrame) -> float:
    """Distance of the mean from that of random sets, in their standard deviations."""
    chance, spread = part["random_mean"].iloc[0], part["random_spread"].iloc[0]
    return float((part["learned"].mean() - chance) / spread)


def _pair(part: pd.DataFrame) -> str:
    learned, random = part["learned"].mean(), part["random_mean"].iloc[0]
    return f"{learned:.3f} (random {random:.3f})"


def _distance(part: pd.DataFrame) -> str:
    distance, chance = part["distance"].iloc[0], part["chance"].iloc[0]
    return f"Kolmogorov-Smirnov distance {distance:.2f} (as far: {chance:.0%} of sets)"
