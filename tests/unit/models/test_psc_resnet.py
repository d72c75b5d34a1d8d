"""Networks that read both phases: equal parameters, and the same outputs once gates are gone."""

import pytest
import torch
from reactivate.activations.annealed import AnnealedGate
from reactivate.activations.gate import gate_of
from reactivate.activations.low_rank import LowRankPhaseConv
from reactivate.models.collapsed import collapsed, compressed, gated_layers, splits
from reactivate.models.flops import count_parameters
from reactivate.models.psc_resnet import PscResNet, balanced_filters
from torch import nn

EQUAL = [("crelu", {"balanced": True}), ("psc", {"balanced": True}), ("psc", {"low_rank": True})]


@pytest.fixture(autouse=True)
def same_numbers_every_time():
    torch.manual_seed(0)


def gated(**arguments):
    """A small network of static PSC whose splits are 0, 1, 2 ... outputs of the positive phase."""
    network = PscResNet("spsc", width=0.25, depth=1, **arguments).double()
    with torch.no_grad():
        for number, (_, layer) in enumerate(gated_layers(network)):
            gate_of(layer).logits[number] = 1.0
    return network


@pytest.mark.parametrize("width", [0.5, 1.0])
@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(("activation", "arguments"), EQUAL)
def test_parameters_are_those_of_relu_within_two_percent(activation, arguments, width, depth):
    with torch.device("meta"):
        relu = count_parameters(PscResNet("relu", width=width, depth=depth))
        ours = count_parameters(PscResNet(activation, width=width, depth=depth, **arguments))
    assert abs(ours / relu - 1) < 0.02


@pytest.mark.parametrize(("channels", "filters"), [(8, 8), (16, 32), (5, 10), (64, 64)])
def test_balanced_filters_are_the_nearest_to_equal_weights(channels, filters):
    plain = channels * filters + filters * filters
    distance = [abs(channels * k + 2 * k * filters - plain) for k in range(1, 2 * filters)]
    assert balanced_filters(channels, filters) == 1 + distance.index(min(distance))


def test_a_collapsed_network_has_the_outputs_and_the_parameters_of_relu():
    network = gated().eval()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2)
    x = torch.randn(3, 3, 32, 32, dtype=torch.float64)
    small = collapsed(network)
    torch.testing.assert_close(small(x), network(x), rtol=1e-12, atol=1e-12)
    relu = PscResNet("relu", width=0.25, depth=1)
    assert count_parameters(small) == count_parameters(relu) < count_parameters(network)
    assert list(gated_layers(small)) == []
    assert len(list(gated_layers(network))) == 3


def test_every_second_convolution_is_gated_and_its_split_counted():
    network = gated()
    assert [name for name, _ in gated_layers(network)] == [
        f"{block}.branch.1.layer" for block in (1, 2, 3)
    ]
    assert splits(network) == [(0, 4), (1, 8), (2, 16)]


def test_a_collapsed_network_stays_as_its_gates_were_when_they_move_on():
    network = gated().eval()
    small, x = collapsed(network), torch.randn(2, 3, 32, 32, dtype=torch.float64)
    before = small(x)
    with torch.no_grad():
        for _, layer in gated_layers(network):
            gate_of(layer).logits[-1] = 5.0
    torch.testing.assert_close(small(x), before, rtol=0, atol=0)
    assert not torch.allclose(network(x), before)


def test_compression_replaces_the_selected_convolutions_by_their_nearest_factors():
    network = PscResNet("psc", width=0.25, depth=1).double().eval()
    small = compressed(network)
    factors = [m for m in small.modules() if isinstance(m, LowRankPhaseConv)]
    assert len(factors) == 3
    whole = network[3].branch[1].layer.weight.detach().chunk(2, dim=1)[0].flatten(1)
    narrow, widen = factors[2].narrow.weight.detach(), factors[2].widen.weight.detach()
    rank = len(narrow) // 2
    near = widen[:, :rank, 0, 0] @ narrow[:rank].flatten(1)
    values = torch.linalg.svdvals(whole)
    torch.testing.assert_close((whole - near).norm(), values[rank:].norm())
    assert count_parameters(small) < count_parameters(network)
    assert small(torch.zeros(1, 3, 32, 32, dtype=torch.float64)).shape == (1, 10)


def test_noise_fades_and_the_count_survives_saving():
    gate = AnnealedGate(4, half_life=2.0, generator=torch.Generator().manual_seed(0))
    sizes = []
    for _ in range(5):
        sizes.append(gate.noise)
        gate.delimiter()
    assert sizes == pytest.approx([1, 2 / 3, 1 / 2, 2 / 5, 1 / 3])
    other = AnnealedGate(4, half_life=2.0)
    other.load_state_dict(gate.state_dict())
    assert other.noise == gate.noise
    gate.eval().delimiter()
    assert other.noise == gate.noise


def test_samples_are_one_hot_start_everywhere_and_end_at_the_likeliest():
    gate = AnnealedGate(3, generator=torch.Generator().manual_seed(0)).double()
    first = torch.stack([gate.delimiter().detach() for _ in range(100)])
    assert ((first == 0) | (first == 1)).all()
    assert (first.sum(dim=1) == 1).all()
    assert (first.sum(dim=0) > 0).all()
    with torch.no_grad():
        gate.logits[1] = 0.2
    gate.passes += 10_000
    assert all(int(gate.delimiter().argmax()) == 1 == gate.positives for _ in range(50))
    torch.testing.assert_close(gate.likelihood, (10 * gate.logits).softmax(0))


def test_the_gradient_of_the_logits_is_that_of_the_relaxed_delimiter():
    gate = AnnealedGate(3, gain=4.0).double()
    gate.passes += 10**12  # no noise
    with torch.no_grad():
        gate.logits.copy_(torch.tensor([0.1, 0.3, -0.2, 0.0]))
    toward = torch.randn(4, dtype=torch.float64)
    (gate.delimiter() @ toward).backward()
    relaxed = (4 * gate.logits.detach()).softmax(0)
    expected = 4 * relaxed * (toward - relaxed @ toward)
    torch.testing.assert_close(gate.logits.grad, expected, rtol=1e-6, atol=1e-9)
