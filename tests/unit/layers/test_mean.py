"""Mean-only normalisation against torch's BatchNorm with its variance undone."""

import pytest
import torch
from reactivate.layers.mean import MeanOnlyBatchNorm
from reactivate.layers.unit import Unit
from torch import nn


def with_unit_variance(x, norm):
    """BatchNorm without dividing: its weight is set to the deviation it divides by."""
    reduce = [0, *range(2, x.dim())]
    norm.weight.data = (x.var(reduce, correction=0) + norm.eps).sqrt()
    return norm(x)


@pytest.mark.parametrize("shape", [(8, 3), (8, 3, 5), (8, 3, 5, 5)])
@pytest.mark.parametrize("shift", [False, True])
def test_training_equals_batch_norm_without_the_variance(shape, shift):
    x = torch.randn(shape, dtype=torch.float64) + 2
    norm = nn.BatchNorm2d(3) if len(shape) == 4 else nn.BatchNorm1d(3)
    norm = norm.double()
    mean = MeanOnlyBatchNorm(3, shift=shift).double()
    if shift:
        mean.shift.data = norm.bias.data = torch.randn(3, dtype=torch.float64)
    torch.testing.assert_close(mean(x), with_unit_variance(x, norm))


def test_running_mean_follows_keras_momentum():
    mean = MeanOnlyBatchNorm(2).double()
    expected = torch.zeros(2, dtype=torch.float64)
    for _ in range(5):
        x = torch.randn(6, 2, dtype=torch.float64)
        mean(x)
        expected = 0.99 * expected + 0.01 * x.mean(0)  # Keras: momentum weighs the old value
    torch.testing.assert_close(mean.running_mean, expected)


def test_evaluation_subtracts_the_running_mean():
    mean = MeanOnlyBatchNorm(2).double().eval()
    mean.running_mean.copy_(torch.tensor([1.0, -2.0]))
    x = torch.randn(4, 2, 3, 3, dtype=torch.float64)
    expected = x - mean.running_mean.view(1, 2, 1, 1)
    torch.testing.assert_close(mean(x), expected)


def test_gmp_with_imn_gives_the_next_layer_a_centred_input():
    unit = Unit(nn.Conv2d(3, 6, 3), "relu", "gmp_imn").double()
    out = unit(torch.randn(5, 3, 8, 8, dtype=torch.float64))
    torch.testing.assert_close(out.mean([0, 2, 3]), torch.zeros(6, dtype=torch.float64))


def test_two_units_compute_equation_16():
    torch.manual_seed(0)
    first = Unit(nn.Linear(4, 6), "relu", "gmp_imn").double()
    second = Unit(nn.Linear(6, 5), "relu", "gmp").double()
    x = torch.randn(7, 4, dtype=torch.float64)
    hidden = first.scale.radius * (x @ first.layer.weight.T + first.layer.bias).relu()
    centred = hidden - hidden.mean(0)
    expected = second.scale.radius * (centred @ second.layer.weight.T + second.layer.bias).relu()
    torch.testing.assert_close(second(first(x)), expected)
