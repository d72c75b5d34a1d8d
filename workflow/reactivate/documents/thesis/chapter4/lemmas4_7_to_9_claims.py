"""Thesis, section 4.3: adjacent regions, fixed and float neurons (Lemmas 4, 7 to 9)."""

from itertools import product

import torch
from torch import Tensor

from reactivate.documents.shared.judging import judge
from reactivate.documents.thesis.examples import BALL, FOUR_LINES, VALLEY
from reactivate.documents.thesis.planar_regions import circle
from reactivate.documents.thesis.segments import pieces
from reactivate.documents.thesis.small_networks import (
    codes,
    column,
    dense,
    fixed,
    hidden,
    linear_maps,
    normal,
    random_dense,
)
from reactivate.evidence.judgement import Judgement
from reactivate.foundation.seeding import generator
from reactivate.patterns.regions import adjacent_regions, within

REACH = (-9.0, 9.0)  # of VALLEY's one input
FAR = 1e6
IMPLIED = dense(([[1.0], [1.0]], [0.0, 1.0]), ([[1.0, 1.0]], [0.0]))  # neurons x and x + 1
MEETING = 1.0  # where VALLEY's neuron (2,1) is 0
EPSILON = 0.1
SETS = 50


def printed_fixed(patterns: Tensor) -> Tensor:
    """``I^X`` as its formula prints it: there are two points with different patterns."""
    return (patterns.unsqueeze(0) != patterns.unsqueeze(1)).any(dim=0).any(dim=0)


def definition4() -> Judgement:
    """Definition 4: the formula of the fixed neurons against the sentence before it."""
    x, y, radius = BALL
    patterns = codes(FOUR_LINES, radius * circle(400) + torch.tensor([x, y]))
    said, printed = (
        [f"(1,{number + 1})" for number in torch.nonzero(rule(patterns)).flatten().tolist()]
        for rule in (fixed, printed_fixed)
    )
    return judge(
        said == printed,
        f"network and ball of Figure 4.5: {', '.join(said)} have one pattern in the ball, the "
        f"formula of the fixed neurons gives {', '.join(printed)}; both formulas are exchanged",
    )


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
    return judge(
        wrong == 0,
        f"{SETS} sets of 20 points in random ReLU networks with 20 neurons: {wrong} exceptions",
    )


def released_neurons() -> Judgement:
    """Section 4.3.3: a neuron without a constraint is a float neuron of the larger region."""
    x = torch.linspace(-100, 100, 2002, dtype=torch.float64).unsqueeze(1)
    patterns = codes(IMPLIED, x)
    held = torch.tensor([True, False])
    region = patterns[within(patterns, torch.tensor([1, 0], dtype=torch.int8), held)]
    return judge(
        not fixed(region)[1],
        "neurons x and x + 1: holding the first at 1 and releasing the second leaves x > 0, "
        "where the second is 1 everywhere: a fixed neuron",
    )


def lemma7() -> Judgement:
    """Lemma 7: adjacent regions differ in the pattern of exactly one neuron."""
    every = torch.tensor(list(product(range(3), repeat=3)), dtype=torch.int8)
    first, second = every.repeat_interleave(len(every), dim=0), every.repeat(len(every), 1)
    near = adjacent_regions(first, second)
    wrong = int(((first != second).sum(dim=1)[near] != 1).sum())
    return judge(
        wrong == 0,
        f"{int(near.sum())} of the {len(every)}^2 pairs of patterns of 3 neurons with 2 "
        f"breakpoints have one hyperplane between them: {wrong} exceptions",
    )


def lemma9() -> Judgement:
    """Lemma 9: adjacent regions come arbitrarily close to each other."""
    gaps = [
        (start - end, tuple(p.tolist()), tuple(q.tolist()))
        for (_, end, p), (start, _, q) in product(pieces(VALLEY, *REACH), repeat=2)
        if start >= end and adjacent_regions(p, q)
    ]
    gap, one, other = max(gaps)
    return judge(
        gap == 0,
        "ReLU network with the neurons x, x + 10 and, above them, |x| - 1: the regions "
        f"{one}, -10 < x < -1, and {other}, x > 1, differ in the neuron x only: adjacent by "
        f"Definition 2, but {gap:g} apart",
    )


def equation4_36() -> Judgement:
    """Eq. 4.36: steps along and against the gradient both make the neuron positive."""
    place = column(MEETING)
    slope = (hidden(VALLEY, place + 0.5) - hidden(VALLEY, place))[0, 2] / 0.5
    step = 0.9 * EPSILON / slope.abs() * slope / 2
    values = [hidden(VALLEY, place + s)[0, 2].item() for s in (step, -step)]
    return judge(
        all(value > 0 for value in values),
        f"neuron |x| - 1 at x = {MEETING:g}: {values[0]:+.3f} after a step of {step.item():.3f} "
        f"along the gradient, {values[1]:+.3f} against it; opposite signs, as Eq. 4.37 needs",
    )


def regions_compact() -> Judgement:
    """Proof of Lemma 4: regions are compact; of Theorem 2: their volume is bounded."""
    reached = torch.unique(codes(FOUR_LINES, FAR * circle(3600)), dim=0)
    lines = linear_maps(FOUR_LINES)[0].out_features
    return judge(
        len(reached) == 0,
        f"network of Figure 4.5: {len(reached)} of its {1 + lines + lines * (lines - 1) // 2} "
        f"regions reach a circle of radius {FAR:.0e}; and all regions are open sets",
    )
