"""Thesis, sections 5.1.2 and 5.1.4: similarity and transitions in small networks."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from reactivate.documents.thesis.examples import EIGHT_NEURONS, INPUTS
from reactivate.documents.thesis.segments import segment_constants
from reactivate.documents.thesis.small_networks import codes, normal, random_dense
from reactivate.foundation.seeding import generator
from reactivate.judging.effects import spearman
from reactivate.judging.exact import not_comparable, proved
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Question, Readings
from reactivate.judging.replicates import Effect
from reactivate.patterns.crossings import count_transitions
from reactivate.patterns.similarity import pair_similarity

NETWORKS = 13  # the last planned look
PAIRS = 20  # per network
SIZES = (8, 24, 24, 4)
READINGS = {"pairs at random": False, "pairs at one distance": True}
Measure = Callable[[nn.Sequential, Tensor, Tensor], Tensor]


def similarity_example() -> Judgement:
    """Section 5.1.4: one neuron of eight differs, similarity 0.875, one transition."""
    x, y = torch.tensor(INPUTS, dtype=torch.float64).unsqueeze(1)
    similarity = pair_similarity(codes(EIGHT_NEURONS, x), codes(EIGHT_NEURONS, y)).item()
    transitions = count_transitions(EIGHT_NEURONS, x, y).regions.item()
    reason = (
        f"7/8 = {7 / 8:g}; in the network of our Figure 5.1 the similarity is {similarity:g}, "
        f"with {transitions} transition"
    )
    if (similarity, transitions) != (7 / 8, 1):
        return not_comparable("network", reason)
    return proved(reason)


def clouds(one_distance: bool) -> Iterator[tuple[nn.Sequential, Tensor, Tensor]]:
    """Random ReLU networks and pairs of inputs, random ones or others at one distance."""
    stream = generator("thesis", "correlations", one_distance)
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x, y = normal((2, PAIRS, SIZES[0]), stream)
        if one_distance:
            x = x[:1].expand_as(y)
            y = x + 1.5 * y / y.norm(dim=1, keepdim=True)
        yield network, x, y


def correlation(measure: Measure, sign: float) -> Judgement:
    """Verdict on the sign of the rank correlation of transitions with a measure of pairs."""
    found = {}
    for reading, one_distance in READINGS.items():
        rhos = [
            sign
            * spearman(
                count_transitions(network, x, y).regions.tolist(), measure(network, x, y).tolist()
            )
            for network, x, y in clouds(one_distance)
        ]
        found[reading] = Effect(tuple(rhos), grain=12 / (PAIRS**3 - PAIRS))
    return Question().answer(Readings(found))


def similarity_falls() -> Judgement:
    """Section 5.1.2: similarity is negatively correlated with transition density."""
    return correlation(
        lambda network, x, y: pair_similarity(codes(network, x), codes(network, y)), -1.0
    )


def bound_rises() -> Judgement:
    """Section 5.1.2: transition density is positively correlated with the bound of difference.

    The bound is that of Eq. 4.42: the mean constant along the segment times its length.
    """
    return correlation(
        lambda network, x, y: segment_constants(network, x, y) * (y - x).norm(dim=1), 1.0
    )
