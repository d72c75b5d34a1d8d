"""Thesis, section 6.4: guarantees of smoothing and SCRFP-2 (Lemmas 13, 14, Theorems 9 to 12)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.func import jacrev

from reactivate.documents.thesis.chapter6.paths_claims import path_sum
from reactivate.documents.thesis.chapter6.vote_shares import in_ball, vote_shares
from reactivate.documents.thesis.generic import nearby
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
BETWEEN = 10.0  # where A is ahead
RADIUS = 1.0  # of the ball around an input
NETWORKS, SIZES, DIRECTIONS = 20, (3, 6, 6, 2), 50
NEARBY_NETWORKS = 4  # with weights near those of an example, itself the first
DRAWN, DRAWN_SIZES = 200, (1, 8, 3)  # random networks, of which the votes are compared


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


def tendency() -> tuple[int, int]:
    """Random networks in which repression lowers, and raises, the vote for the class of f."""
    stream = generator("thesis", "theorem 10, random networks")
    lowered = raised = 0
    for _ in range(DRAWN):
        network = random_dense(DRAWN_SIZES, stream, bias=1.0)
        x = normal((1,), stream).item()
        winner = int(network(column(x)).argmax())
        plain, repressed = (
            vote_shares(base, x)[winner] for base in (Plain(network), Repressed(network, ETA2))
        )
        lowered += repressed < plain - ROUNDING
        raised += repressed > plain + ROUNDING
    return lowered, raised


def theorem10_probability() -> Judgement:
    """Eq. 6.23 and 6.42: where f predicts A, repression raises p_A and lowers p_B."""
    winner = CLASSES[int(LOWERED(column(LOWERED_AT)).argmax())]
    plain, repressed = repression(LOWERED, LOWERED_AT)
    lowered, raised = tendency()
    neurons, classes = DRAWN_SIZES[1:]
    return sampled(
        (winner != "A" or repressed > plain) and lowered == 0,
        f"{'the tendency is as stated: ' if raised > lowered else ''}of {DRAWN} random ReLU "
        f"networks with {neurons} neurons and "
        f"{classes} classes, sigma {SIGMA:g}, eta_2 {ETA2:g}, repression raises the probability "
        f"of the class that f predicts in {raised}; but it lowers it in {lowered}. One with 3 "
        f"neurons that predicts {winner} at x = {LOWERED_AT:g}: p_A goes from {plain:.3f} to "
        f"{repressed:.3f} and p_B from {1 - plain:.3f} to {1 - repressed:.3f}, since a float "
        "neuron speaks for A",
        cases=DRAWN + 1,
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


class Slope(NamedTuple):
    """What Theorem 9 speaks of, around one input."""

    norm: float  # of the Jacobian
    bound: float  # that it must exceed
    floating: int  # neurons
    vote: float  # least one for the class of the input in the ball


def slope_and_votes(network: nn.Sequential) -> Slope:
    """The Jacobian of a network without float paths, the margin, and the votes in the ball."""
    first, second = network(column(STEEP_AT))[0].tolist()
    points = torch.linspace(STEEP_AT - RADIUS, STEEP_AT + RADIUS, POINTS).tolist()
    return Slope(
        torch.linalg.matrix_norm(jacrev(network)(column(STEEP_AT)[0]), ord=2).item(),
        abs(first - second) / RADIUS,
        int((~keeps_within(network, STEEP_AT)).sum()),
        min(vote_shares(Plain(network), point)[0] for point in points),
    )


def theorem9() -> Judgement:
    """Theorem 9: where the Jacobian is steep, some input in the ball has another class."""
    networks = nearby(STEEP, NEARBY_NETWORKS, generator("thesis", "theorem 9"))
    found = [slope_and_votes(network) for network in networks]
    against = [s for s in found if s.norm > s.bound and not s.floating and s.vote > 0.5]
    one, least = found[0], min(s.vote for s in found)
    return sampled(
        not against,
        f"scores 10 z + 1 and 10 z at x = {STEEP_AT:g}, {one.floating} float neurons within r = "
        f"{RADIUS:g}: the Jacobian has norm {one.norm:.2f}, more than {one.bound:g}, yet the "
        f"first class has probability {one.vote:g} in all of the ball, and {least:.3f} or more "
        f"with weights nearby: against the theorem are {len(against)} of {len(found)} networks. "
        "The norm counts what scores have in common",
        cases=len(found) * POINTS,
    )
