"""Thesis, chapter 5: numbers of the experiments, and orders that exclude each other."""

from itertools import combinations, permutations

import torch
from torch import nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.printed import printed_numbers
from reactivate.evidence.judgement import Judgement
from reactivate.models import MODELS
from reactivate.patterns.transitions import INTERIOR

POINTS, PAIRS, SEGMENT = 50, 1225, 514  # section 5.2.1.1
SHOWN_NEURONS = 4096  # of each layer in Figure 5.10
SHOWN_LAYERS = (2, 5, 8, 11)
SIDE = 32  # of an image
EVERY = (2, 5, 10, 15)  # epochs between prunings, section 5.4.4.3
BEST_EVERY = 10
FEWER_IS_BETTER = True  # "increasing the pruning frequency results in lower accuracy"


def pairs_and_points() -> Judgement:
    """Section 5.2.1.1: 50 points make 1225 pairs, 512 points between two make 514."""
    pairs = len(list(combinations(range(POINTS), 2)))
    points = INTERIOR + 2
    return judge((pairs, points) == (PAIRS, SEGMENT), f"{pairs} pairs, {points} points")


def layer_neurons() -> dict[int, int]:
    """Neurons of each layer of VGG16 for CIFAR-10, by number from 1."""
    with torch.device("meta"):
        network = MODELS.load("vgg16")()
    side, sizes = SIDE, []
    for module in network.modules():
        if isinstance(module, nn.Conv2d):  # padded: its map has the side that it reads
            sizes.append(module.out_channels * side**2)
        elif isinstance(module, nn.MaxPool2d):
            side //= 2
        elif isinstance(module, nn.Linear):
            sizes.append(module.out_features)
    return dict(enumerate(sizes, start=1))


def first_4096_neurons() -> Judgement:
    """Section 5.3.3.3: every layer is shown by the entropy of its first 4096 neurons."""
    neurons = layer_neurons()
    counts = {layer: neurons[layer] for layer in SHOWN_LAYERS}
    said = ", ".join(f"{count} in layer {layer}" for layer, count in counts.items())
    return judge(
        min(counts.values()) >= SHOWN_NEURONS,
        f"VGG16 on 32x32 images has {said} ({neurons[max(SHOWN_LAYERS) + 1]} in the next, if "
        "layers are numbered from 0)",
    )


def frequency_orders() -> Judgement:
    """Section 5.4.4.3: accuracy falls with the frequency of pruning, and is best at every 10."""
    both = 0
    for order in permutations(EVERY):  # from the lowest accuracy to the highest
        falls = list(order) == sorted(EVERY, reverse=not FEWER_IS_BETTER)
        both += falls and order[-1] == BEST_EVERY
    orders = len(list(permutations(EVERY)))
    return judge(
        both > 0,
        f"pruned every {', '.join(map(str, EVERY))} epochs: {both} of {orders} orders of accuracy "
        f"fall with the frequency and have every {BEST_EVERY} at the top; the first needs "
        f"{max(EVERY)} there",
    )


def relu_follows_closely() -> Judgement:
    """Section 5.2.3.4: GeLU is best, followed closely by ReLU, with Sigmoid and Tanh lower."""
    table = printed_numbers("thesis", "table5_1")
    said, holds = [], True
    for column in table["gelu"]:
        first, second = (table[name][column] for name in ("gelu", "relu"))
        third = max(table[name][column] for name in ("sigmoid", "tanh"))
        holds &= first > second > third and first - second < second - third
        said.append(f"{column} {first - second:.2f} behind GeLU, {second - third:.2f} ahead")
    return judge(holds, f"ReLU in Table 5.1: {'; '.join(said)} of Sigmoid and Tanh")
