"""Counts and formulas behind checks of printed statements, against networks and simulations."""

from fractions import Fraction
from math import comb

import pytest
import torch
from reactivate.documents.crelu import tables_s1_to_s12_claims as crelu_architectures
from reactivate.documents.gmp import tables1_to_3_claims as gmp_tables
from reactivate.documents.thesis.chapter6 import algorithm2_claims, section6_4_1_claims
from reactivate.experiment.printed import Printed
from reactivate.models import MODELS
from reactivate.smoothing.bounds import lower_bound
from scipy.stats import ttest_ind_from_stats
from torch import nn


class WideBlock(nn.Module):
    """A basic block that normalises before it convolves."""

    def __init__(self, reads, filters):
        super().__init__()
        self.norms = nn.ModuleList([nn.BatchNorm2d(reads), nn.BatchNorm2d(filters)])
        self.first = nn.Conv2d(reads, filters, 3, padding=1, bias=False)
        self.second = nn.Conv2d(filters, filters, 3, padding=1, bias=False)
        if reads != filters:
            self.shortcut = nn.Conv2d(reads, filters, 1, bias=False)


@pytest.mark.parametrize(("depth", "widen", "classes"), [(10, 1, 10), (16, 4, 100), (28, 2, 1000)])
def test_a_wide_residual_network_has_the_parameters_of_its_layers(depth, widen, classes):
    with torch.device("meta"):
        layers, reads = [nn.Conv2d(3, 16, 3, bias=False)], 16
        for filters in (16 * widen, 32 * widen, 64 * widen):
            for _ in range((depth - 4) // 6):
                layers.append(WideBlock(reads, filters))
                reads = filters
        network = nn.Sequential(*layers, nn.BatchNorm2d(reads), nn.Linear(reads, classes))
    expected = sum(p.numel() for p in network.parameters())
    assert gmp_tables.wide_resnet_parameters(depth, widen, classes) == expected


def windows(side, layers, up):
    """The side that torch's own layers leave."""
    x = torch.empty(1, 1, side, side, device="meta")
    for kernel, stride, padding in layers:
        pool = nn.AvgPool2d(kernel, stride, padding, ceil_mode=True)
        layer = pool if up and stride > 1 else nn.Conv2d(1, 1, kernel, stride, padding)
        x = layer.to("meta")(x)
    return x.shape[-1]


@pytest.mark.parametrize("up", [False, True])
def test_the_last_map_has_the_side_that_layers_leave(up):
    for side, layers in ((32, crelu_architectures.TABLE_S1), (224, crelu_architectures.TABLE_S7)):
        found = crelu_architectures.last_side(side, layers, up)
        assert found == windows(side, layers, up)


NETWORKS = {
    "S1 left": ("convpool8", {"classes": 100}),
    "S1 right": ("convpool8_double", {"classes": 100}),
    "S2 left": ("convpool8", {"classes": 100, "activation": "crelu"}),
    "S2 right": ("convpool8_half_printed", {"classes": 100}),
    "S3": ("cifar_vgg", {"classes": 100}),
    "S4": ("cifar_vgg_conv1", {"classes": 100}),
    "S5": ("cifar_vgg_conv1_3", {"classes": 100}),
    "S6": ("cifar_vgg_conv1_3_5", {"classes": 100}),
    "S7": ("allcnn", {}),
    "S8": ("allcnn_conv1_4", {}),
    "S9": ("allcnn_conv1_7", {}),
    "S10": ("allcnn_conv1_9", {}),
    "S12": ("allcnn_conv1_4_7", {}),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_printed_kernels_are_those_of_our_networks(name):
    model, settings = NETWORKS[name]
    with torch.device("meta"):
        network = MODELS.load(model)(**settings)
    weights = [
        tuple(module.weight.shape)
        for module in network.modules()
        if isinstance(module, nn.Conv2d | nn.Linear)
    ]
    ours = [(shape[0], shape[1], shape[2] if len(shape) > 2 else 1) for shape in weights]
    printed = crelu_architectures.PRINTED[name]
    assert [(kernel.filters, kernel.reads, kernel.size) for kernel in printed] == ours


@pytest.mark.parametrize(("runs", "scale"), [(None, 10**0.5), (10, 1.0)])
def test_means_are_apart_by_the_statistic_of_the_t_test(runs, scale):
    pair = Printed(3.4, 0.15, 0.05), Printed(3.1, 0.12, 0.05)
    expected = ttest_ind_from_stats(3.4, 0.15 * scale, 10, 3.1, 0.12 * scale, 10, equal_var=False)
    assert gmp_tables.apart(pair, runs) == pytest.approx(expected.statistic)


def test_the_test_error_of_random_splits_deviates_by_the_floor():
    stream, rows = torch.Generator().manual_seed(0), 300
    found = []
    for _ in range(60):  # other data, and ten splits of it
        squares = torch.randn(rows, generator=stream, dtype=torch.float64) ** 2
        chosen = [torch.randperm(rows, generator=stream)[: rows // 5] for _ in range(10)]
        errors = torch.stack([squares[part].mean().sqrt() for part in chosen])
        found.append(errors.var().item())
    deviation = (sum(found) / len(found)) ** 0.5
    assert gmp_tables.sampling_floor(1.0, rows) == pytest.approx(deviation, rel=0.1)


def test_a_lower_bound_holds_as_often_as_exact_tails_say():
    p, draws, alpha = Fraction(4, 5), 40, 0.05
    pmf = [comb(draws, k) * p**k * (1 - p) ** (draws - k) for k in range(draws + 1)]
    wrong = sum(pmf[k] for k in range(draws + 1) if sum(pmf[k:]) < Fraction(alpha))
    assert lower_bound(draws, draws, alpha) > 0.8  # it can be wrong
    assert section6_4_1_claims.coverage(0.8, draws, alpha) == pytest.approx(float(1 - wrong))
    assert wrong <= Fraction(alpha)


@pytest.mark.parametrize("activated", [False, True])
def test_a_pass_without_activation_is_one_linear_map(activated):
    stream = torch.Generator().manual_seed(1)
    network = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2)).double()
    x = torch.randn(6, 3, generator=stream, dtype=torch.float64)
    first, last = network[0], network[2]
    expected = (
        network(x)
        if activated
        else x @ (last.weight @ first.weight).T + last.weight @ first.bias + last.bias
    )
    torch.testing.assert_close(algorithm2_claims.training_pass(network, x, activated), expected)
