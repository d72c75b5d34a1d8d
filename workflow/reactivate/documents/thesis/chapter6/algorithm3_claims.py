"""Thesis, section 6.4.3.2: Algorithm 3 is randomized smoothing with repressed float paths."""

import torch

from reactivate.documents.thesis.small_networks import normal, random_dense, shown
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.paths import fixed_paths
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.sampling import count_votes

SIZES = (4, 16, 3)  # one hidden layer: a path has one hidden neuron
NETWORKS, COPIES, SIGMA = 40, 20, 0.5
FACTORS = (0.0, 0.05, 0.5)  # eta_2
ROUNDING = 1e-9


def algorithm3_represses() -> Judgement:
    """Section 6.4.3.2: the prediction smooths, and represses the value of float paths.

    With one hidden layer, the score of a noisy copy is ``Z^I + (1 - eta_2) Z^T``, paths being
    fixed or float between the input and the copy; with eta_2 = 0 the votes are those of the
    smoothed classifier.
    """
    stream = generator("thesis", "algorithm 3")
    error, smoothed = 0.0, 0
    for number in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x = normal((SIZES[0],), stream)
        noisy = x + SIGMA * normal((COPIES, SIZES[0]), stream)
        fixed = fixed_paths(network, x.expand_as(noisy), noisy)[1]
        for factor in FACTORS:
            scores = Repressed(network, factor).around(x)(noisy, lambda: torch.zeros(()))
            expected = fixed + (1 - factor) * (network(noisy) - fixed)
            error = max(error, float((scores - expected).abs().max()))
        votes = [
            count_votes(base, x, SIGMA, COPIES, ["algorithm 3", number])
            for base in (Plain(network), Repressed(network, 0.0))
        ]
        smoothed += votes[0] == votes[1]
    cases = NETWORKS * COPIES * len(FACTORS)
    return sampled(
        error < ROUNDING and smoothed == NETWORKS,
        f"{NETWORKS} random ReLU networks with one hidden layer, {COPIES} noisy copies and eta_2 "
        f"of {', '.join(map(str, FACTORS))}: the score is Z^I + (1 - eta_2) Z^T, largest error "
        f"{shown(error)}; with eta_2 = 0 the votes are those of the smoothed classifier in "
        f"{smoothed} of {NETWORKS}. In deeper networks a path has the factor once for each of its "
        "float neurons",
        cases=cases,
    )
