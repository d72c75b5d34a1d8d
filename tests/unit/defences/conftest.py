"""A tiny network with batch normalisation, images for it, and streams that can be drawn again."""

import pytest
import torch
from torch import nn


def make_network():
    torch.manual_seed(0)
    activation = nn.LeakyReLU(0.1)  # no gradient is 0
    return nn.Sequential(
        nn.Conv2d(1, 3, 2), nn.BatchNorm2d(3), activation, nn.Flatten(), nn.Linear(12, 3)
    ).double()


@pytest.fixture
def network():
    """In training mode."""
    return make_network()


@pytest.fixture
def new_network():
    """``new_network()``: always the same."""
    return make_network


@pytest.fixture
def images():
    stream = torch.Generator().manual_seed(1)
    return torch.rand(5, 1, 3, 3, generator=stream, dtype=torch.float64), torch.arange(5) % 3


@pytest.fixture
def stream():
    """``stream()``: a generator, always the same."""
    return lambda: torch.Generator().manual_seed(7)
