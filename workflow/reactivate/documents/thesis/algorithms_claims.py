"""Thesis, Algorithms 1 and 2, Eq. 5.24 and the confidence of a certificate, run as printed."""

from math import log

import torch
from scipy.stats import binom
from torch import Tensor

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.small_networks import linear_maps, normal, random_dense
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.pruning.blends import importance
from reactivate.smoothing.bounds import lower_bound

ALPHA = 0.001  # sections 6.5.2 and 6.5.3
DRAWS, PROBABILITY = 400, 0.8
CONFIDENCE = ALPHA  # "with a confidence level of alpha", section 6.4.1
ACTIVATED = False  # whether line 11 of Algorithm 2 applies the activation
COUNTED = 0  # what line 19 of Algorithm 1 adds to the counter
SIGNED = True  # whether the prior score of Eq. 5.24 keeps the sign of the weight


def entropy_of_counter(patterns: list[int], step: int) -> float:
    """Lines 14 to 24 of Algorithm 1 for one neuron: counts of patterns, frequencies, entropy.

    Args:
        patterns: Of one neuron, for each image.
        step: What line 19 adds to the counter of the pattern that is seen.

    Example:
        >>> round(entropy_of_counter([0, 1], step=1), 4)
        0.6931
    """
    counter = dict.fromkeys(range(2), 0)
    for pattern in patterns:
        counter[pattern] = counter[pattern] + step
    shares = [count / len(patterns) for count in counter.values()]
    return sum(-share * log(share) for share in shares if 0 < share < 1)


def counter_counts() -> Judgement:
    """Algorithm 1, line 19: the counter of a pattern is updated when it is seen."""
    volatile, dead = [0, 1] * 8, [1] * 16
    as_printed = [entropy_of_counter(patterns, COUNTED) for patterns in (volatile, dead)]
    counted = [entropy_of_counter(patterns, 1) for patterns in (volatile, dead)]
    return judge(
        as_printed == counted,
        "a neuron that is active half the time and one that always is: entropies "
        f"{as_printed[0]:.2f} and {as_printed[1]:.2f} as printed (nothing is added), "
        f"{counted[0]:.2f} and {counted[1]:.2f} with 1 added",
    )


def prior_score() -> Judgement:
    """Eq. 5.24: the prior score of a parameter is W, and lower absolute values matter less."""
    weight = torch.tensor([-3.0, 0.1, 2.0])
    prior = weight if SIGNED else weight.abs()
    first, meant = int(prior.argmin()), int(importance(weight, weight, "weight").argmin())
    return judge(
        first == meant,
        f"of the weights {', '.join(f'{w:g}' for w in weight)} the score W has "
        f"{weight[first]:g} removed first, its absolute value {weight[meant]:g}",
    )


def training_pass(network: torch.nn.Sequential, x: Tensor, activated: bool) -> Tensor:
    """Lines 6 to 13 of Algorithm 2 without amplification (eta 1 = 0).

    Args:
        network: Linear layers with ReLU between them.
        x: Inputs.
        activated: Whether line 11 applies the activation.
    """
    *blocks, last = linear_maps(network)
    for block in blocks:
        z = block(x)
        x = z.relu() if activated else z
    out: Tensor = last(x)
    return out


def amplified_pass() -> Judgement:
    """Algorithm 2: with eta 1 = 0 nothing is amplified, so the pass is that of the network."""
    stream = generator("thesis", "algorithm2")
    network, x = random_dense((4, 16, 16, 3), stream), normal((20, 4), stream)
    found = training_pass(network, x, ACTIVATED)
    error = (found - network(x)).abs().max().item()
    middle = training_pass(network, x[:2].mean(dim=0, keepdim=True), ACTIVATED)
    bend = (found[:2].mean(dim=0) - middle).abs().max().item()
    return judge(
        error < 1e-9,
        f"random network with 2 x 16 neurons: line 11 gives outputs that differ from the "
        f"network's by up to {error:.2f}, and bend between two inputs by {bend:.0e}: without an "
        "activation the pass is linear",
    )


def coverage(p: float, draws: int, alpha: float) -> float:
    """Probability that the lower bound of a certificate is not above the true probability."""
    right = (k for k in range(draws + 1) if lower_bound(k, draws, alpha) <= p)
    return float(sum(binom.pmf(k, draws, p) for k in right))


def confidence_level() -> Judgement:
    """Section 6.4.1: the certificate holds with a confidence level of alpha."""
    holds = coverage(PROBABILITY, DRAWS, ALPHA)
    return judge(
        abs(holds - CONFIDENCE) < ALPHA,
        f"with alpha {ALPHA:g} and {DRAWS} draws of a class of probability {PROBABILITY:g} the "
        f"lower bound holds with probability {holds:.4f}, that is 1 - alpha at least",
    )
