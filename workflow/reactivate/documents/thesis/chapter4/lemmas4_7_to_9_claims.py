"""Thesis, section 4.3: adjacent regions, fixed and float neurons (Lemmas 4, 7 to 9)."""

from itertools import product

import torch

from reactivate.documents.thesis.examples import FOUR_LINES, VALLEY
from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.segments import pieces
from reactivate.documents.thesis.small_networks import (
    codes,
    dense,
    fixed,
    linear_maps,
    normal,
    random_dense,
)
from reactivate.foundation.seeding import generator
from reactivate.judging.exact import checked, sampled
from reactivate.judging.judgement import Judgement
from reactivate.patterns.regions import adjacent_regions, within

REACH = (-9.0, 9.0)  # of VALLEY's one input
FAR = 1e6
IMPLIED = dense(([[1.0], [1.0]], [0.0, 1.0]), ([[1.0, 1.0]], [0.0]))  # neurons x and x + 1
SETS = 50


def lemma8() -> Judgement:
    """Lemma 8: a set lies in the region of its fixed neurons; all others are float."""
    stream = generator("thesis", "lemma 8")
    wrong = 0
    for _ in range(SETS):
        network = random_dense((3, 10, 10, 1), stream)
        patterns = codes(network, normal((20, 3), stream))
        keeps = fixed(patterns)
        covered = within(patterns, patterns[0], keeps).all()
        floats = (patterns[:, ~keeps] != patterns[0, ~keeps]).any(dim=0).all()
        wrong += not bool(covered and floats)
    return sampled(
        wrong == 0,
        f"{SETS} sets of 20 points in random ReLU networks with 20 neurons: {wrong} exceptions",
        cases=SETS,
    )


def released_neurons() -> str:
    """Section 4.3.3: whether a neuron without a constraint is float, with and without merging."""
    x = torch.linspace(-100, 100, 2002, dtype=torch.float64).unsqueeze(1)
    patterns = codes(IMPLIED, x)
    first, second = (
        "fixed" if fixed(patterns[patterns[:, 1 - released] == 1])[released] else "float"
        for released in (0, 1)
    )
    return (
        f"neurons x and x + 1: where x + 1 > 0 is held the released neuron x is {first}, its "
        f"hyperplane crosses the region; where x > 0 is held nothing is merged, and the released "
        f"neuron x + 1 is {second}"
    )


def lemma7() -> Judgement:
    """Lemma 7: adjacent regions differ in the pattern of exactly one neuron."""
    every = torch.tensor(list(product(range(3), repeat=3)), dtype=torch.int8)
    first, second = every.repeat_interleave(len(every), dim=0), every.repeat(len(every), 1)
    near = adjacent_regions(first, second)
    wrong = int(((first != second).sum(dim=1)[near] != 1).sum())
    return checked(
        wrong == 0,
        f"{int(near.sum())} of the {len(every)}^2 pairs of patterns of 3 neurons with 2 "
        f"breakpoints have one hyperplane between them: {wrong} exceptions",
        cases=len(first),
    )


def lemma9() -> Judgement:
    """Lemma 9: adjacent regions come arbitrarily close to each other."""
    gaps = [
        (start - end, tuple(p.tolist()), tuple(q.tolist()))
        for (_, end, p), (start, _, q) in product(pieces(VALLEY, *REACH), repeat=2)
        if start >= end and adjacent_regions(p, q)
    ]
    gap, one, other = max(gaps)
    return sampled(
        gap == 0,
        "ReLU network with the neurons x, x + 10 and, above them, |x| - 1: the regions "
        f"{one}, -10 < x < -1, and {other}, x > 1, differ in the neuron x only: adjacent by "
        f"Definition 2, but {gap:g} apart, as with all weights nearby. For regions that share a "
        "boundary, as lines 1781 and 1788 have in mind, the lemma is true; what fails is that "
        "Definition 2 implies it",
        cases=len(gaps),
    )


def unbounded_regions() -> str:
    """Proofs of Lemma 4 and Theorem 2: how many regions of Figure 4.5's network are unbounded."""
    reached = torch.unique(codes(FOUR_LINES, FAR * circle(3600)), dim=0)
    lines = linear_maps(FOUR_LINES)[0].out_features
    return (
        f"{len(reached)} of the {1 + lines + lines * (lines - 1) // 2} regions of Figure 4.5's "
        f"network reach a circle of radius {FAR:.0e}; inputs between 0 and 1 leave a bounded part "
        "of each"
    )
