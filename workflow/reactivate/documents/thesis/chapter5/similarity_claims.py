"""Thesis, sections 5.1.2 to 5.2.1: similarity and transitions as they are measured."""

from collections.abc import Iterator
from statistics import fmean, stdev

import torch
from scipy.stats import spearmanr
from torch import Tensor, nn

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.examples import EIGHT_NEURONS, INPUTS
from reactivate.documents.thesis.segments import segment_constants
from reactivate.documents.thesis.small_networks import codes, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.breakpoints import encode
from reactivate.patterns.crossings import count_transitions
from reactivate.patterns.similarity import pair_similarity
from reactivate.patterns.transitions import INTERIOR, estimate_transitions, segment_points

NETWORKS = 10
POINTS = 20  # around one point, per network
SIZES = (8, 24, 24, 4)
PRINTED_SIZES = (784, *(256,) * 9, 10)  # section 5.2.1.1
PRINTED_SIMILARITY = 0.5  # of ReLU networks, section 5.2.3.1
SIGMOID_BREAKPOINTS = (-0.5, 0.0, 0.5)  # section 5.2.1.2


def inputs() -> tuple[Tensor, Tensor]:
    """The two inputs of Figure 5.1, ``(1, 2)`` each."""
    x, y = torch.tensor(INPUTS, dtype=torch.float64).unsqueeze(1)
    return x, y


def similarity_example() -> Judgement:
    """Section 5.1.4: one neuron of eight differs, similarity 0.875, one transition."""
    x, y = inputs()
    similarity = pair_similarity(codes(EIGHT_NEURONS, x), codes(EIGHT_NEURONS, y)).item()
    transitions = count_transitions(EIGHT_NEURONS, x, y).regions.item()
    return judge(
        similarity == 0.875 and transitions == 1,
        f"network of our Figure 5.1: similarity {similarity:g} = 7/8, {transitions} transition",
    )


def transitions_are_regions() -> Judgement:
    """Section 5.1.4: transition density is the number of regions that a segment crosses: 1."""
    x, y = inputs()
    transitions = count_transitions(EIGHT_NEURONS, x, y).regions.item()
    regions = len(torch.unique(codes(EIGHT_NEURONS, segment_points(x, y)[0]), dim=0))
    return judge(
        regions == transitions == 1,
        f"network of our Figure 5.1: {regions} regions, {transitions} transition; Eq. 5.1 counts "
        "the changes between regions, one less",
    )


def clouds() -> Iterator[tuple[nn.Sequential, Tensor, Tensor, Tensor]]:
    """Random ReLU networks, a point and others at one distance, and the transitions to them."""
    stream = generator("thesis", "correlations")
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x, step = normal((1, SIZES[0]), stream), normal((POINTS, SIZES[0]), stream)
        y = x + 1.5 * step / step.norm(dim=1, keepdim=True)
        x = x.expand_as(y)
        yield network, x, y, count_transitions(network, x, y).regions


def similarity_falls() -> Judgement:
    """Section 5.1.2: similarity is negatively correlated with transition density."""
    correlations = [
        float(spearmanr(transitions, pair_similarity(codes(net, x), codes(net, y))).statistic)
        for net, x, y, transitions in clouds()
    ]
    return judge(
        max(correlations) < 0,
        f"rank correlation between {min(correlations):.2f} and {max(correlations):.2f} in "
        f"{NETWORKS} random ReLU networks of 2 x 24 neurons, {POINTS} pairs each at one distance",
    )


def bound_rises() -> Judgement:
    """Section 5.1.2: transition density is positively correlated with the bound of difference."""
    correlations = [
        float(spearmanr(transitions, segment_constants(net, x, y)).statistic)
        for net, x, y, transitions in clouds()
    ]
    mean, error = fmean(correlations), stdev(correlations) / NETWORKS**0.5
    return judge(
        mean > 2 * error,
        f"rank correlation with the bound of Eq. 4.42 is {mean:+.2f} ± {error:.2f}, between "
        f"{min(correlations):+.2f} and {max(correlations):+.2f}, in {NETWORKS} random ReLU "
        f"networks of 2 x 24 neurons, {POINTS} pairs each at one distance: either sign occurs",
    )


def transition_estimate() -> Judgement:
    """Section 5.2.1.1: 514 points of a segment give its transition density."""
    stream = generator("thesis", "estimate")
    network = random_dense(PRINTED_SIZES, stream)
    x, y = normal((2, 1, PRINTED_SIZES[0]), stream)
    true = count_transitions(network, x, y).regions.item()
    estimate = estimate_transitions(network, x, y).regions.item()
    neurons = sum(PRINTED_SIZES[1:-1])
    flips = round((1 - PRINTED_SIMILARITY) * neurons)
    return judge(
        estimate == true and flips <= INTERIOR + 1,
        f"one segment in a random ReLU network of 9 x 256 neurons has {true} transitions, the "
        f"estimate sees {estimate}; it can see {INTERIOR + 1}, while a similarity of "
        f"{PRINTED_SIMILARITY:g} means at least {flips} of {neurons} neurons that change",
    )


def sigmoid_separation() -> Judgement:
    """Section 5.2.1.2: breakpoints -0.5, 0, 0.5 make two deactivated and one semi-linear part."""
    x = torch.tensor([-10.0, -0.25, 0.25, 10.0])
    patterns = sorted(set(encode(x, SIGMOID_BREAKPOINTS).tolist()))
    return judge(
        len(patterns) == 3,
        f"{len(SIGMOID_BREAKPOINTS)} breakpoints make {len(patterns)} patterns (Definition 1); "
        "-0.5, 0.5, as in section 5.2.2 and in the author's code, make 3",
    )
