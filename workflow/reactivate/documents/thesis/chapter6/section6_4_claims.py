"""Thesis, section 6.4: guarantees of smoothing and SCRFP-2 (Lemmas 13, 14, Theorems 9 to 12)."""

from math import log

import torch
from torch import Tensor, nn
from torch.func import jacrev
from torch.nn.functional import cross_entropy

from reactivate.documents.thesis.chapter6.paths_claims import path_sum
from reactivate.documents.thesis.chapter6.vote_shares import in_ball, vote_shares
from reactivate.documents.thesis.small_networks import (
    codes,
    column,
    dense,
    fixed,
    normal,
    random_dense,
    shown,
)
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import proved, refuted, sampled
from reactivate.judging.judgement import Judgement
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.bounds import certified_radius, lower_bound

ETA2, SIGMA, N, ALPHA = 0.1, 1.0, 10_000, 0.001
ROUNDING = 1e-9
CLASSES = "ABC"

# A has -1.5 (0.5 - z) left of 0.5 if all neurons count, and 0.5 (0.5 - z) if the first one counts
# 0.9; right of 0.5 the first one is off, and A is ahead from z = 1.34 on. B has 0 everywhere.
ANCHORED = dense(
    ([[-1.0], [-1.0], [1.0]], [0.5, 0.6, 9.5]),
    ([[-20.0, 21.0, 2.5], [0.0, 0.0, 0.0]], [-27.1, 0.0]),
)
CERTIFIED, NEARBY = 0.4999, 0.5000005  # on at the one are all neurons, at the other not the first
# A has relu(z + 1) + relu(1 - z) - 1.95 > 0, B has 4 relu(z - 1.5); where they are asked only the
# first neuron is on.
LOWERED = dense(
    ([[1.0], [-1.0], [1.0]], [1.0, 1.0, -1.5]), ([[1.0, 1.0, 0.0], [0.0, 0.0, 4.0]], [-1.95, 0.0])
)
LOWERED_AT = 1.1
# relu(z) - relu(-z) = z: linear scores, and no float neuron in a ball without 0.
LINE = ([[1.0], [-1.0]], [0.0, 0.0])
STEEP = dense(LINE, ([[10.0, -10.0], [10.0, -10.0]], [1.0, 0.0]))  # 10 z + 1 and 10 z
STEEP_AT = 10.0
POINTS = 21  # of the ball, at which the smoothed classifier is asked
# With t = z - 10: A has 0.01, B has t and C has -t - 0.5.
THREE = dense(LINE, ([[0.0, 0.0], [1.0, -1.0], [-1.0, 1.0]], [0.01, -10.0, 9.5]))
# The same, but B loses 0.01 relu(t + 0.5): one float neuron.
THREE_BENT = dense(
    ([[1.0], [-1.0], [1.0]], [0.0, 0.0, -9.5]),
    ([[0.0, 0.0, 0.0], [1.0, -1.0, -0.01], [-1.0, 1.0, 0.0]], [0.01, -10.0, 9.5]),
)
BETWEEN, BESIDE = 10.0, 10.1  # A is ahead at the one, B at the other
RADIUS = 1.0  # of the ball around either
NETWORKS, SIZES, DIRECTIONS = 20, (3, 6, 6, 2), 50


def theorem10_certificate() -> Judgement:
    """Theorems 10 and 12: SCRFP-2 keeps its class within the radius of the smoothed classifier."""
    plain = vote_shares(Plain(ANCHORED), CERTIFIED)[1]
    bases = [Repressed(ANCHORED, ETA2, variant) for variant in ("document", "authors_code")]
    here, here_twice = (vote_shares(base, CERTIFIED)[1] for base in bases)
    there, there_twice = (vote_shares(base, NEARBY)[0] for base in bases)
    radius = certified_radius(SIGMA, min(plain, here))
    estimated = certified_radius(SIGMA, lower_bound(int(plain * N), N, ALPHA))
    distance = NEARBY - CERTIFIED
    return sampled(
        distance > radius or there < 0.5,
        f"ReLU network with 3 neurons, sigma {SIGMA:g}, eta_2 {ETA2:g}: at x = {CERTIFIED} class "
        f"B has probability {plain:.3f}, with SCRFP-2 {here:.3f} (in two passes {here_twice:.3f}),"
        f" so R = {radius:.3f} ({estimated:.3f} from {N} samples); at distance {distance:.4g} "
        f"SCRFP-2 predicts A with {there:.3f} ({there_twice:.3f}). Which neurons are float "
        "depends on the point, so the votes at two points are not those of one base classifier",
        cases=1,
    )


def repression(network: nn.Sequential, x: float) -> tuple[float, float]:
    """Probability of class A without and with SCRFP-2."""
    return vote_shares(Plain(network), x)[0], vote_shares(Repressed(network, ETA2), x)[0]


def theorem10_probability() -> Judgement:
    """Eq. 6.23 and 6.42: where f predicts A, repression raises p_A and lowers p_B."""
    winner = CLASSES[int(LOWERED(column(LOWERED_AT)).argmax())]
    plain, repressed = repression(LOWERED, LOWERED_AT)
    return sampled(
        winner != "A" or repressed > plain,
        f"ReLU network with 3 neurons that predicts {winner} at x = {LOWERED_AT:g}, sigma "
        f"{SIGMA:g}, eta_2 {ETA2:g}: p_A goes from {plain:.3f} to {repressed:.3f} and p_B from "
        f"{1 - plain:.3f} to {1 - repressed:.3f}, since a float neuron speaks for A",
        cases=1,
    )


def lemma13() -> Judgement:
    """Lemma 13: under noise of uniform direction a fixed path keeps its value on average.

    The value of a path is that of Eq. 6.7, under a given pattern, and the direction is uniform
    given the length of the noise, as the proof has it. Noise is drawn at the input and after
    every hidden layer, of any length.
    """
    stream = generator("thesis", "lemma 13")
    largest = 0.0
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x = normal((1, SIZES[0]), stream)
        for start in range(0, len(network), 2):
            above = nn.Sequential(*list(network)[start:])  # the part that the noise passes
            reached = nn.Sequential(*list(network)[:start])(x)
            slopes = codes(network, x)[0, sum(SIZES[1 : 1 + start // 2]) :].double()
            noise = normal((DIRECTIONS, reached.shape[1]), stream)
            # each direction is as likely as its opposite
            noisy = torch.cat([reached + noise, reached - noise])
            error = path_sum(above, noisy, slopes).mean(dim=0) - network(x)[0]
            largest = max(largest, error.abs().max().item())
    found = (
        f"error {shown(largest)} in {NETWORKS} random ReLU networks with noise of any length at "
        "every layer; under a given pattern (Equation 6.7) a path is an affine function, and "
        "noise whose direction is uniform given its length has mean 0"
    )
    return proved(found) if largest < ROUNDING else refuted(found)


def keeps_within(network: nn.Sequential, x: float) -> Tensor:
    """Tells for each neuron of the one hidden layer whether it is fixed in the ball."""
    return fixed(codes(network, column(x - RADIUS, x + RADIUS)))


def lemma14() -> str:
    """Lemma 14 for data of bounded support: the votes of three classes without float paths."""
    floating = int((~keeps_within(THREE, BETWEEN)).sum())
    votes = vote_shares(Plain(THREE), BETWEEN, in_ball)
    winner = int(THREE(column(BETWEEN)).argmax())
    shares = ", ".join(f"{share:.3f} for {CLASSES[k]}" for k, share in enumerate(votes))
    return (
        f"linear scores of three classes, {floating} float neurons within {RADIUS:g} of x = "
        f"{BETWEEN:g}: the network predicts {CLASSES[winner]}, noise that is uniform in that ball "
        f"votes {shares}"
    )


def theorem9() -> Judgement:
    """Theorem 9: where the Jacobian is steep, some input in the ball has another class."""
    first, second = STEEP(column(STEEP_AT))[0].tolist()
    bound = abs(first - second) / RADIUS  # there is no float path
    norm = torch.linalg.matrix_norm(jacrev(STEEP)(column(STEEP_AT)[0]), ord=2).item()
    points = torch.linspace(STEEP_AT - RADIUS, STEEP_AT + RADIUS, POINTS).tolist()
    least = min(vote_shares(Plain(STEEP), point)[0] for point in points)
    return sampled(
        norm <= bound or least < 0.5,
        f"scores 10 z + 1 and 10 z at x = {STEEP_AT:g}, no float neuron within r = {RADIUS:g}: "
        f"the Jacobian has norm {norm:.2f}, more than {bound:g}, yet the first class has "
        f"probability {least:g} in all of the ball; the norm counts what scores have in common",
        cases=POINTS,
    )


def float_losses(label: int) -> tuple[float, float, float]:
    """Cross entropy of the float paths of :data:`THREE_BENT`, of their mean, and of their votes.

    The votes are those of the noisy float paths, with ties for the label and the rest divided as
    favourably as can be, read as scores or as probabilities, whichever loses less.
    """
    keeps = keeps_within(THREE_BENT, BESIDE).double()
    steps = torch.linspace(-8, 8, 16_001, dtype=torch.float64)
    weights = torch.softmax(-(steps**2) / 2, dim=0)
    points = (BETWEEN + SIGMA * steps).unsqueeze(1)
    pattern = codes(THREE_BENT, points).clamp(min=0).double()
    floating = path_sum(THREE_BENT, points, pattern) - path_sum(
        THREE_BENT, points, pattern * keeps
    )
    target = torch.tensor(label)
    here, mean = floating[len(steps) // 2], weights @ floating
    wins = floating[:, label] >= floating.max(dim=1).values - ROUNDING
    share = float(weights @ wins.double())
    votes = torch.full_like(mean, (1 - share) / 2).index_fill(0, target, share)
    as_votes = min(cross_entropy(votes, target).item(), -log(share))
    return cross_entropy(here, target).item(), cross_entropy(mean, target).item(), as_votes


def theorem11() -> Judgement:
    """Theorem 11: where smoothing corrects an adversarial example, it lowers the float loss.

    What smoothing makes of a float path is read as its mean, and as its votes.
    """
    wrong, label = (int(THREE_BENT(column(x)).argmax()) for x in (BETWEEN, BESIDE))
    votes = vote_shares(Plain(THREE_BENT), BETWEEN)
    corrected = wrong != label and votes[label] == max(votes)
    own, mean, as_votes = float_losses(label)
    return sampled(
        not corrected or own > min(mean, as_votes),
        f"three classes, label {CLASSES[label]}: at {BETWEEN:g} the network predicts "
        f"{CLASSES[wrong]}, smoothing {CLASSES[label]} ({votes[label]:.3f} of the votes against "
        f"{votes[wrong]:.3f}), though the loss of the float path is {own:.5f} and that of the "
        f"smoothed one {mean:.5f} as a mean, {as_votes:.5f} or more as votes; without any float "
        "path it is corrected too",
        cases=1,
    )
