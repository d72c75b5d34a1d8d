"""Thesis, sections 4.2 and 4.3: what is said of patterns and regions beside Definitions 1 to 3."""

from collections.abc import Sequence
from itertools import product
from math import inf

import torch
from torch.func import jacrev, vmap

from reactivate.documents.thesis.small_networks import codes, normal, random_dense, shown
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import checked, proved, refuted, sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.breakpoints import ABSTAIN, encode
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.regions import same_region, within

Interval = tuple[float, float]  # open
SEPARATION = (-3.0, 3.0)  # of Figure 4.2, Sigmoid
EXAMPLE = {0: (-inf, -3.0), 1: (-3.0, 3.0), 2: (3.0, inf)}  # patterns of lines 1493 to 1497
SEPARATIONS = tuple(tuple(range(q)) for q in range(1, 5))  # breakpoints 0, 1, ..., q - 1
NETWORKS, POINTS, STEP = 20, 50, 0.05
ROUNDING = 1e-9


def interval(i: int, breakpoints: Sequence[float]) -> Interval:
    """``U_i`` of Definition 1.

    Example:
        >>> [interval(i, (0.0, 1.0)) for i in range(3)]
        [(-inf, 0.0), (0.0, 1.0), (1.0, inf)]
    """
    edges = (-inf, *breakpoints, inf)
    return edges[i], edges[i + 1]


def pattern_example() -> Judgement:
    """Section 4.2.2: patterns of a Sigmoid neuron that {-3, 3} separates, by Definition 1."""
    found = {i: interval(i, SEPARATION) for i in range(len(SEPARATION) + 1)}
    return checked(
        found == EXAMPLE,
        f"U_0, U_1, U_2 of Definition 1 with the breakpoints -3 and 3: {list(found.values())}",
        cases=len(EXAMPLE),
    )


def same_side() -> Judgement:
    """Section 4.2.2: two points of a region are on the same side of every bent hyperplane.

    ``z - gamma_k`` has one sign on an interval that no breakpoint is in, so that a number inside
    each interval stands for all of it.
    """
    wrong = cases = 0
    for breakpoints in SEPARATIONS:
        halves = [low - 0.5 for low in (*breakpoints, len(breakpoints))]  # one in each interval
        values = torch.tensor([*halves, *breakpoints], dtype=torch.float64)
        patterns = encode(values, breakpoints)
        for (z, one), (other, two) in product(zip(values, patterns, strict=True), repeat=2):
            together = bool(one == two != ABSTAIN)
            positive = all((z - point) * (other - point) > 0 for point in breakpoints)
            wrong += together != positive
            cases += 1
    if wrong:
        return refuted(f"{wrong} of {cases} pairs of numbers", cases)
    return proved(
        "z - gamma_k keeps its sign on an interval without breakpoints, and is not 0 there; of "
        f"{cases} pairs of intervals and breakpoints, 1 to {len(SEPARATIONS)} breakpoints, the "
        "products are positive for all k exactly where both numbers are in one interval"
    )


def components_share_pattern() -> Judgement:
    """Section 4.2.3: all points of a connected component have the same pattern.

    Layer by layer: the pre-activations are continuous where no hyperplane of a layer below is
    crossed, and keep their interval where none of their own is.
    """
    stream = generator("thesis", "components")
    apart = free = 0
    for _ in range(NETWORKS):
        network = random_dense((3, 8, 8, 1), stream)
        walk = SegmentWalk(network)
        starts = normal((POINTS, 3), stream)
        ends = starts + STEP * normal((POINTS, 3), stream)
        same = same_region(codes(network, starts), codes(network, ends))
        for start, end, together in zip(starts, ends, same.tolist(), strict=True):
            if len(walk.crossings(start, end).t) == 0:
                free += 1
                apart += not together
    return sampled(
        apart == 0,
        f"of {free} segments that meet no bent hyperplane in {NETWORKS} random ReLU networks "
        f"{apart} have ends with different patterns",
        cases=free,
    )


def linear_in_region() -> Judgement:
    """Sections 4.2.1 and 4.2.3: with a piecewise linear activation f is linear in a region."""
    stream = generator("thesis", "linear in a region")
    pairs, error = 0, 0.0
    for _ in range(NETWORKS):
        network = random_dense((2, 6, 6, 3), stream)
        x = normal((POINTS, 2), stream)
        others = x + STEP * normal((POINTS, 2), stream)
        same = same_region(codes(network, x), codes(network, others))
        x, others = x[same], others[same]
        steps = torch.einsum("nij,nj->ni", vmap(jacrev(network))(x), x - others)
        gaps = (network(x) - network(others) - steps).abs()
        error, pairs = max(error, float(gaps.max())), pairs + len(x)
    return sampled(
        error < ROUNDING,
        f"f(x) - f(x') = k (x - x'), k the Jacobian at x, for {pairs} pairs in one region of "
        f"{NETWORKS} random ReLU networks: largest error {shown(error)}",
        cases=pairs,
    )


def releasing_merges() -> Judgement:
    """Section 4.3.2: without the constraint on a neuron, regions are merged into a larger one.

    Those that differ in the neuron's pattern, and what separated them: the neuron's hyperplanes.
    """
    neurons, patterns = 3, 3
    places = torch.tensor(list(product(range(-1, patterns), repeat=neurons)), dtype=torch.int8)
    wrong = cases = 0
    for pattern in torch.tensor(list(product(range(patterns), repeat=neurons)), dtype=torch.int8):
        for released in range(neurons):
            rest = torch.tensor([n for n in range(neurons) if n != released])
            larger = within(places, pattern, rest)
            small = [pattern.clone() for _ in range(patterns)]
            for code, part in enumerate(small):
                part[released] = code
            merged = torch.stack([same_region(places, part) for part in small]).any(dim=0)
            border = within(places, pattern, rest) & (places[:, released] == ABSTAIN)
            wrong += int((larger != (merged | border)).sum())
            cases += len(places)
    return checked(
        wrong == 0,
        f"all patterns of {neurons} neurons with 2 breakpoints, each neuron released: {wrong} of "
        f"{cases} places are in the larger region and not in one of the merged ones, nor on a "
        "hyperplane between them, or the other way round",
        cases=cases,
    )
