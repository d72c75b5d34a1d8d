"""What is removed: units that do nothing, and only they."""

import time

import pytest
import torch
from reactivate.layers.style import Style
from reactivate.models.vgg import VGG16
from reactivate.pruning.costs import count_non_zero, savings
from reactivate.pruning.once import prune
from reactivate.pruning.surgery import remove_units
from reactivate.pruning.wiring import wire
from torch import nn


def silence(layer, *units):
    with torch.no_grad():
        for unit in units:
            layer.weight[unit] = 0.0


def images(count=2, channels=3, side=8):
    return torch.randn(count, channels, side, side, generator=torch.Generator().manual_seed(0))


def test_constants_go_into_the_bias():
    network = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 2))
    silence(network[0], 0, 2)
    small = remove_units(network)
    assert (small[0].out_features, small[2].in_features) == (2, 2)
    assert not torch.equal(small[2].bias, network[2].bias)


def test_a_reader_without_a_bias_gets_one():
    network = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 2, bias=False))
    silence(network[0], 1)
    small = remove_units(network)
    assert small[2].bias.shape == (2,)
    torch.testing.assert_close(small(torch.ones(1, 3)), network(torch.ones(1, 3)))


@pytest.mark.parametrize(("padding", "left"), [(0, 2), (1, 3), ("same", 3)])
def test_one_channel_stays_for_all_where_a_border_sees_less_of_them(padding, left):
    network = nn.Sequential(
        nn.Conv2d(3, 5, 3), nn.Sigmoid(), nn.Conv2d(5, 2, 3, padding=padding), nn.Flatten()
    )
    silence(network[0], 0, 2, 4)
    small = remove_units(network)
    assert small[0].out_channels == left
    torch.testing.assert_close(small(images()), network(images()))


def test_a_channel_that_is_0_goes_even_before_a_padded_convolution():
    network = nn.Sequential(
        nn.Conv2d(3, 5, 3, bias=False), nn.ReLU(), nn.Conv2d(5, 2, 3, padding=1)
    )
    silence(network[0], 0, 2)
    assert remove_units(network)[0].out_channels == 3


def test_a_unit_that_nobody_reads_goes_and_so_do_those_that_only_it_reads():
    network = nn.Sequential(
        nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)
    )
    with torch.no_grad():
        network[4].weight[:, 0] = 0.0
        network[2].weight[1:, 3] = 0.0
    small = remove_units(network)
    assert (small[0].out_features, small[2].out_features) == (3, 3)
    torch.testing.assert_close(small(torch.ones(1, 3)), network(torch.ones(1, 3)))


def test_a_unit_that_reads_constants_only_becomes_one():
    network = nn.Sequential(
        nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)
    )
    silence(network[0], 0, 1)
    with torch.no_grad():
        network[2].weight[2, 2:] = 0.0
    small = remove_units(network)
    assert (small[0].out_features, small[2].out_features) == (2, 3)


def test_a_layer_keeps_one_unit():
    network = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 2))
    silence(network[0], 0, 1, 2, 3)
    small = remove_units(network)
    assert small[0].out_features == 1
    torch.testing.assert_close(small(torch.ones(1, 3)), network(torch.ones(1, 3)))


def test_nothing_is_removed_of_a_network_without_zeros():
    network = VGG16(width=0.05)
    small = remove_units(network)
    assert [p.shape for p in small.parameters()] == [p.shape for p in network.parameters()]


def test_the_network_is_left_as_it_is_with_its_masks():
    network = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    pruned, _ = prune(network, [torch.randn(20, 3)], 0.9)
    pruned(torch.ones(1, 3)).sum().backward()
    before = pruned(torch.ones(1, 3))
    remove_units(pruned)
    assert "0.weight_mask" in pruned.state_dict()
    assert torch.equal(pruned(torch.ones(1, 3)), before)


class Sum(nn.Module):
    """A branch around a layer."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.last = nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 2)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.act(self.first(x))
        return self.last(x + self.act(self.second(x)))


class Choice(nn.Module):
    """Computes what its input asks for."""

    def forward(self, x):
        return x if x.sum() > 0 else -x


def test_units_that_meet_another_branch_stay():
    network = Sum()
    silence(network.second, 0, 1)
    assert remove_units(network).second.out_features == 3
    assert wire(network) == []


@pytest.mark.parametrize("pool", [nn.AvgPool2d(2), nn.AvgPool2d((2, 1)), nn.MaxPool2d(2)])
def test_poolings_that_keep_constants_are_followed(pool):
    network = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Sigmoid(), pool, nn.Conv2d(4, 2, 1))
    silence(network[0], 1)
    small = remove_units(network)
    assert small[0].out_channels == 3
    torch.testing.assert_close(small(images()), network(images()))


@pytest.mark.parametrize(
    ("convolution", "normalisation", "shape"),
    [
        (nn.Conv1d, nn.BatchNorm1d, (2, 3, 8)),
        (nn.Conv2d, nn.BatchNorm2d, (2, 3, 8, 8)),
        (nn.Conv3d, nn.BatchNorm3d, (2, 3, 4, 4, 4)),
    ],
)
def test_constants_pass_normalisations_of_any_dimension(convolution, normalisation, shape):
    norm = normalisation(4)
    nn.init.normal_(norm.running_mean)
    nn.init.normal_(norm.bias)
    network = nn.Sequential(convolution(3, 4, 1), norm, nn.Sigmoid(), convolution(4, 2, 1)).eval()
    silence(network[0], 1)
    small = remove_units(network)
    assert small[0].out_channels == 3
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(small(x), network(x))


@pytest.mark.parametrize(("activation", "factor"), [("relu", 1), ("crelu", 2)])
def test_a_unit_says_how_many_channels_it_has_after_its_activation(activation, factor):
    first = Style(activation, "sp").conv(3, 4, kernel=3)
    network = nn.Sequential(first, nn.Conv2d(first.out_channels, 2, 1))
    small = remove_units(network)
    assert small[0].out_channels == 4 * factor == small[0](images()).shape[1]


@pytest.mark.parametrize(
    "between",
    [
        nn.PReLU(4),
        nn.AvgPool2d(2, padding=1),
        nn.AvgPool2d(2, padding=(0, 1)),
        nn.AvgPool2d(2, ceil_mode=True),
        nn.Flatten(2),
        nn.BatchNorm2d(4, track_running_stats=False),
    ],
    ids=lambda module: type(module).__name__,
)
def test_what_is_not_followed_keeps_its_units(between):
    network = nn.Sequential(nn.Conv2d(3, 4, 3), between, nn.Conv2d(4, 2, 1))
    assert wire(network) == []


def test_groups_are_not_followed():
    network = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3, groups=4))
    assert wire(network) == []


def test_a_layer_that_is_used_twice_stays():
    shared = nn.Linear(3, 3)
    network = nn.Sequential(shared, nn.ReLU(), shared, nn.ReLU(), nn.Linear(3, 2))
    silence(shared, 0)
    assert remove_units(network)[0].out_features == 3


def test_a_network_that_decides_by_its_input_is_named():
    with pytest.raises(
        ValueError, match=r"Choice cannot be followed.*accepted: .* Change the net"
    ):
        remove_units(Choice())


def test_savings_count_what_is_left():
    network = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    silence(network[0], 0, 1)
    with torch.no_grad():
        network[2].weight[0, 3] = 0.0
    small = remove_units(network)
    found = savings(network, small, torch.ones(5, 3), repeats=2)
    assert (found.parameters, found.parameters_left) == (26, 14)
    assert found.non_zero == 19 == count_non_zero(network)
    assert (found.multiply_adds, found.multiply_adds_left) == (20, 10)
    assert found.multiply_adds_non_zero == 13
    assert (found.counted, found.theoretical) == (2.0, 20 / 13)
    assert found.measured > 0


class Sleep(nn.Module):
    def forward(self, x):
        time.sleep(0.01)
        return x


def test_the_time_is_that_of_a_forward_pass():
    network, small = nn.Sequential(nn.Linear(3, 2), Sleep(), Sleep()), nn.Sequential(Sleep())
    small.append(nn.Linear(3, 2))
    found = savings(network, small, torch.ones(5, 3), repeats=1)
    assert found.seconds > 0.02
    assert found.seconds_left > 0.01


def test_masked_parameters_are_not_counted():
    network = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    pruned, report = prune(network, [torch.randn(20, 3)], 0.5)
    assert count_non_zero(pruned) == count_non_zero(network) - (report.size - report.remaining)
