"""Counter-examples to the thesis' statements, once more: by hand, in exact arithmetic."""

from fractions import Fraction
from itertools import pairwise, product
from math import comb, log, prod

import numpy as np
import pytest
import sympy
import torch
from reactivate.documents.thesis.chapter3 import theorem1_claims as thesis_updates
from reactivate.documents.thesis.chapter4 import lemmas1_to_3_claims as thesis_regions
from reactivate.documents.thesis.chapter4 import lemmas4_7_to_9_claims as thesis_neighbours
from reactivate.documents.thesis.chapter5 import entropy_claims as thesis_entropy
from reactivate.documents.thesis.chapter5 import theorem4_claims
from reactivate.documents.thesis.chapter5 import theorems5_to_7_claims as thesis_expressivity
from reactivate.documents.thesis.chapter5 import transitions_claims as thesis_transitions
from reactivate.documents.thesis.chapter6 import paths_claims as thesis_paths
from reactivate.documents.thesis.chapter6 import theorem11_claims as thesis_float_path
from reactivate.documents.thesis.examples import EIGHT_NEURONS, FOUR_LINES, INPUTS, VALLEY
from reactivate.documents.thesis.planar_regions import rectangle, regions
from reactivate.documents.thesis.small_networks import (
    codes,
    column,
    linear_maps,
    normal,
    random_dense,
)
from reactivate.foundation.seeding import generator

THIRD = Fraction(1, 3)


def relu(z):
    return max(z, Fraction(0))


def exact(network):
    """Weights and biases as fractions: the decimals that were written down."""
    return [
        (
            [[Fraction(str(w)) for w in row] for row in layer.weight.tolist()],
            [Fraction(str(b)) for b in layer.bias.tolist()],
        )
        for layer in linear_maps(network)
    ]


def forward(network, point):
    """Patterns of all hidden neurons and the outputs, in fractions."""
    values, signs = [Fraction(str(v)) for v in point], []
    *below, last = exact(network)
    for weights, biases in below:
        z = [
            sum(w * v for w, v in zip(row, values, strict=True)) + b
            for row, b in zip(weights, biases, strict=True)
        ]
        signs += [-1 if v == 0 else int(v > 0) for v in z]
        values = [relu(v) for v in z]
    outputs = [
        sum(w * v for w, v in zip(row, values, strict=True)) + b
        for row, b in zip(*last, strict=True)
    ]
    return tuple(signs), outputs


def scan(network, start, end, steps):
    """Patterns met on a segment, in order, without repetitions; points on hyperplanes are left."""
    met = []
    for k in range(steps + 1):
        point = [
            Fraction(str(a)) + Fraction(k, steps) * (Fraction(str(b)) - Fraction(str(a)))
            for a, b in zip(start, end, strict=True)
        ]
        pattern = forward(network, point)[0]
        if -1 not in pattern and (not met or met[-1] != pattern):
            met.append(pattern)
    return met


def test_theorem1_in_fractions():
    updates = [2 * (w - 3) for w in map(Fraction, (1, 2))]  # of (w - 3)^2
    assert updates == [thesis_updates.update(w) for w in thesis_updates.WEIGHTS] == [-4, -2]
    assert updates[0] / 1 != updates[1] / 2


def test_lemma3_tanh_to_fifty_digits():
    def pattern(x, y):
        top = 10 * (sympy.tanh(x) + sympy.tanh(y) + sympy.Rational("0.39")) + 1
        return tuple(sum(bool(sympy.N(z - edge, 50) > 0) for edge in (-1, 1)) for z in (x, y, top))

    (a, b), (c, d) = (map(sympy.Rational, map(str, end)) for end in thesis_regions.BENT_ENDS)
    assert pattern(a, b) == pattern(c, d) == (1, 1, 2)
    assert pattern((a + c) / 2, (b + d) / 2) == (1, 1, 1)


def test_valley_is_the_absolute_value_less_one():
    for k in range(-90, 91):
        x = Fraction(k, 10)
        signs, _ = forward(VALLEY, [x])
        top = abs(x) - 1
        assert signs[2] == (-1 if top == 0 else int(top > 0))


def test_valley_crosses_one_hyperplane_twice_and_has_distant_adjacent_regions():
    met = scan(VALLEY, [-2], [2], 400)
    assert met == [(0, 1, 1), (0, 1, 0), (1, 1, 0), (1, 1, 1)]
    assert sum(a[2] != b[2] for a, b in pairwise(met)) == 2
    transitions, common = len(met) - 1, sum(a == b for a, b in zip(met[0], met[-1], strict=True))
    assert (transitions, common, 3) == thesis_transitions.measured(
        VALLEY, *column(*thesis_transitions.ACROSS).unsqueeze(1)
    )
    # the first and the last pattern differ in one neuron, their regions end at -1 and begin at 1
    ends = [
        b for a, b, p in thesis_neighbours.pieces(VALLEY, -9.0, 9.0) if p.tolist() == [0, 1, 1]
    ]
    starts = [
        a for a, b, p in thesis_neighbours.pieces(VALLEY, -9.0, 9.0) if p.tolist() == [1] * 3
    ]
    assert (ends, starts) == ([-1.0], [1.0])


def test_theorem3_expectations_by_scanning():
    def expectations(points):
        found = [scan(VALLEY, [a], [b], 997) for a, b in product(points, repeat=2)]
        common = [sum(a == b for a, b in zip(m[0], m[-1], strict=True)) for m in found]
        return Fraction(sum(len(m) - 1 for m in found), 4), Fraction(sum(common), 12)

    for points, known in (
        (thesis_transitions.FEWER, (1, 2 * THIRD)),
        (thesis_transitions.MORE, (Fraction(3, 2), Fraction(5, 6))),
    ):
        assert expectations(points) == known
        assert thesis_transitions.expected(VALLEY, points) == pytest.approx(
            tuple(map(float, known))
        )


def test_figure5_1_inputs_differ_in_neuron_1_4_only():
    first, last = scan(EIGHT_NEURONS, *INPUTS, 1009)  # one transition
    assert [j for j, (a, b) in enumerate(zip(first, last, strict=True)) if a != b] == [3]


def test_union_constant_squared_in_fractions():
    a, b = (Fraction(1), Fraction(0)), (Fraction(4, 5), Fraction(3, 5))

    def squared(on_a, on_b):
        return sum((2 * on_b * v - on_a * u) ** 2 for u, v in zip(a, b, strict=True))

    crossed = scan(theorem4_claims.SLANTED, *theorem4_claims.SLANTED_ENDS, 997)
    assert crossed == [(0, 0), (1, 0), (1, 1)]
    assert max(squared(*pattern) for pattern in crossed) == Fraction(9, 5) < squared(0, 1) == 4


@pytest.mark.parametrize("lines", range(1, 7))
def test_lines_in_general_position_make_the_known_number_of_regions(lines):
    network = random_dense((2, lines, 1), generator("test", lines))
    found = regions(network, rectangle(-1e4, 1e4))
    assert len(found) == 1 + lines + comb(lines, 2)


@pytest.mark.parametrize("network", [FOUR_LINES, EIGHT_NEURONS], ids=["4_5", "5_1"])
def test_polygons_are_the_patterns_of_a_grid(network):
    parts = regions(network, rectangle(-2.0, 2.0))
    assert sum(part.area for part in parts) == pytest.approx(16)
    assert len({part.pattern for part in parts}) == len(parts)  # regions of ReLU are connected
    axis = (torch.arange(400, dtype=torch.float64) + 0.4142) / 100 - 2  # on no line
    found, counts = torch.unique(
        codes(network, torch.cartesian_prod(axis, axis)), dim=0, return_counts=True
    )
    areas = {part.pattern: part.area for part in parts}
    assert {tuple(p) for p in found.tolist()} <= set(areas)
    for pattern, count in zip(found.tolist(), counts.tolist(), strict=True):
        assert count / 10_000 == pytest.approx(areas[tuple(pattern)], abs=0.05)


def test_steepness_of_a_region_is_the_norm_of_its_jacobian():
    network = random_dense((2, 6, 6, 3), generator("test", "steepness"))
    for part in regions(network, rectangle(-1.0, 1.0)):
        middle = part.corners.mean(dim=0)
        jacobian = torch.func.jacrev(network)(middle)
        assert part.steepness == pytest.approx(torch.linalg.matrix_norm(jacobian, ord=2).item())


def part_of(corners, row, bias, sign):
    """The part of a polygon on one side of a line, in fractions."""
    values = [sign * (row[0] * x + row[1] * y + bias) for x, y in corners]
    kept = []
    for (here, there), (a, b) in zip(
        zip(corners, corners[1:] + corners[:1], strict=True),
        zip(values, values[1:] + values[:1], strict=True),
        strict=True,
    ):
        kept += [here] if a > 0 else []
        if a * b < 0:
            kept.append(tuple(p + a / (a - b) * (q - p) for p, q in zip(here, there, strict=True)))
    return kept


def area(corners):
    around = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum(a * d - b * c for (a, b), (c, d) in around)) / 2


@pytest.mark.parametrize("name", ["STRIPS", "CROSSES"])
def test_shares_of_a_square_behind_theorem6_in_fractions(name):
    network = getattr(thesis_expressivity, name)
    shares = {}
    for signs in product((-1, 1), repeat=3):
        corners = [tuple(map(Fraction, corner)) for corner in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for row, bias, sign in zip(*exact(network)[0], signs, strict=True):
            corners = part_of(corners, row, bias, sign)
        shares[signs] = area(corners) / 4
    assert sum(shares.values()) == 1
    on = [sum(share for signs, share in shares.items() if signs[j] > 0) for j in range(3)]
    entropy = -sum(float(p) * log(p) for q in on for p in (q, 1 - q))
    known = (entropy, sum(s > 0 for s in shares.values()), sum(s**2 for s in shares.values()))
    assert thesis_expressivity.on_square(network) == pytest.approx(tuple(map(float, known)))


@pytest.mark.parametrize(
    ("more", "less"), [thesis_expressivity.AS_PRINTED, thesis_expressivity.AS_MEANT]
)
def test_entropy_and_similarity_behind_theorem7(more, less):
    def final_metrics(on):
        shares = [(sympy.Rational(str(p)), 1 - sympy.Rational(str(p))) for p in on]
        entropy = sum(-s * sympy.log(s) for pair in shares for s in pair if s) / len(on)
        return sympy.N(entropy, 30), sum(s**2 for pair in shares for s in pair) / len(on)

    for on in (more, less):
        assert thesis_expressivity.of_neurons(on) == pytest.approx(
            [float(v) for v in final_metrics(on)]
        )
    assert final_metrics(more)[0] > final_metrics(less)[0]
    assert (final_metrics(more)[1] > final_metrics(less)[1]) == (more == (0.13, 0.13))


def test_probability_of_an_entropy_to_thirty_digits():
    p = sympy.Symbol("p")
    entropy = -p * sympy.log(p) - (1 - p) * sympy.log(1 - p)
    found = sympy.nsolve(entropy - sympy.Rational("0.62"), 0.3, prec=30)
    assert thesis_entropy.rarer_pattern(0.62) == pytest.approx(float(found))


def test_path_sums_are_sums_over_every_path():
    network = random_dense((2, 3, 3, 2), generator("test", "paths"))
    x = normal((1, 2), generator("test", "input"))
    slopes = torch.tensor([1.0, 0.0, 1.0, 1.0, 1.0, 0.0], dtype=torch.float64)
    weights = [layer.weight.tolist() for layer in linear_maps(network)]
    biases = [layer.bias.tolist() for layer in linear_maps(network)]
    on = [slopes[:3].tolist(), slopes[3:].tolist(), [1.0, 1.0]]
    sizes = [2, 3, 3, 2]
    totals = [0.0, 0.0]
    for start in range(4):  # 0: from an input; 1, 2, 3: from the bias of that layer
        for path in product(*(range(n) for n in sizes[start:])):
            value = x[0, path[0]].item() if start == 0 else biases[start - 1][path[0]]
            if start:
                value *= on[start - 1][path[0]]
            steps = list(enumerate(pairwise(path), start=start))
            value *= prod(weights[m][b][a] * on[m][b] for m, (a, b) in steps)
            totals[path[-1]] += value
    assert thesis_paths.path_sum(network, x, slopes)[0].tolist() == pytest.approx(totals)


def test_losses_behind_theorem11_by_brute_force():
    """The hat is written down once more, and noise is 200,001 numbers."""

    def up(z):
        return np.maximum(z, 0)

    def loss(scores):
        return np.log(np.exp(scores).sum()) - scores[1]

    t = np.linspace(-8, 8, 200_001)
    weight = np.exp(-(t**2) / 2)
    weight /= weight.sum()
    s = t - 0.01
    hat = 4 * (up(s + 0.8) - 2 * up(s) + up(s - 0.8))
    paths = np.stack([0.01 * (up(s + 0.8) + up(0.8 - s)), hat, 0 * s])
    scores = paths + np.stack([-0.006 + 0 * t, 10 * t - 3.4, -t - 0.5])
    middle = len(t) // 2
    assert scores[:, middle].argmax() == 0
    votes, all_votes = (
        np.array([weight[which.argmax(axis=0) == k].sum() for k in range(3)])
        for which in (paths, scores)
    )
    assert all_votes.argmax() == 1
    own = loss(paths[:, middle])
    exp = np.exp(paths)
    known = [
        own,
        loss(paths @ weight),
        -np.log((exp[1] / exp.sum(axis=0)) @ weight),
        min(loss(votes), -np.log(votes[1])),
        own,  # a path is affine under a held pattern
        min(loss(all_votes), -np.log(all_votes[1])),
    ]
    found = thesis_float_path.float_losses(thesis_float_path.HAT, 1, thesis_float_path.CLEAN)
    assert found == pytest.approx(known, abs=1e-3)
    assert own < min(known[1:4]) - 0.4
