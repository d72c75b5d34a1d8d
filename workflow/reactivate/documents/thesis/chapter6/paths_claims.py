"""Thesis, sections 4.4.2, 6.1 and 6.2: fixed and float paths (Lemmas 11, 12 and Theorem 8)."""

import torch
from torch import Tensor, nn
from torch.func import jacrev

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.examples import BALL, FOUR_LINES
from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.small_networks import (
    codes,
    column,
    dense,
    fixed,
    linear_maps,
    normal,
    random_dense,
    shown,
)
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator

SIZES = (4, 8, 8, 3)
NETWORKS = 50
ROUNDING = 1e-9
OFF = dense(([[1.0]], [-1.0]), ([[1.0]], [0.5]))  # relu(x - 1) + 0.5
OFF_AT = 0.0


def path_sum(network: nn.Sequential, x: Tensor, slopes: Tensor) -> Tensor:
    """Sum over all paths from inputs and biases to the outputs, ``(N, outputs)``.

    A path is worth what it starts with times the weights and slopes on its way; the slopes of a
    pattern are given, whatever pattern x has (Eq. 6.7).

    Args:
        network: ReLU layers.
        x: Inputs, ``(N, n)``.
        slopes: 0 or 1 of every hidden neuron, ``(neurons)`` or ``(N, neurons)``; 0 also removes
            a neuron's paths.
    """
    *below, last = linear_maps(network)
    parts = torch.split(slopes, [layer.out_features for layer in below], dim=-1)
    for layer, own in zip(below, parts, strict=True):
        x = own * layer(x)
    out: Tensor = last(x)
    return out


def printed_path_sum(network: nn.Sequential, x: Tensor, slopes: Tensor) -> Tensor:
    """Eq. 6.4 as printed: a bias skips the slope of its own neuron; the last has no bias."""
    *below, last = linear_maps(network)
    parts = torch.split(slopes, [layer.out_features for layer in below], dim=-1)
    for layer, own in zip(below, parts, strict=True):
        x = own * (x @ layer.weight.T) + layer.bias
    return x @ last.weight.T


def lemma11() -> Judgement:
    """Eq. 6.4: a network's output is a sum over paths."""
    x = column(OFF_AT)
    slopes = codes(OFF, x).double()
    printed, true = printed_path_sum(OFF, x, slopes).item(), OFF(x).item()
    return judge(
        abs(printed - true) < ROUNDING,
        f"relu(x - 1) + 0.5 at x = {OFF_AT:g}, where the neuron is off: {true:g}, Eq. 6.4 gives "
        f"{printed:g}; paths from a bias lack the slope of its own neuron, and the bias of the "
        "last layer is not summed",
    )


def decompositions(term: str) -> float:
    """Largest error of a statement over random networks and pairs of inputs.

    Args:
        term: ``sum`` for f = Z^I + Z^T, ``fixed`` for Z^I under either pattern, ``difference``
            for the second statement of Theorem 8, ``printed`` for it as Eq. 6.8 has it.
    """
    stream = generator("thesis", "theorem 8")
    largest = 0.0
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        x, y = normal((2, 1, SIZES[0]), stream)
        pattern, other = codes(network, x).double(), codes(network, y).double()
        keeps = fixed(torch.cat([pattern, other])).double()
        step = (x - y) @ jacrev(network)(x[0]).T  # J(x) (x - x')
        floating, there = (
            path_sum(network, y, p) - path_sum(network, y, p * keeps) for p in (pattern, other)
        )
        errors = {
            "sum": network(x) - path_sum(network, x, pattern),
            "fixed": path_sum(network, y, pattern * keeps) - path_sum(network, y, other * keeps),
            "difference": network(x) - network(y) - (step + floating - there),
            "printed": network(x) - network(y) - (step + floating - floating),
        }
        largest = max(largest, errors[term].abs().max().item())
    return largest


def theorem8_sum() -> Judgement:
    """Theorem 8, statement 1: the output is the sum of fixed and float paths."""
    error = decompositions("sum")
    return judge(error < ROUNDING, f"error {shown(error)} in {NETWORKS} random ReLU networks")


def theorem8_difference() -> Judgement:
    """Theorem 8, statement 2: a linear step, and the float paths under both patterns."""
    error = decompositions("difference")
    return judge(
        error < ROUNDING,
        f"error {shown(error)} in {NETWORKS} random ReLU networks, one pair of inputs each",
    )


def equation6_8() -> Judgement:
    """Eq. 6.8 and 5.22 have the pattern A twice in the last term."""
    error = decompositions("printed")
    return judge(
        error < ROUNDING,
        f"error up to {shown(error)} in {NETWORKS} random ReLU networks: the two last terms "
        "cancel; the second one has the pattern A', as the theorem states it",
    )


def lemma12() -> Judgement:
    """Lemma 12: fixed paths have one value under the patterns of both inputs."""
    error = decompositions("fixed")
    return judge(error < ROUNDING, f"error {shown(error)} in {NETWORKS} random ReLU networks")


def bends() -> tuple[float, float]:
    """Distances of fixed and of float paths from affine maps in the ball of Figure 4.5."""
    x, y, radius = BALL
    centre = torch.tensor([[x, y]], dtype=torch.float64)
    points = torch.cat([centre + share * radius * circle(60) for share in (0.3, 0.6, 1.0)])
    patterns = codes(FOUR_LINES, points).double()
    keeps = fixed(codes(FOUR_LINES, points)).double()
    steady = path_sum(FOUR_LINES, points, patterns * keeps)
    floating = path_sum(FOUR_LINES, points, patterns) - steady
    inputs = torch.cat([points, torch.ones(len(points), 1)], dim=1)
    sizes = []
    for values in (steady, floating):
        best = torch.linalg.lstsq(inputs, values).solution
        sizes.append((inputs @ best - values).abs().max().item())
    return sizes[0], sizes[1]


def fixed_paths_linear() -> Judgement:
    """Section 4.4.2: fixed paths are linear in the ball, float paths have all the rest."""
    steady, floating = bends()
    return judge(
        steady < ROUNDING < floating,
        "network and ball of Figure 4.5: the nearest affine map is "
        f"{shown(steady)} from the fixed paths and {shown(floating)} from the float paths",
    )


def float_paths_linear() -> Judgement:
    """Section 6.2.1: float paths are the linear part, fixed paths have all the non-linearity."""
    steady, floating = bends()
    return judge(
        floating < ROUNDING < steady,
        "network and ball of Figure 4.5: the nearest affine map is "
        f"{shown(floating)} from the float paths and {shown(steady)} from the fixed paths; the "
        "words are exchanged, section 4.4.2 has them right",
    )
