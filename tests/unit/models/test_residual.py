"""What residual networks average, and in which order their gradients lie in memory."""

import pytest
import torch
from reactivate.models.residual import MeanOverPositions
from torch import nn

ORDERS = [torch.contiguous_format, torch.channels_last]


@pytest.mark.parametrize("order", ORDERS)
def test_mean_over_positions_and_its_gradient_are_those_of_torch(order):
    x = torch.randn(4, 6, 5, 3, dtype=torch.float64).to(memory_format=order)
    wanted = torch.randn(4, 6, 1, 1, dtype=torch.float64)
    found = []
    for average in (MeanOverPositions(), nn.AdaptiveAvgPool2d(1)):
        images = x.clone(memory_format=order).requires_grad_()
        means = average(images)
        means.backward(wanted)
        found.append((means.detach(), images.grad))
    torch.testing.assert_close(found[0], found[1])


@pytest.mark.parametrize("order", ORDERS)
def test_gradient_of_the_mean_over_positions_lies_in_memory_as_its_input(order):
    seen = []
    x = torch.randn(4, 6, 5, 3).to(memory_format=order).requires_grad_()
    read = x * 1
    read.register_hook(seen.append)
    MeanOverPositions()(read).sum().backward()
    assert seen[0].is_contiguous(memory_format=order)
