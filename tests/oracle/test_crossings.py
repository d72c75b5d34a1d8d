"""Crossings found by walking equal those of a scan with 10^5 points, and of exact arithmetic."""

from fractions import Fraction

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reactivate.models.mlp import MLP
from reactivate.patterns.crossings import SegmentWalk, count_transitions
from torch import nn

POINTS = 10**5


def network_of(depth, seed, activation="relu", parameterization="sp", width=12):
    torch.manual_seed(seed)
    network = MLP(activation, parameterization, features=5, hidden=(width,) * depth).double()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm1d):
            nn.init.normal_(module.running_mean)
            nn.init.uniform_(module.running_var, 0.5, 2)
            nn.init.normal_(module.weight)
            nn.init.normal_(module.bias)
        if isinstance(module, nn.PReLU):
            nn.init.uniform_(module.weight, -1, 1)
    return network.eval()


def ends(seed, features=5):
    stream = torch.Generator().manual_seed(1000 + seed)
    return 2 * torch.randn(2, features, dtype=torch.float64, generator=stream)


def scanned(network, x, y):
    """Steps in which the pattern changes, and neurons that change, over equally spaced points."""
    signs = []
    hooks = [
        module.register_forward_pre_hook(lambda _, z: signs.append(z[0].flatten(1) > 0))
        for module in network.modules()
        if isinstance(module, nn.ReLU | nn.LeakyReLU | nn.PReLU)
    ]
    steps = torch.linspace(0, 1, POINTS, dtype=torch.float64).reshape(-1, *[1] * x.dim())
    with torch.no_grad():
        network(x + steps * (y - x))
    for hook in hooks:
        hook.remove()
    patterns = torch.cat(signs, dim=1)
    changed = patterns[1:] != patterns[:-1]
    return int(changed.any(dim=1).sum()), int(changed.sum())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("depth", [1, 2, 4, 9])
def test_the_exact_count_equals_the_scan(depth, seed):
    network, (x, y) = network_of(depth, seed), ends(seed)
    found = SegmentWalk(network).crossings(x, y)
    assert (found.regions, found.flips) == scanned(network, x, y)


@pytest.mark.parametrize("parameterization", ["wn", "bn", "gmp", "gmp_imn", "wn_mbn"])
@pytest.mark.parametrize("activation", ["relu", "leaky_relu", "prelu"])
def test_the_exact_count_equals_the_scan_for_every_kind_of_unit(activation, parameterization):
    network, (x, y) = network_of(3, 0, activation, parameterization), ends(0)
    found = SegmentWalk(network).crossings(x, y)
    assert (found.regions, found.flips) == scanned(network, x, y)
    assert found.flips > 3


@given(st.integers(1, 5), st.integers(2, 20), st.integers(0, 10**6))
@settings(max_examples=15)
def test_random_networks_have_the_crossings_that_a_scan_finds(depth, width, seed):
    network, (x, y) = network_of(depth, seed, width=width), ends(seed)
    found = SegmentWalk(network).crossings(x, y)
    assume(bool((found.t.diff() > 2 / POINTS).all()))  # what the scan can tell apart
    assert (found.regions, found.flips) == scanned(network, x, y)


def test_convolutions_and_average_pooling_are_walked_too():
    torch.manual_seed(0)
    network = nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1),
        nn.BatchNorm2d(3),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Conv2d(3, 4, 3),
        nn.LeakyReLU(0.1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(4, 6),
        nn.ReLU(),
        nn.Linear(6, 2),
    ).double()
    x, y = torch.randn(2, 1, 6, 6, dtype=torch.float64)
    found = SegmentWalk(network).crossings(x, y)
    assert found.flips == scanned(network.eval(), x, y)[1] > 30
    assert found.layers == ("2", "5", "9")


@pytest.mark.parametrize("largest", [1, 60, 300])
@pytest.mark.parametrize("depth", [2, 5])
def test_walking_in_parts_finds_the_same_crossings(depth, largest):
    network, (x, y) = network_of(depth, 2), ends(2)
    whole = SegmentWalk(network).crossings(x, y)
    parts = SegmentWalk(network, largest).crossings(x, y)
    torch.testing.assert_close(parts.t, whole.t, rtol=0, atol=1e-12)
    assert torch.equal(parts.neuron, whole.neuron)
    assert torch.equal(parts.layer, whole.layer)


def test_at_every_crossing_the_neuron_is_on_its_breakpoint():
    network, (x, y) = network_of(4, 5), ends(5)
    found = SegmentWalk(network).crossings(x, y)
    values = []
    for module in network.modules():
        if isinstance(module, nn.ReLU):
            module.register_forward_pre_hook(lambda _, z: values.append(z[0]))
    network(x + found.t[:, None] * (y - x))
    at_crossing = torch.stack(values)[found.layer, torch.arange(found.flips), found.neuron]
    assert at_crossing.abs().max() < 1e-12
    assert (found.t.diff() >= 0).all()
    assert found.t.min() > 0
    assert found.t.max() < 1


def exact_crossings(weights, biases, x, y):
    """Flips of a one-dimensional chain in rational arithmetic: layer, neuron, place."""
    knots, values = [Fraction(0), Fraction(1)], [x, y]
    found = []
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        pairs = list(zip(weight, bias, strict=True))
        z = [
            [sum(w * v for w, v in zip(row, at, strict=True)) + b for row, b in pairs]
            for at in values
        ]
        new = {}
        for k in range(len(knots) - 1):
            new[knots[k]] = z[k]
            for neuron, (left, right) in enumerate(zip(z[k], z[k + 1], strict=True)):
                if left * right < 0:
                    share = left / (left - right)
                    t = knots[k] + share * (knots[k + 1] - knots[k])
                    new[t] = [a + share * (b - a) for a, b in zip(z[k], z[k + 1], strict=True)]
                    found.append((t, layer, neuron))
        new[knots[-1]] = z[-1]
        knots = sorted(new)
        values = [[max(v, Fraction(0)) for v in new[t]] for t in knots]
    return sorted(found)


@pytest.mark.parametrize("seed", range(6))
def test_the_walk_equals_rational_arithmetic(seed):
    stream = torch.Generator().manual_seed(seed)
    shapes = [(4, 2), (5, 4), (3, 5)]
    weights = [torch.randint(-9, 10, shape, generator=stream) for shape in shapes]
    biases = [torch.randint(-29, 30, shape[:1], generator=stream) for shape in shapes]
    x, y = torch.randint(-20, 21, (2, 2), generator=stream)
    modules = []
    for weight, bias in zip(weights, biases, strict=True):
        linear = nn.Linear(weight.shape[1], weight.shape[0]).double()
        linear.load_state_dict({"weight": weight, "bias": bias})
        modules += [linear, nn.ReLU()]
    found = SegmentWalk(nn.Sequential(*modules)).crossings(x, y)
    as_fractions = [[list(map(Fraction, row)) for row in weight.tolist()] for weight in weights]
    wanted = exact_crossings(
        as_fractions,
        [list(map(Fraction, bias.tolist())) for bias in biases],
        *(list(map(Fraction, point.tolist())) for point in (x, y)),
    )
    got = sorted(zip(found.t.tolist(), found.layer.tolist(), found.neuron.tolist(), strict=True))
    assert [t for t, *_ in got] == pytest.approx([float(t) for t, *_ in wanted], abs=1e-12)
    assert [plane for _, *plane in got] == [plane for _, *plane in wanted]


def scalar(*maps):
    """A chain of one number: weight and bias of each layer."""
    modules = []
    for weight, bias in maps:
        linear = nn.Linear(1, len(weight)) if not modules else nn.Linear(len(modules[-2].bias), 1)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(weight).reshape(linear.weight.shape))
            linear.bias.copy_(torch.tensor(bias))
        modules += [linear, nn.ReLU()]
    return nn.Sequential(*modules)


def counted(network, x, y):
    found = count_transitions(network, torch.tensor([[x]]), torch.tensor([[y]]))
    return found.regions.item(), found.flips.item()


def test_a_hyperplane_of_the_second_layer_is_crossed_twice():
    """z = |x| - 1: the counter-example to Lemma 10, by which a segment meets it at most once."""
    network = scalar(([1.0, -1.0], [0.0, 0.0]), ([1.0, 1.0], [-1.0]))
    found = SegmentWalk(network).crossings(torch.tensor([-2.0]), torch.tensor([2.0]))
    assert found.t.tolist() == [0.25, 0.5, 0.5, 0.75]
    assert (found.regions, found.flips, found.repeated) == (3, 4, 1)


def test_neurons_that_flip_together_change_the_region_once():
    assert counted(scalar(([1.0, 2.0, -3.0], [0.0, 0.0, 0.0])), -1.0, 1.0) == (1, 3)


def test_touching_a_breakpoint_is_no_flip():
    touching = scalar(([1.0, -1.0], [0.0, 0.0]), ([1.0, 1.0], [0.0]))  # z = |x|
    assert counted(touching, -1.0, 1.0) == (1, 2)  # the two neurons of the first layer only


def test_a_neuron_that_lies_on_its_breakpoint_flips_where_it_leaves_to_the_other_side():
    # z = relu(x - 1) - relu(-x): negative, then 0 between 0 and 1, then positive
    network = scalar(([1.0, -1.0], [-1.0, 0.0]), ([1.0, -1.0], [0.0]))
    found = SegmentWalk(network).crossings(torch.tensor([-1.0]), torch.tensor([3.0]))
    assert found.t.tolist() == [0.25, 0.5, 0.5]
    assert found.layer.tolist() == [0, 0, 1]


@pytest.mark.parametrize("largest", [1, 2**22])
@pytest.mark.parametrize("seed", range(30))
def test_a_neuron_on_its_breakpoint_is_followed_from_part_to_part(seed, largest):
    stream = torch.Generator().manual_seed(seed)
    up, down, over, under = (0.1 + torch.rand(4, generator=stream)).tolist()
    # 0 between the places where the two neurons of the first layer cross, whatever the slopes
    network = scalar(([up, -down], [-0.7, -0.3]), ([over, -under], [0.0]))
    x, y = torch.tensor([-8.1]), torch.tensor([7.7])
    found = SegmentWalk(network, largest).crossings(x, y)
    assert (found.regions, found.flips) == (2, 3)
    assert found.layer.tolist() in ([0, 0, 1], [0, 1, 0])


def test_a_neuron_that_starts_on_its_breakpoint_does_not_flip():
    assert counted(scalar(([1.0], [0.0])), 0.0, 1.0) == (0, 0)
    assert counted(scalar(([1.0], [0.0])), -1.0, 0.0) == (0, 0)


def test_a_dead_network_and_a_segment_of_length_zero_have_no_transitions():
    assert counted(scalar(([0.0, 0.0], [0.0, -1.0])), -1.0, 1.0) == (0, 0)
    assert counted(scalar(([1.0, 2.0], [0.5, -1.0])), 0.3, 0.3) == (0, 0)


def test_relu6_has_two_hyperplanes():
    network = nn.Sequential(nn.Identity(), nn.ReLU6(), nn.Linear(1, 1), nn.ReLU())
    with torch.no_grad():
        network[2].weight.fill_(1.0)
        network[2].bias.fill_(-3.0)
    found = SegmentWalk(network).crossings(torch.tensor([-1.0]), torch.tensor([9.0]))
    assert found.t.tolist() == pytest.approx([0.1, 0.4, 0.7])
    assert found.breakpoint.tolist() == [0, 0, 1]


@pytest.mark.parametrize("module", [nn.GELU(), nn.MaxPool1d(2), nn.Sigmoid()])
def test_what_is_not_piecewise_linear_in_each_input_is_refused(module):
    with pytest.raises(ValueError, match=r"is not piecewise linear .*; accepted: relu, .*Use est"):
        SegmentWalk(nn.Sequential(nn.Linear(2, 2), module))


def test_the_network_is_left_in_training_with_its_own_numbers():
    network = network_of(2, 0, parameterization="bn").float().train()
    before = {name: value.clone() for name, value in network.state_dict().items()}
    SegmentWalk(network).crossings(*ends(0))
    assert network.training
    torch.testing.assert_close(network.state_dict(), before, rtol=0, atol=0)
