"""Thesis, section 6.1: what is said of fixed paths (Definitions 7 and 8), path by path."""

from itertools import product

import torch
from torch import Tensor, nn

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

SIZES = (3, 4, 4, 2)
NETWORKS, STEP = 20, 0.3
SHARES = (0.25, 0.5, 0.8)  # of the way between two inputs
ROUNDING = 1e-9

Path = tuple[int, ...]  # a neuron of every layer, from the input on (Definition 7)


def paths() -> list[Path]:
    """All paths from the inputs to the outputs, one neuron of every layer on each."""
    return list(product(*map(range, SIZES)))


def is_fixed(path: Path, keeps: Tensor) -> bool:
    """Whether all hidden neurons of a path are fixed, by a mask of the fixed ones."""
    layers = torch.split(keeps, list(SIZES[1:-1]))
    return all(bool(own[neuron]) for own, neuron in zip(layers, path[1:-1], strict=True))


def value(network: nn.Sequential, path: Path, x: Tensor, patterns: Tensor) -> Tensor:
    """Values of a path for inputs ``(N, n)`` with given patterns (Equation 6.7, ReLU).

    A pattern of ReLU, 0 or 1, is its slope.
    """
    slopes = torch.split(patterns.double(), list(SIZES[1:-1]), dim=1)
    worth = x[:, path[0]]
    for layer, weights in enumerate(linear_maps(network)):
        worth = worth * weights.weight[path[layer + 1], path[layer]]
        if layer < len(slopes):
            worth = worth * slopes[layer][:, path[layer + 1]]
    return worth


def fixed_path_is_linear() -> Judgement:
    """Section 6.1: the value of a fixed path in a set is linear there (ReLU)."""
    stream = generator("thesis", "definition 8")
    looked, error = 0, 0.0
    shares = torch.tensor([0.0, *SHARES, 1.0], dtype=torch.float64)
    for _ in range(NETWORKS):
        network = random_dense(SIZES, stream)
        start = normal((SIZES[0],), stream)
        end = start + STEP * normal((SIZES[0],), stream)
        region = torch.lerp(start, end, shares.unsqueeze(1))
        patterns = codes(network, region)
        keeps = fixed(patterns)
        for path in paths():
            if is_fixed(path, keeps):
                found = value(network, path, region, patterns)
                straight = torch.lerp(found[0], found[-1], shares)
                error, looked = max(error, float((found - straight).abs().max())), looked + 1
    return sampled(
        error < ROUNDING,
        f"{looked} fixed paths in sets of {len(shares)} points on a segment, {NETWORKS} random "
        f"ReLU networks: the largest departure from a linear function is {shown(error)}",
        cases=looked,
    )
