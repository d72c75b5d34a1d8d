"""Gates, float neurons and vulnerability: ties, refusals, and networks left as they were."""

from itertools import pairwise

import pytest
import torch
from reactivate.activations import create
from reactivate.defences.standardise import Standardised
from reactivate.models.cifar_resnet import CifarResNet
from reactivate.models.mlp import MLP
from reactivate.patterns.gates import along, gated_modules, lines, record, replay
from reactivate.patterns.paths import (
    fixed_paths,
    float_masks,
    float_paths,
    float_shares,
    path_change,
)
from reactivate.patterns.stability import stabilities
from reactivate.patterns.vulnerability import by_definition, by_true_class, vulnerable
from torch import nn


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def small(activation=nn.ReLU, **options):
    return nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1),
        nn.BatchNorm2d(3),
        activation(**options),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(12, 5),
        activation(**options),
        nn.Linear(5, 2),
    )


def images(n=3):
    x, move = torch.randn(2, n, 1, 4, 4)
    return x, x + move


def test_pairs_of_a_batch_do_not_see_each_other():
    network, (x, other) = small(), images()
    together = fixed_paths(network, x, other)
    apart = [fixed_paths(network, x[[k]], other[[k]]) for k in range(3)]
    for part, whole in zip(zip(*apart, strict=True), together, strict=True):
        torch.testing.assert_close(torch.cat(part), whole)


@pytest.mark.parametrize("protocol", ["document", "authors_code"])
def test_nothing_is_float_between_an_input_and_itself(protocol):
    network, (x, _) = small(), images()
    here, there = fixed_paths(network, x, x, protocol)
    with torch.no_grad():
        wanted = network.eval()(x)
    torch.testing.assert_close(here, wanted)
    torch.testing.assert_close(there, wanted)
    assert [float(part.abs().max()) for part in path_change(network, x, x, protocol)] == [0, 0]


@pytest.mark.parametrize("protocol", ["document", "authors_code"])
def test_an_activation_that_works_in_place_gives_the_same(protocol):
    network, (x, other) = small(), images()
    in_place = small(inplace=True)
    in_place.load_state_dict(network.state_dict())
    wanted = fixed_paths(network, x, other, protocol)
    for ours, theirs in zip(fixed_paths(in_place, x, other, protocol), wanted, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_the_network_is_left_as_it_was():
    network, (x, other) = small().train(), images()
    before = {name: value.clone() for name, value in network.state_dict().items()}
    fixed_paths(network, x, other)
    assert network.training
    torch.testing.assert_close(network.state_dict(), before, rtol=0, atol=0)
    hooks = [len(m._forward_hooks) + len(m._forward_pre_hooks) for m in network.modules()]
    assert set(hooks) == {0}


def test_a_module_that_is_used_twice_has_two_gates():
    relu = nn.ReLU()
    network = nn.Sequential(nn.Linear(2, 4), relu, nn.Linear(4, 3), relu)
    _, gates = record(network, torch.randn(5, 2))
    assert {name: tuple(piece.shape) for name, piece in gates.pieces.items()} == {
        "1": (5, 4),
        "1:2": (5, 3),
    }


def test_the_gates_of_one_input_are_used_for_many():
    network, (x, other) = small(), images(6)
    _, gates = record(network, x[:1])
    wanted = torch.cat([replay(network, point[None], gates) for point in other])
    torch.testing.assert_close(replay(network, other, gates), wanted)


def test_float_neurons_are_those_of_the_set_of_both_inputs():
    network, (x, other) = small(), images(1)
    masks = float_masks(network, x, other)
    found = stabilities(network, [x, other])
    assert masks.keys() == found.keys()
    for name, mask in masks.items():
        assert torch.equal(mask.flatten(), found[name].floating)


def test_a_neuron_on_its_breakpoint_is_float_as_in_stability():
    network = nn.Sequential(nn.Identity(), nn.ReLU6())
    x = torch.tensor([[0.0, 6.0, 1.0, 0.0, 7.0]])
    other = torch.tensor([[0.0, 6.0, 2.0, 1.0, 8.0]])
    wanted = stabilities(network, [x, other])["1"].floating
    assert torch.equal(float_masks(network, x, other)["1"][0], wanted)
    assert wanted.tolist() == [True, True, False, True, False]


def test_shares_of_float_neurons_equal_a_search_through_the_set():
    network = MLP(features=3, hidden=(7, 6))
    cloud = torch.randn(3) + 0.3 * torch.randn(40, 3)
    shares = float_shares(network, torch.split(cloud, 11))
    with torch.no_grad():
        first = network[1].layer(cloud)
        second = network[2].layer(first.relu())
    wanted = [
        sum(len({bool(sign) for sign in column > 0}) > 1 for column in z.T) / z.shape[1]
        for z in (first, second)
    ]
    assert list(shares.values()) == pytest.approx(wanted)
    assert max(wanted) > 0


@pytest.mark.parametrize(
    ("activation", "slopes", "offsets"),
    [
        (nn.ReLU(), [[0], [1]], [[0], [0]]),
        (nn.LeakyReLU(0.01, inplace=True), [[0.01], [1]], [[0], [0]]),
        (nn.ReLU6(), [[0], [1], [0]], [[0], [0], [6]]),
        (create("crelu"), [[0, -1], [1, 0]], [[0, 0], [0, 0]]),
        (create("psc"), [[0, 1], [1, 0]], [[0, 0], [0, 0]]),
    ],
)
def test_pieces_are_lines_without_rounding(activation, slopes, offsets):
    z = torch.zeros(2, 1, 5, 5, dtype=torch.float64)
    found = lines(activation, z)
    assert [part.tolist() for part in found] == [slopes, offsets]


def test_every_channel_has_its_own_line():
    activation = nn.PReLU(3)
    with torch.no_grad():
        activation.weight.copy_(torch.tensor([0.1, -2.0, 0.0]))
        slopes, offsets = lines(activation, torch.zeros(1, 3))
    assert torch.equal(slopes, torch.stack([activation.weight.detach(), torch.ones(3)]))
    assert offsets.abs().max() == 0


NOT_PIECEWISE_LINEAR = {
    "gelu": lambda: MLP("gelu"),
    "sigmoid": lambda: nn.Sequential(nn.Linear(2, 2), nn.Sigmoid()),
    "hardswish": lambda: nn.Sequential(nn.Linear(2, 2), nn.Hardswish()),
    "iieu": lambda: CifarResNet("iieu_b", "bn", width=0.3, depth=1),
    "meta_acon": lambda: CifarResNet("meta_acon", "bn", width=0.3, depth=1),
    "softmax": lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Softmax(1)),
    "layer norm": lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.LayerNorm(2)),
    "norm of the batch": lambda: nn.Sequential(
        nn.BatchNorm1d(2, track_running_stats=False), nn.ReLU()
    ),
}


@pytest.mark.parametrize("kind", NOT_PIECEWISE_LINEAR)
def test_what_is_not_piecewise_linear_is_refused(kind):
    network = NOT_PIECEWISE_LINEAR[kind]()
    message = r"\w+ at '[\w.]+' is not piecewise linear, .*; accepted: relu, .*\. Choose another"
    with pytest.raises(ValueError, match=message):
        gated_modules(network)


def test_paths_of_a_smooth_network_are_refused():
    x = torch.zeros(1, 1)
    with pytest.raises(ValueError, match=r"GELU at .* is not piecewise linear"):
        fixed_paths(MLP("gelu"), x, x)


def test_a_network_without_activations_is_refused():
    with pytest.raises(ValueError, match=r"has no activation; accepted: .*Make activations"):
        gated_modules(nn.Sequential(nn.Linear(2, 2), nn.MaxPool1d(2)))


@pytest.mark.parametrize("function", [float_masks, fixed_paths, float_paths, path_change])
def test_inputs_that_make_no_pairs_are_refused(function):
    network = MLP()
    with pytest.raises(ValueError, match=r"\(2, 1\) and \(3, 1\) make no pairs .*accepted: two"):
        function(network, torch.zeros(2, 1), torch.zeros(3, 1))


def test_on_a_breakpoint_the_piece_below_counts():
    pieces, z = torch.tensor([[1, 3, 3]]), torch.tensor([[2.0, 5.0, 7.0]])
    assert along(nn.ReLU6(), pieces, z).tolist() == [[0.0, 5.0, 7.0]]


def test_an_unknown_protocol_is_refused():
    x = torch.zeros(2, 1)
    message = r"protocol is 'code'; accepted: document, authors_code\. Change"
    with pytest.raises(ValueError, match=message):
        fixed_paths(MLP(), x, x, "code")
    with pytest.raises(ValueError, match=message):
        vulnerable("code", x, x, x, x, torch.zeros(2, dtype=torch.int64))


def test_standardised_and_reparameterized_networks_have_paths():
    inner = nn.Sequential(nn.Flatten(), *MLP(parameterization="wn", features=4, hidden=(6, 6)))
    network = Standardised([0.5], [0.2], inner)
    assert list(gated_modules(network)) == ["network.2.activation", "network.3.activation"]


def changes(*rows):
    return torch.tensor(rows, dtype=torch.float64)


def test_definition_9_compares_lengths_where_the_class_changes():
    scores = changes([3.0, 0.0], [3.0, 0.0], [3.0, 0.0], [3.0, 0.0])
    fixed = changes([2.0, 0.0], [1.0, 0.0], [2.0, -2.0], [0.5, 0.0])
    floating = changes([2.0, -0.5], [2.0, -1.0], [2.0, 0.0], [0.0, 0.0])
    found = by_definition(scores, scores - fixed - floating, fixed, floating)
    assert found.lipschitz.tolist() == [False, False, True, False]
    assert found.floating.tolist() == [True, True, False, False]  # the last stays in its class


def test_equal_lengths_are_float_vulnerable_as_the_definition_says():
    one = changes([1.0, -1.0])
    found = by_definition(changes([1.0, 0.0]), changes([-1.0, 2.0]), one, one)
    assert (found.lipschitz.item(), found.floating.item()) == (False, True)


def test_the_authors_count_has_a_sign_and_all_inputs():
    labels = torch.tensor([0, 1, 1, 0])
    fixed = changes([1.0, 9.0], [0.0, 1.0], [0.0, 2.0], [0.0, 0.0])
    floating = changes([2.0, 0.0], [9.0, -5.0], [0.0, 3.0], [0.0, 0.0])
    found = by_true_class(labels, fixed, floating)
    assert found.floating.tolist() == [True, False, True, False]
    assert found.lipschitz.tolist() == [False, True, False, True]


def test_a_protocol_chooses_the_count():
    labels, scores = torch.tensor([0]), changes([3.0, 0.0])
    fixed, floating = changes([0.1, 0.0]), changes([0.2, 0.0])
    arguments = (scores, scores - fixed - floating, fixed, floating, labels)
    found = [vulnerable(name, *arguments).floating.item() for name in ("document", "authors_code")]
    assert found == [False, True]


def test_layers_are_in_forward_order():
    names = list(float_masks(CifarResNet(width=0.2, depth=1), *torch.randn(2, 1, 3, 8, 8)))
    stages = [int(name.split(".")[0]) for name in names]
    assert all(one <= two for one, two in pairwise(stages))
    assert [name.split(".")[1] for name in names[:3]] == ["activation", "branch", "join"]
