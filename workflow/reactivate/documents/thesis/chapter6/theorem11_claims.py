"""Thesis, section 6.4: the float path of an example that smoothing corrects (Theorem 11)."""

from math import log
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from reactivate.documents.thesis.chapter6.paths_claims import path_sum
from reactivate.documents.thesis.chapter6.section6_4_claims import (
    CLASSES,
    ROUNDING,
    SIGMA,
    keeps_within,
)
from reactivate.documents.thesis.chapter6.vote_shares import vote_shares
from reactivate.documents.thesis.generic import nearby
from reactivate.documents.thesis.small_networks import codes, column, dense
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement
from reactivate.smoothing.bases import Plain

# With t = z - 10 and s = t - 0.01: the float path of B is a hat, 4 (relu(s + 0.8) - 2 relu(s) +
# relu(s - 0.8)), that of A is 0.01 (relu(s + 0.8) + relu(0.8 - s)), and C has none. Fixed paths
# and biases add 10 t - 3.4 to B, -0.006 to A and -t - 0.5 to C.
HAT = dense(
    ([[1.0], [-1.0], [1.0], [1.0], [1.0], [-1.0]], [0.0, 0.0, -9.21, -10.01, -10.81, 10.81]),
    (
        [
            [0.0, 0.0, 0.01, 0.0, 0.0, 0.01],
            [10.0, -10.0, 4.0, -8.0, 4.0, 0.0],
            [-1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        ],
        [-0.006, -103.4, 9.5],
    ),
)
ATTACKED, CLEAN = 10.0, 10.1  # x', where A is ahead, and x, where B is
NETWORKS = 4  # with weights near those of HAT, itself the first
NUDGE = 1e-4  # of these weights: scores of about 100 cancel


class FloatLosses(NamedTuple):
    """Cross entropy of a float path, and of what smoothing makes of it in five readings."""

    own: float
    mean: float  # its mean over the noise
    probability: float  # the mean of its probabilities
    votes: float  # its votes, read as probabilities or as scores, whichever loses less
    held: float  # its mean under the pattern of the input
    g: float  # the votes of the whole network, as line 3273 has it; as scores or probabilities


def float_losses(network: nn.Sequential, label: int, centre: float) -> FloatLosses:
    """Losses at :data:`ATTACKED`, of the neurons that are float in the ball around a centre."""
    keeps = keeps_within(network, centre).double()
    steps = torch.linspace(-8, 8, 16_001, dtype=torch.float64)
    weights = torch.softmax(-(steps**2) / 2, dim=0)
    points = (ATTACKED + SIGMA * steps).unsqueeze(1)
    target = torch.tensor(label)

    def floating(pattern: Tensor) -> Tensor:
        whole, rest = (path_sum(network, points, slopes) for slopes in (pattern, pattern * keeps))
        return whole - rest

    def loss(scores: Tensor) -> float:
        return cross_entropy(scores, target).item()

    def loss_of_votes(votes: Tensor) -> float:
        return min(loss(votes), -log(votes[label]))

    pattern = codes(network, points).clamp(min=0).double()
    paths = floating(pattern)
    middle = len(steps) // 2
    winners = nn.functional.one_hot(paths.argmax(dim=1), paths.shape[1]).double()
    return FloatLosses(
        own=loss(paths[middle]),
        mean=loss(weights @ paths),
        probability=-log(weights @ paths.softmax(dim=1)[:, label]),
        votes=loss_of_votes(weights @ winners),
        held=loss(weights @ floating(pattern[middle].expand_as(pattern))),
        g=loss_of_votes(torch.tensor(vote_shares(Plain(network), ATTACKED), dtype=torch.float64)),
    )


def corrected(network: nn.Sequential) -> tuple[int, int, bool]:
    """Classes of the network at x' and at x, and whether smoothing gives x' that of x."""
    wrong, label = (int(network(column(x)).argmax()) for x in (ATTACKED, CLEAN))
    votes = vote_shares(Plain(network), ATTACKED)
    return wrong, label, wrong != label and votes[label] == max(votes)


def theorem11() -> Judgement:
    """Theorem 11: where smoothing corrects an adversarial example, it lowers the float loss.

    In every reading of what smoothing makes of a float path, and of the ball: around x, or around
    x', as the primes that (6.35) lacks would have it.
    """
    against = 0
    networks = nearby(HAT, NETWORKS, generator("thesis", "theorem 11"), NUDGE)
    for network in networks:
        _, label, is_corrected = corrected(network)
        losses = [float_losses(network, label, centre) for centre in (CLEAN, ATTACKED)]
        against += is_corrected and all(own <= min(rest) + ROUNDING for own, *rest in losses)
    wrong, label, _ = corrected(HAT)
    votes = vote_shares(Plain(HAT), ATTACKED)
    found = float_losses(HAT, label, CLEAN)
    return sampled(
        against == 0,
        f"a float path shaped like a hat, three classes, label {CLASSES[label]}: at {ATTACKED:g} "
        f"the network predicts {CLASSES[wrong]}, smoothing {CLASSES[label]} ({votes[label]:.3f} "
        f"of the votes). The loss of the float path is {found.own:.3f}; that of the smoothed one "
        f"is {found.mean:.3f} read as its mean, {found.probability:.3f} as the mean of its "
        f"probabilities, {found.votes:.3f} as its votes, {found.held:.3f} as its mean under the "
        f"pattern of the input, and that of g, in the words of line 3273, {found.g:.3f}: in no "
        f"reading is it lower, for {against} of {len(networks)} networks with weights near these, "
        "whether the ball is around x or around x'",
        cases=len(networks),
    )
