"""Algorithm 3 of the thesis, prediction with SCRFP-2: its lines against the library."""

from fractions import Fraction
from math import comb

import pytest
import torch
from reactivate.documents.thesis.small_networks import random_dense
from reactivate.foundation.seeding import generator
from reactivate.smoothing.bases import Repressed
from reactivate.smoothing.noise import normal_batches
from reactivate.smoothing.predict import predict_image, top_class
from reactivate.smoothing.sampling import Sampling


def binom_p_value(successes, draws):
    """Two-sided, of a fair coin: all counts that are no more likely, added up."""
    likely = [comb(draws, k) for k in range(draws + 1)]
    return Fraction(sum(c for c in likely if c <= likely[successes]), 2**draws)


def affine(layer, x):
    """``psi_i o phi_i``, without normalisation."""
    weights, bias = layer
    products = [sum(w * v for w, v in zip(row, x, strict=True)) for row in weights]
    return [value + b for value, b in zip(products, bias, strict=True)]


def predict(layers, noises, eta_2, alpha, x):
    """Algorithm 3, line by line; z_s of line 5 is z_c, and x_c, x_n start from x and its copy."""
    pc = [0] * len(layers[-1][1])  # 2
    for epsilon in noises:  # 3
        x_c, x_n = x, [a + e for a, e in zip(x, epsilon, strict=True)]
        for layer in layers[:-1]:  # 4
            z_c, z_n = affine(layer, x_c), affine(layer, x_n)  # 5
            floats = [(a > 0) != (b > 0) for a, b in zip(z_c, z_n, strict=True)]  # 6
            z_n = [z - z * mask * eta_2 for z, mask in zip(z_n, floats, strict=True)]  # 7
            x_c, x_n = ([max(z, 0.0) for z in part] for part in (z_c, z_n))  # 8
        scores = affine(layers[-1], x_n)
        pc[scores.index(max(scores))] += 1  # 10, 11
    c_a, c_b = sorted(range(len(pc)), key=lambda c: -pc[c])[:2]  # 13
    n_a, n_b = pc[c_a], pc[c_b]  # 14
    return (c_a if binom_p_value(n_a, n_a + n_b) <= alpha else -1), pc  # 15, 16


SAMPLING = Sampling(sigma=0.8, n0=1, n=60, alpha=0.01)
FACTORS, SEEDS = (0.0, 0.3, 0.9), (2, 4, 5, 7)


def small_case(seed):
    """A network, its layers as lists, an input, and the noise that the library draws for it."""
    network = random_dense((3, 6, 5, 3), generator("test", "algorithm 3", seed), bias=0.3)
    layers = [(part.weight.tolist(), part.bias.tolist()) for part in network[::2]]
    x = torch.rand(3, generator=generator("test", "x", seed), dtype=torch.float64)
    (noise,) = normal_batches(x, SAMPLING.n, ["test", seed, "predict", "noise"], SAMPLING.n)
    return network, layers, x, (SAMPLING.sigma * noise).tolist()


@pytest.mark.parametrize("eta_2", FACTORS)
@pytest.mark.parametrize("seed", SEEDS)
def test_algorithm_3_written_out(seed, eta_2):
    network, layers, x, noises = small_case(seed)
    label, counts = predict(layers, noises, eta_2, SAMPLING.alpha, x.tolist())
    found = predict_image(Repressed(network, eta_2), x, seed, SAMPLING, key=["test"])
    assert found.predict == label
    assert found.counts == " ".join(f"{c}:{n}" for c, n in enumerate(counts) if n)


def test_algorithm_3_answers_abstains_and_heeds_its_factor_in_these_cases():
    labels = set()
    for seed in SEEDS:
        _, layers, x, noises = small_case(seed)
        made = [predict(layers, noises, eta, SAMPLING.alpha, x.tolist()) for eta in FACTORS]
        labels |= {label for label, _ in made}
        assert made[0][1] != made[1][1]
    assert labels == {-1, 1, 2}


@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.001])
@pytest.mark.parametrize("counts", [(30, 30), (30, 12, 18), (0, 9), (11, 0, 2), (7, 8, 60)])
def test_algorithm_3_lines_13_to_16(counts, alpha):
    first, second = sorted(range(len(counts)), key=lambda c: -counts[c])[:2]
    p_value = binom_p_value(counts[first], counts[first] + counts[second])
    assert top_class(counts, alpha) == (first if p_value <= alpha else -1)
