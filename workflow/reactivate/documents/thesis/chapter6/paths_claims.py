"""Thesis, sections 4.4.2, 6.1 and 6.2: fixed and float paths (Lemma 12 and Theorem 8)."""

import torch
from torch import Tensor, nn
from torch.func import jacrev

from reactivate.documents.thesis.examples import BALL, FOUR_LINES
from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.small_networks import (
    codes,
    fixed,
    linear_maps,
    normal,
    random_dense,
    shown,
)
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import sampled
from reactivate.judging.judgement import Judgement

SIZES = (4, 8, 8, 3)
NETWORKS = 50
ROUNDING = 1e-9


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


def decompositions(term: str) -> float:
    """Largest error of a statement over random networks and pairs of inputs.

    Args:
        term: ``sum`` for f = Z^I + Z^T, ``fixed`` for Z^I under either pattern, ``difference``
            for the second statement of Theorem 8.
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
        }
        largest = max(largest, errors[term].abs().max().item())
    return largest


def theorem8_sum() -> Judgement:
    """Theorem 8, statement 1: the output is the sum of fixed and float paths."""
    return _no_error("sum")


def theorem8_difference() -> Judgement:
    """Theorem 8, statement 2: a linear step, and the float paths under both patterns."""
    return _no_error("difference")


def lemma12() -> Judgement:
    """Lemma 12: fixed paths have one value under the patterns of both inputs."""
    return _no_error("fixed")


def _no_error(term: str) -> Judgement:
    error = decompositions(term)
    found = f"error {shown(error)} in {NETWORKS} random ReLU networks, one pair of inputs each"
    return sampled(error < ROUNDING, found, cases=NETWORKS)


def bends() -> tuple[float, float, int]:
    """Distances of fixed and of float paths from affine maps in the ball of Figure 4.5.

    The last number is how many points of the ball they were measured at.
    """
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
    return sizes[0], sizes[1], len(points)


def fixed_paths_linear() -> Judgement:
    """Section 4.4.2: fixed paths are linear in the ball, float paths have all the rest."""
    steady, floating, points = bends()
    return sampled(
        steady < ROUNDING < floating,
        f"network and ball of Figure 4.5, {points} points: the nearest affine map is "
        f"{shown(steady)} from the fixed paths and {shown(floating)} from the float paths",
        cases=points,
    )
