"""Processes that divide a batch normalise it as one process that has all of it."""

import copy

import pytest
import torch
from reactivate.activations.acon import MetaAcon
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.mean import MeanOnlyBatchNorm
from reactivate.layers.shared_statistics import share_statistics
from reactivate.layers.unit import Unit
from torch import nn

DIVISIONS = [(4, 4), (5, 2), (6, 0), (3, 1, 4)]


def stream(seed=0):
    return torch.Generator().manual_seed(seed)


def batch(count, *shape):
    """Images whose mean is large against their deviation, and a random direction to weigh them."""
    x = 3 + torch.randn(count, *shape, generator=stream(), dtype=torch.float64)
    return x, torch.randn(count, *shape, generator=stream(1), dtype=torch.float64)


def passed(network, x, direction):
    """Output, gradients and buffers after two batches, the second of them half as large."""
    x = x.clone().requires_grad_()
    y = network(x)
    with torch.no_grad():
        network(0.5 * x)
    parameters = list(network.parameters())
    gradients = torch.autograd.grad((y**2 * direction).sum(), [x, *parameters])
    buffers = [buffer.clone() for buffer in network.buffers()]
    evaluated = network.eval()(x)
    return [y.detach(), evaluated.detach(), gradients[0]], list(gradients[1:]), buffers


def compare(in_processes, network, sizes, *shape):
    """Trains one step alone and in processes of so many images each; asserts the same numbers."""
    torch.manual_seed(0)
    network = nn.Sequential(network, nn.Identity()).double()
    for parameter in network.parameters():
        nn.init.normal_(parameter, 1.0)
    x, direction = batch(sum(sizes), *shape)
    rows, summed, buffers = passed(copy.deepcopy(network), x, direction)
    names = list(network.state_dict())

    def work(rank):
        shared = copy.deepcopy(network)
        share_statistics(shared)
        assert list(shared.state_dict()) == names
        return passed(shared, x.split(sizes)[rank], direction.split(sizes)[rank])

    found = in_processes(work, len(sizes))
    for number, whole in enumerate(rows):
        together = torch.cat([own[0][number] for own in found])
        torch.testing.assert_close(together, whole, rtol=1e-11, atol=1e-12)
    for number, whole in enumerate(summed):
        together = sum(own[1][number] for own in found)
        torch.testing.assert_close(together, whole, rtol=1e-11, atol=1e-11)
    for own in found:
        torch.testing.assert_close(own[2], buffers, rtol=1e-12, atol=1e-12)
        assert all(map(torch.equal, own[2], found[0][2]))


@pytest.mark.parametrize("sizes", DIVISIONS, ids=str)
@pytest.mark.parametrize(
    ("norm", "shape"),
    [
        (nn.BatchNorm1d(3), (3,)),
        (nn.BatchNorm2d(3), (3, 4, 5)),
        (nn.BatchNorm2d(3, momentum=None), (3, 2, 2)),
        (nn.BatchNorm2d(3, affine=False, eps=0.1), (3, 2, 2)),
        (nn.BatchNorm2d(3, track_running_stats=False), (3, 2, 2)),
        (nn.BatchNorm3d(2), (2, 2, 2, 3)),
        (MeanOnlyBatchNorm(3), (3, 4, 5)),
        (MeanOnlyBatchNorm(1, shift=True, momentum=0.2), (1,)),
    ],
    ids=str,
)
def test_processes_normalise_as_one_alone(in_processes, norm, shape, sizes):
    compare(in_processes, norm, list(sizes), *shape)


def test_statistics_inside_of_an_activation_are_those_of_all(in_processes):
    compare(in_processes, MetaAcon(8), [5, 2], 8, 3, 3)


@pytest.mark.parametrize("name", PARAMETERIZATIONS.targets)
def test_every_parameterization_is_the_same_in_processes(in_processes, name):
    unit = Unit(nn.Conv2d(3, 3, 3, padding=1), "relu", name)
    compare(in_processes, unit, [3, 1], 3, 4, 4)


def test_without_shared_statistics_the_processes_differ(in_processes):
    x, _ = batch(8, 3)
    norm = nn.BatchNorm1d(3).double()
    found = torch.cat(in_processes(lambda rank: norm(x.split([5, 3])[rank]).detach()))
    assert not torch.allclose(found, norm(x), atol=1e-2)


@pytest.mark.parametrize("norm", [nn.BatchNorm2d(3), MeanOnlyBatchNorm(3)], ids=str)
def test_statistics_of_half_precision_are_computed_in_full(in_processes, norm):
    x = batch(8, 3, 4, 4)[0].bfloat16()

    def work(rank):
        shared = nn.Sequential(copy.deepcopy(norm))
        share_statistics(shared)
        return shared(x.split([5, 3])[rank]).detach(), shared[0].running_mean

    found = in_processes(work)
    whole = copy.deepcopy(norm)
    torch.testing.assert_close(torch.cat([y for y, _ in found]), whole(x).detach())
    for _, mean in found:
        assert mean.dtype == torch.float32
        torch.testing.assert_close(mean, whole.running_mean, rtol=1e-6, atol=1e-7)
