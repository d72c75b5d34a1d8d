"""Definitions 1 to 8 of the thesis, transcribed with loops, against the library.

Networks and points are whole numbers, so that everything but logarithms is exact, and points on
breakpoints are among them. What is written out here follows the printed lines one by one.
"""

from fractions import Fraction
from itertools import combinations, product
from math import inf, log, prod

import pytest
import torch
from reactivate.documents.thesis.small_networks import dense
from reactivate.patterns.entropy import PatternCounts, count_patterns
from reactivate.patterns.paths import fixed_paths, float_masks, float_paths
from reactivate.patterns.regions import adjacent_regions, patterns_of, same_region, within
from reactivate.patterns.similarity import distribution, expectation, pair_similarity
from reactivate.patterns.stability import stabilities

LAYERS = [
    ([[1, -2], [2, 1], [-1, 1]], [0, -1, 1]),
    ([[1, -1, 2], [-3, 1, 1]], [-1, 1]),
    ([[1, 2], [-1, 1]], [0, 1]),
]
UNBIASED = [(weights, [0] * len(weights)) for weights, _ in LAYERS]
POINTS = list(product(range(-2, 3), repeat=2))
NEURONS = [(i, j) for i, (weights, _) in enumerate(LAYERS[:-1]) for j in range(len(weights))]
ABSTAINED = "abstained"
gammas = pytest.mark.parametrize("gamma", [(0,), (-1, 1), (-2, 0, 3)])


def network_of(layers):
    """The same ReLU network as a module."""
    floats = [
        ([[float(w) for w in row] for row in rows], [float(b) for b in bias])
        for rows, bias in layers
    ]
    return dense(*floats)


def tensor(points):
    return torch.tensor(points, dtype=torch.float64)


def affine(layer, x):
    """``psi_i o phi_i``, without normalisation."""
    weights, bias = layer
    products = [sum(w * v for w, v in zip(row, x, strict=True)) for row in weights]
    return [value + b for value, b in zip(products, bias, strict=True)]


def preactivations(layers, x):
    """``z_j^(i)(x)`` of every layer, the last one too: the output."""
    z, found = [Fraction(value) for value in x], []
    for layer in layers:
        z = affine(layer, z)
        found.append(z)
        z = [max(value, Fraction(0)) for value in z]
    return found


def interval(i, gamma):
    """``U_i`` of Definition 1."""
    q = len(gamma)
    if i == 0:
        return -inf, gamma[0]
    return (gamma[i - 1], gamma[i]) if i < q else (gamma[q - 1], inf)


def contains(interval, z):
    return interval[0] < z < interval[1]


def pattern(x, gamma):
    """Equation 4.9: the pattern of every neuron (i, j) for an input."""
    z = preactivations(LAYERS, x)
    found = {}
    for i, j in NEURONS:
        inside = [k for k in range(len(gamma) + 1) if contains(interval(k, gamma), z[i][j])]
        assert (z[i][j] in gamma) == (not inside)
        (found[i, j],) = inside or [ABSTAINED]
    return found


def coded(found):
    """A pattern as the library writes it."""
    return [-1 if found[neuron] == ABSTAINED else found[neuron] for neuron in NEURONS]


def library(gamma, points=POINTS):
    return patterns_of(network_of(LAYERS), tensor(points), gamma).codes


def off_hyperplanes(gamma):
    return [x for x in POINTS if ABSTAINED not in pattern(x, gamma).values()]


@gammas
def test_definition_1_patterns_of_points(gamma):
    expected = [coded(pattern(x, gamma)) for x in POINTS]
    assert library(gamma).tolist() == expected
    assert any(-1 in row for row in expected)


@gammas
def test_definition_1_the_region_of_a_pattern(gamma):
    codes = library(gamma)
    for a in off_hyperplanes(gamma):
        own = pattern(a, gamma)
        region = [
            all(
                contains(interval(own[i, j], gamma), preactivations(LAYERS, x)[i][j])
                for i, j in NEURONS
            )
            for x in POINTS
        ]
        assert same_region(codes[POINTS.index(a)], codes).tolist() == region


@gammas
def test_definition_2_adjacent_regions(gamma):
    inside = off_hyperplanes(gamma)
    adjacent = []
    for one, other in combinations(inside, 2):
        z, w = preactivations(LAYERS, one), preactivations(LAYERS, other)
        signs = [(z[p][q] - g) * (w[p][q] - g) for p, q in NEURONS for g in gamma]
        assert 0 not in signs
        adjacent.append(sum(h < 0 for h in signs) == 1)
    codes = library(gamma, inside)
    first, second = zip(*combinations(range(len(inside)), 2), strict=True)
    assert adjacent_regions(codes[list(first)], codes[list(second)]).tolist() == adjacent
    assert True in adjacent
    assert False in adjacent


@gammas
@pytest.mark.parametrize("size", range(1, len(NEURONS) + 1))
def test_definition_3_incomplete_regions(gamma, size):
    codes = library(gamma)
    start = off_hyperplanes(gamma)[0]
    own = pattern(start, gamma)
    for subset in combinations(range(len(NEURONS)), size):
        kept = [NEURONS[place] for place in subset]
        region = [
            all(
                contains(interval(own[i, j], gamma), preactivations(LAYERS, x)[i][j])
                for i, j in kept
            )
            for x in POINTS
        ]
        chosen = torch.tensor(subset)
        assert within(codes, codes[POINTS.index(start)], chosen).tolist() == region


def fixed_neurons(region, gamma):
    """``I^X(R)``, as the sentence of Definition 4 says: the same pattern for any x in R."""
    found = [pattern(x, gamma) for x in region]
    return {n for n in NEURONS if len({own[n] for own in found}) == 1}


@gammas
def test_definition_4_fixed_and_float_neurons(gamma):
    inside = off_hyperplanes(gamma)
    for region in (inside[:2], inside[3:6], inside[::3], inside):
        layers = stabilities(network_of(LAYERS), [tensor(region)], gamma).values()
        found = torch.cat([layer.fixed for layer in layers]).tolist()
        keeps = fixed_neurons(region, gamma)
        assert found == [neuron in keeps for neuron in NEURONS]


def test_definition_4_float_neurons_of_pairs():
    inside = off_hyperplanes((0,))
    pairs = list(combinations(inside, 2))
    first, second = (tensor(part) for part in zip(*pairs, strict=True))
    masks = torch.cat(list(float_masks(network_of(LAYERS), first, second).values()), dim=1)
    expected = [[neuron not in fixed_neurons(pair, (0,)) for neuron in NEURONS] for pair in pairs]
    assert masks.tolist() == expected


def similarity(one, other, gamma):
    """Equation 5.3: common pairs of a neuron and its pattern, of all neurons."""
    ap = [{(z, a) for z, a in pattern(x, gamma).items() if a != ABSTAINED} for x in (one, other)]
    return Fraction(len(ap[0] & ap[1]), len(NEURONS))


@gammas
def test_definition_5_pattern_similarity(gamma):
    codes = library(gamma)
    pairs = list(combinations(range(len(POINTS)), 2))
    exact = [similarity(POINTS[i], POINTS[j], gamma) for i, j in pairs]
    first, second = (list(part) for part in zip(*pairs, strict=True))
    found = pair_similarity(codes[first], codes[second])
    assert found.tolist() == [float(value) for value in exact]
    mean = sum(exact, Fraction(0)) / len(exact)  # Equation 5.4
    assert expectation(codes) == pytest.approx(float(mean), rel=1e-15)
    thresholds = (0.0, 0.2, 0.5, 0.6, 1.0)  # Equation 5.5
    larger = [sum(v > Fraction(str(t)) for v in exact) / len(exact) for t in thresholds]
    assert distribution(found, thresholds).tolist() == pytest.approx(larger, rel=1e-15)


@gammas
def test_definition_6_neuron_entropy(gamma):
    points = off_hyperplanes(gamma)
    exact = []
    for neuron in NEURONS:
        found = [pattern(x, gamma)[neuron] for x in points]
        shares = [found.count(k) / len(points) for k in range(len(gamma) + 1)]
        exact.append(-sum(p * log(p) for p in shares if p > 0))
    layers = count_patterns(network_of(LAYERS), [tensor(points)], gamma).values()
    assert all(isinstance(layer, PatternCounts) for layer in layers)
    found = torch.cat([layer.entropy() for layer in layers]).tolist()
    assert found == pytest.approx(exact, abs=1e-15)
    assert max(exact) > 0


def all_paths(layers):
    """Definition 7: one index of every layer, from the inputs on."""
    inputs = len(layers[0][0][0])
    return list(product(range(inputs), *(range(len(weights)) for weights, _ in layers)))


def value(path, x, slopes):
    """What a path starts with times the weights, and the slopes of its hidden neurons."""
    weights = [UNBIASED[i][0][path[i + 1]][path[i]] for i in range(len(UNBIASED))]
    hidden = [slopes[i, path[i + 1]] for i in range(len(UNBIASED) - 1)]
    return x[path[0]] * prod(weights) * prod(hidden)


def slopes_of(x):
    z = preactivations(UNBIASED, x)
    return {(i, j): int(z[i][j] > 0) for i, j in NEURONS}


def path_sums(x, slopes, keeps):
    """``Z^I`` and ``Z^T`` of Definition 8, for each output."""
    sums = {True: [0, 0], False: [0, 0]}
    for path in all_paths(UNBIASED):
        fixed = all((i, path[i + 1]) in keeps for i in range(len(UNBIASED) - 1))
        sums[fixed][path[-1]] += value(path, x, slopes)
    return sums[True], sums[False]


def test_definition_7_paths_add_up_to_the_output():
    assert len(all_paths(UNBIASED)) == 2 * 3 * 2 * 2
    for x in POINTS:
        whole = [sum(part) for part in zip(*path_sums(x, slopes_of(x), set()), strict=True)]
        assert whole == preactivations(UNBIASED, x)[-1]


def test_definition_8_sums_of_fixed_and_float_paths():
    network = network_of(UNBIASED)
    inside = [x for x in POINTS if all(0 not in z for z in preactivations(UNBIASED, x)[:-1])]
    pairs = list(product(inside, repeat=2))
    fixed, floating, several = [], [], 0
    for x, other in pairs:
        here, there = slopes_of(x), slopes_of(other)
        keeps = {neuron for neuron in NEURONS if here[neuron] == there[neuron]}
        several += len(keeps) < len(NEURONS) - 1
        other_fixed, other_float = path_sums(other, there, keeps)
        fixed.append([path_sums(x, here, keeps)[0], other_fixed])
        floating.append([path_sums(other, here, keeps)[1], other_float])
    points = [tensor(part) for part in zip(*pairs, strict=True)]
    assert torch.stack(fixed_paths(network, *points), dim=1).tolist() == fixed
    assert torch.stack(float_paths(network, *points), dim=1).tolist() == floating
    assert several > 0
