"""The kernels of a compiled step, against those that can be counted by hand."""

import pytest
import torch
from reactivate.layers.unit import Unit
from reactivate.models.fusion import fused_training
from reactivate.models.passes import network_work
from torch import nn

SIDE, CHANNELS = 8, 4
IMAGE = 4 * CHANNELS * SIDE**2  # bytes


class Chain(nn.Module):
    """Elementwise operations one after another, then the mean of every channel."""

    def __init__(self, between):
        super().__init__()
        self.factor = nn.Parameter(torch.ones(()))
        self.between = between

    def forward(self, x):
        y = (self.factor * x).sigmoid() + 1
        y = self.between(y)
        return (y.tanh() * 2).mean((2, 3))


def per_image(between):
    return fused_training(lambda: Chain(between()), (CHANNELS, SIDE, SIDE))


def test_elementwise_operations_and_the_sum_over_them_are_one_kernel():
    plain = network_work(lambda: Chain(nn.Identity()), (CHANNELS, SIDE, SIDE)).training
    fused = per_image(nn.Identity)
    # forward: the image is read, and what the backward pass needs is written: sigmoid and tanh;
    # backward: both and the image are read
    assert 6 * IMAGE <= fused.traffic <= 6.5 * IMAGE
    assert fused.traffic < plain.traffic / 2
    assert fused.fixed_kernels < plain.fixed_kernels / 1.5


def test_nothing_is_fused_across_a_convolution():
    def convolution():
        return nn.Conv2d(CHANNELS, CHANNELS, 1, bias=False)

    with_it, without = per_image(convolution), per_image(nn.Identity)
    # it reads and writes an image, and each of its two gradients reads two or writes one
    assert with_it.traffic >= without.traffic + 5 * IMAGE
    assert with_it.flops == 3 * 2 * CHANNELS**2 * SIDE**2


@pytest.mark.parametrize("activation", ["relu", "smu", "iieu_b", "iieu_dc", "meta_acon"])
def test_a_fused_step_computes_the_same_products_and_moves_no_more(activation):
    def make():
        layer = nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)
        return nn.Sequential(Unit(layer, activation, "bn"), nn.Flatten())

    plain = network_work(make, (CHANNELS, SIDE, SIDE)).training
    fused = fused_training(make, (CHANNELS, SIDE, SIDE))
    assert fused.flops == plain.flops
    assert fused.fixed_kernels <= plain.fixed_kernels + 2  # a normalisation is two
    assert fused.traffic <= 1.05 * plain.traffic
