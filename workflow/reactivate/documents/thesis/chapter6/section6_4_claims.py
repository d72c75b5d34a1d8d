"""Thesis, section 6.4: guarantees of smoothing and SCRFP-2 (Lemmas 13, 14, Theorems 9 to 12)."""

from math import exp, pi, sqrt

import torch
from scipy.special import ndtr
from torch import Tensor, nn
from torch.func import jacrev
from torch.nn.functional import cross_entropy, normalize

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.chapter6.paths_claims import path_sum
from reactivate.documents.thesis.chapter6.vote_shares import in_ball, vote_shares
from reactivate.documents.thesis.small_networks import (
    codes,
    column,
    dense,
    fixed,
    hidden,
    linear_maps,
    normal,
    random_dense,
    shown,
)
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.smoothing.bases import Plain, Repressed
from reactivate.smoothing.bounds import certified_radius, largest_radius, lower_bound

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
# A has relu(z + 1) + relu(1 - z) - 1.95 > 0; where it is asked the second neuron is off.
LOWERED = dense(([[1.0], [-1.0]], [1.0, 1.0]), ([[1.0, 1.0], [0.0, 0.0]], [-1.95, 0.0]))
LOWERED_AT = 1.1
# A has relu(z + 10) - relu(-z) - 9; where it is asked the second neuron is off.
RAISED = dense(([[1.0], [-1.0]], [10.0, 0.0]), ([[1.0, -1.0], [0.0, 0.0]], [-9.0, 0.0]))
RAISED_AT = 0.5
# relu(z) - relu(-z) = z: linear scores, and no float neuron in a ball without 0.
LINE = ([[1.0], [-1.0]], [0.0, 0.0])
STEEP = dense(LINE, ([[10.0, -10.0], [10.0, -10.0]], [1.0, 0.0]))  # 10 z + 1 and 10 z
STEEP_AT = 10.0
# With t = z - 10: A has 0.01, B has t and C has -t - 0.5.
THREE = dense(LINE, ([[0.0, 0.0], [1.0, -1.0], [-1.0, 1.0]], [0.01, -10.0, 9.5]))
# The same, but B loses 0.01 relu(t + 0.5): one float neuron.
THREE_BENT = dense(
    ([[1.0], [-1.0], [1.0]], [0.0, 0.0, -9.5]),
    ([[0.0, 0.0, 0.0], [1.0, -1.0, -0.01], [-1.0, 1.0, 0.0]], [0.01, -10.0, 9.5]),
)
BETWEEN, BESIDE = 10.0, 10.1  # A is ahead at the one, B at the other
RADIUS = 1.0  # of the ball around either
HINGE = dense(([[1.0]], [0.0]), ([[1.0]], [0.0]))  # relu(z)
HINGE_AT = 1.0
NETWORKS, SIZES, DIRECTIONS = 20, (3, 6, 6, 2), 50

# The largest radius with a certified accuracy above 0, and the highest average radius.
PRINTED_REACH = {
    "Tables 6.2 and 6.5": {0.125: 0.25, 0.25: 0.75, 0.5: 1.5},
    "Tables 6.4 and 6.6": {0.25: 0.75, 0.5: 1.5, 1.0: 3.0},
    "Table 6.3": {0.25: 0.438, 0.5: 0.714, 1.0: 0.924},
}


def theorem10_certificate() -> Judgement:
    """Theorems 10 and 12: SCRFP-2 keeps its class within the radius of the smoothed classifier."""
    plain = vote_shares(Plain(ANCHORED), CERTIFIED)[1]
    bases = [Repressed(ANCHORED, ETA2, variant) for variant in ("document", "authors_code")]
    here, here_twice = (vote_shares(base, CERTIFIED)[1] for base in bases)
    there, there_twice = (vote_shares(base, NEARBY)[0] for base in bases)
    radius = certified_radius(SIGMA, min(plain, here))
    sampled = certified_radius(SIGMA, lower_bound(int(plain * N), N, ALPHA))
    distance = NEARBY - CERTIFIED
    return judge(
        distance > radius or there < 0.5,
        f"ReLU network with 3 neurons, sigma {SIGMA:g}, eta_2 {ETA2:g}: at x = {CERTIFIED} class "
        f"B has probability {plain:.3f}, with SCRFP-2 {here:.3f} (in two passes {here_twice:.3f}),"
        f" so R = {radius:.3f} ({sampled:.3f} from {N} samples); at distance {distance:.4g} "
        f"SCRFP-2 predicts A with {there:.3f} ({there_twice:.3f}). Which neurons are float "
        "depends on the point, so the votes at two points are not those of one base classifier",
    )


def repression(network: nn.Sequential, x: float) -> tuple[float, float]:
    """Probability of class A without and with SCRFP-2."""
    return vote_shares(Plain(network), x)[0], vote_shares(Repressed(network, ETA2), x)[0]


def theorem10_probability() -> Judgement:
    """Eq. 6.23 and 6.42: repression raises p_A and lowers p_B."""
    plain, repressed = repression(LOWERED, LOWERED_AT)
    return judge(
        repressed > plain,
        f"ReLU network with 2 neurons at x = {LOWERED_AT:g}, sigma {SIGMA:g}, eta_2 {ETA2:g}: p_A "
        f"goes from {plain:.3f} to {repressed:.3f}; the float neuron speaks for A",
    )


def variance(p: float) -> float:
    """Variance of one vote."""
    return p * (1 - p)


def variance_rises() -> Judgement:
    """Section 6.4.4: repression increases the expectation of the vote and its variance."""
    plain, repressed = repression(RAISED, RAISED_AT)
    return judge(
        repressed > plain and variance(repressed) > variance(plain),
        f"where p_A goes from {plain:.3f} to {repressed:.3f}, the variance p (1 - p) of a vote "
        f"goes from {variance(plain):.3f} to {variance(repressed):.3f}: above 1/2 it falls when "
        "p rises; the proof of Theorem 12 says that it decreases",
    )


def variance_falls() -> Judgement:
    """Proof of Theorem 12: repression increases the expectation and decreases the variance."""
    plain, repressed = repression(LOWERED, LOWERED_AT)
    return judge(
        repressed > plain and variance(repressed) < variance(plain),
        f"ReLU network with 2 neurons at x = {LOWERED_AT:g}: p_A goes from {plain:.3f} to "
        f"{repressed:.3f}, the variance p (1 - p) of a vote from {variance(plain):.3f} to "
        f"{variance(repressed):.3f}",
    )


def lemma13() -> Judgement:
    """Lemma 13: under noise of uniform direction a fixed path keeps its value on average."""
    at = HINGE_AT
    value = HINGE(column(at)).item()
    mean = at * float(ndtr(at / SIGMA)) + SIGMA * exp(-((at / SIGMA) ** 2) / 2) / sqrt(2 * pi)
    return judge(
        abs(mean - value) < ROUNDING,
        f"relu(z) at z = {at:g} is fixed within distance {at:g} and worth {value:g}, but "
        f"{mean:.4f} on average under Gaussian noise of deviation {SIGMA:g}, which leaves the "
        "ball; it holds for noise that stays inside",
    )


def lemma13_inside() -> Judgement:
    """Lemma 13 for noise that stays where all paths are fixed."""
    stream = generator("thesis", "lemma 13")
    largest = 0.0
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x = normal((1, SIZES[0]), stream)
        directions = normalize(normal((DIRECTIONS, SIZES[0]), stream))
        # no pre-activation is steeper than all weights together
        slope = torch.stack([m.weight.norm() for m in linear_maps(network)]).clamp(min=1).prod()
        steps = directions * hidden(network, x).abs().min() / slope
        noisy = torch.cat([x + steps, x - steps])  # each direction as likely as its opposite
        mean = path_sum(network, noisy, codes(network, noisy).double()).mean(dim=0)
        largest = max(largest, (mean - network(x)[0]).abs().max().item())
    return judge(
        largest < ROUNDING,
        f"error {shown(largest)} in {NETWORKS} random ReLU networks, noise of uniform direction "
        "within which every neuron is fixed",
    )


def keeps_within(network: nn.Sequential, x: float) -> Tensor:
    """Tells for each neuron of the one hidden layer whether it is fixed in the ball."""
    return fixed(codes(network, column(x - RADIUS, x + RADIUS)))


def lemma14() -> Judgement:
    """Lemma 14: without float paths the smoothed classifier has the base classifier's accuracy."""
    floating = int((~keeps_within(THREE, BETWEEN)).sum())
    votes = vote_shares(Plain(THREE), BETWEEN, in_ball)
    winner = int(THREE(column(BETWEEN)).argmax())
    shares = ", ".join(f"{share:.3f} for {CLASSES[k]}" for k, share in enumerate(votes))
    return judge(
        floating > 0 or votes[winner] == max(votes),
        f"linear scores of three classes, {floating} float neurons within {RADIUS:g} of x = "
        f"{BETWEEN:g}: the network predicts {CLASSES[winner]}, noise that is uniform in that ball "
        f"votes {shares}. With two classes it holds",
    )


def theorem9() -> Judgement:
    """Theorem 9: where the Jacobian is steep, some input in the ball has another class."""
    first, second = STEEP(column(STEEP_AT))[0].tolist()
    bound = abs(first - second) / RADIUS  # there is no float path
    norm = torch.linalg.matrix_norm(jacrev(STEEP)(column(STEEP_AT)[0]), ord=2).item()
    points = torch.linspace(STEEP_AT - RADIUS, STEEP_AT + RADIUS, 21).tolist()
    least = min(vote_shares(Plain(STEEP), point)[0] for point in points)
    return judge(
        norm <= bound or least < 0.5,
        f"scores 10 z + 1 and 10 z at x = {STEEP_AT:g}, no float neuron within r = {RADIUS:g}: "
        f"the Jacobian has norm {norm:.2f}, more than {bound:g}, yet the first class has "
        f"probability {least:g} in all of the ball; the norm counts what scores have in common",
    )


def float_losses(label: int) -> tuple[float, float]:
    """Cross entropy of the float paths of :data:`THREE_BENT`, and of their mean under noise."""
    keeps = keeps_within(THREE_BENT, BESIDE).double()
    steps = torch.linspace(-8, 8, 16_001, dtype=torch.float64)
    weights = torch.softmax(-(steps**2) / 2, dim=0)
    points = (BETWEEN + SIGMA * steps).unsqueeze(1)
    pattern = codes(THREE_BENT, points).clamp(min=0).double()
    floating = path_sum(THREE_BENT, points, pattern) - path_sum(
        THREE_BENT, points, pattern * keeps
    )
    here, mean = floating[len(steps) // 2], weights @ floating
    target = torch.tensor(label)
    return cross_entropy(here, target).item(), cross_entropy(mean, target).item()


def theorem11() -> Judgement:
    """Theorem 11: where smoothing corrects an adversarial example, it lowers the float loss."""
    wrong, label = (int(THREE_BENT(column(x)).argmax()) for x in (BETWEEN, BESIDE))
    votes = vote_shares(Plain(THREE_BENT), BETWEEN)
    corrected = wrong != label and votes[label] == max(votes)
    own, smoothed = float_losses(label)
    return judge(
        not corrected or own > smoothed,
        f"three classes, label {CLASSES[label]}: at {BETWEEN:g} the network predicts "
        f"{CLASSES[wrong]}, smoothing {CLASSES[label]} ({votes[label]:.3f} of the votes against "
        f"{votes[wrong]:.3f}), though the loss of the float path is {own:.5f} and that of the "
        f"smoothed one {smoothed:.5f}; without any float path it is corrected too",
    )


def radius_caps() -> Judgement:
    """Tables 6.2 to 6.6: no radius is larger than n samples can prove."""
    caps = {sigma: largest_radius(sigma, N, ALPHA) for sigma in (0.125, 0.25, 0.5, 1.0)}
    beyond = [
        f"{where}: {reach:g} at sigma {sigma:g}"
        for where, reaches in PRINTED_REACH.items()
        for sigma, reach in reaches.items()
        if reach > caps[sigma]
    ]
    shares = ", ".join(f"{cap:.3f} at sigma {sigma:g}" for sigma, cap in caps.items())
    return judge(
        not beyond,
        f"{N} samples at alpha {ALPHA:g} certify at most sigma * {caps[1.0]:.4f}: {shares}; "
        f"printed beyond that: {'; '.join(beyond) or 'nothing'}",
    )
