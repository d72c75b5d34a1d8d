"""Statements of CReLU's section 4.2 on Figure 4, judged from its networks.

The paper counts eight convolutions of the CIFAR networks, ours are the nine of the original, of
which its tables leave one out: its conv3 to conv7 are conv4 to conv8 here. Its "between conv2 and
conv3" is the step over the first max-pooling, its "between conv4 and conv6" the two steps around
the second one.
"""

from itertools import pairwise

import pandas as pd
from scipy.stats import spearmanr

from reactivate.documents.shared.judging import judge, ordered
from reactivate.evidence.judgement import Judgement
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import Sized

PAIR = ("relu", "crelu")
CIFAR = ("cifar10", "cifar100")
PRINTED_IMAGES = 50000
PEAKS = [1, 4, 7]


def curves(numbers: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """The layers of each ReLU and CReLU network, by dataset and network."""
    part = numbers[numbers["network"].isin(PAIR)].sort_values("layer")
    return {(str(d), str(n)): own for (d, n), own in part.groupby(["dataset", "network"])}


def higher_with_crelu(numbers: pd.DataFrame) -> Judgement:
    """The scores of CReLU models are consistently higher than those of ReLU models."""
    by_dataset, shown = curves(numbers), []
    fails = 0
    for name in dict.fromkeys(d for d, _ in by_dataset):
        relu, crelu = (by_dataset[name, kind].set_index("layer")["score"] for kind in PAIR)
        lower = [f"conv{layer}" for layer in relu.index if not crelu[layer] > relu[layer]]
        fails += len(lower)
        shown.append(
            f"{name} {len(relu) - len(lower)} of {len(relu)} layers higher"
            f"{', not ' + ' '.join(lower) if lower else ''} (mean {crelu.mean():.1f} against "
            f"{relu.mean():.1f})"
        )
    return ordered(not fails, "; ".join(shown))


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


def rises_after_pooling(numbers: pd.DataFrame) -> Judgement:
    """Big increases over the max-poolings: larger than any step between other layers."""
    holds, shown = True, []
    for (name, network), own in curves(numbers).items():
        if name not in CIFAR:
            continue
        around, others = pooling_steps(own)
        holds &= min(around) > max(0.0, *others)
        shown.append(
            f"{name} {network} {around[0]:+.1f} and {around[1]:+.1f}, elsewhere at most "
            f"{max(others):+.1f}"
        )
    return ordered(holds, "over the first and around the second pooling: " + "; ".join(shown))


def rises_with_depth(numbers: pd.DataFrame) -> Judgement:
    """As a general trend the scores increase with depth: rank correlation above 0."""
    trends = {
        f"{name} {network}": float(spearmanr(own["layer"], own["score"]).statistic)
        for (name, network), own in curves(numbers).items()
    }
    shown = ", ".join(f"{name} {trend:+.2f}" for name, trend in trends.items())
    return ordered(all(trend > 0 for trend in trends.values()), f"rank correlation: {shown}")


def not_monotonic(numbers: pd.DataFrame) -> Judgement:
    """The progression is not monotonic: every network has a layer below the one before it."""
    falls = {}
    for (name, network), own in curves(numbers).items():
        steps = pairwise(zip(own["layer"], own["score"], strict=True))
        falls[f"{name} {network}"] = [
            f"conv{after[0]}" for before, after in steps if after[1] < before[1]
        ]
    shown = "; ".join(f"{name} {' '.join(at) or 'nowhere'}" for name, at in falls.items())
    return ordered(all(falls.values()), f"falls at: {shown}")


def local_maxima(numbers: pd.DataFrame) -> Judgement:
    """The ImageNet ReLU model has its local maxima at conv1, conv4 and conv7, of seven layers."""
    scores = curves(numbers)["imagenet", "relu"]["score"].tolist()
    padded = [float("-inf"), *scores, float("-inf")]
    peaks = [n for n in range(1, len(padded) - 1) if padded[n] > max(padded[n - 1], padded[n + 1])]
    shown = ", ".join(f"{score:.1f}" for score in scores)
    return ordered(peaks == PEAKS, f"at {' '.join(f'conv{n}' for n in peaks)}: {shown}")


def images_of_cifar() -> Judgement:
    """Section C: the scores are of 50k testing images of CIFAR-10/100."""
    sets = [dataset(name) for name in CIFAR]
    sizes = {s.title: (s.test, s.train) for s in sets if isinstance(s, Sized)}
    shown = "; ".join(
        f"{title} has {test} test and {train} training images"
        for title, (test, train) in sizes.items()
    )
    return judge(all(test == PRINTED_IMAGES for test, _ in sizes.values()), shown)
