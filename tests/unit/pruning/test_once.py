"""A network is pruned in one call: what is left, what stays, what cannot be done."""

from itertools import pairwise

import pytest
import torch
from reactivate.layers import PARAMETERIZATIONS
from reactivate.models import MODELS
from reactivate.models.mlp import MLP
from reactivate.models.vgg import VGG16
from reactivate.pruning.masks import make_permanent
from reactivate.pruning.once import prune
from reactivate.pruning.removal import METHODS
from reactivate.pruning.targets import find_targets
from torch import nn


@pytest.fixture(autouse=True)
def seeded():
    """Initial weights are the same in whatever order the tests are run."""
    torch.manual_seed(0)


def points(count=30, features=4):
    return torch.randn(count, features, generator=torch.Generator().manual_seed(1))


def dense(*sizes):
    layers = [m for a, b in pairwise(sizes) for m in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers[:-1])


@pytest.mark.parametrize("blend", METHODS)
@pytest.mark.parametrize("sparsity", [0.0, 0.5, 0.99])
def test_every_layer_but_the_last_loses_the_same_share(blend, sparsity):
    network = dense(4, 10, 7, 3)
    pruned, report = prune(network, [points()], sparsity, blend)
    gone = [int((pruned[k].weight == 0).sum()) for k in (0, 2, 4)]
    assert gone == [int(40 * sparsity), int(70 * sparsity), 0]
    assert [layer.layer for layer in report.layers] == ["0", "2"]
    assert [layer.size - layer.remaining for layer in report.layers] == gone[:2]
    assert report.sparsity == pytest.approx(sum(gone) / 110)


def test_one_threshold_for_all_removes_more_where_weights_are_small():
    network = dense(4, 10, 10, 3)
    with torch.no_grad():
        network[0].weight.sign_().mul_(100)  # none is small by chance
    _, report = prune(network, [points()], 0.5, "weight", scope="network")
    assert [layer.size - layer.remaining for layer in report.layers] == [0, 70]


def test_the_network_is_left_as_it_is():
    network = dense(4, 6, 2)
    before = {k: v.clone() for k, v in network.state_dict().items()}
    output = network(points())
    prune(network, [points()], 0.8)
    assert list(network.state_dict()) == list(before)
    assert torch.equal(network(points()), output)


def test_a_layer_that_was_looked_for_is_not_listened_to_any_more():
    network = dense(4, 6, 2)
    find_targets(network, points())
    assert [len(module._forward_hooks) for module in network.modules()] == [0, 0, 0, 0]


def test_every_input_is_passed_once_and_one_more_to_find_the_layers():
    passed = []
    network = dense(4, 6, 2)
    network[0].register_forward_hook(lambda layer, x, y: passed.append(len(x[0])))
    prune(network, torch.split(points(), 7), 0.5)
    assert sum(passed) == len(points()) + 1


def test_nothing_changes_at_sparsity_0():
    network = VGG16(width=0.05).eval()
    x = torch.randn(3, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    pruned, report = prune(network, [x], 0.0)
    assert report.remaining == report.size
    assert torch.equal(pruned(x), network(x))


@pytest.mark.parametrize("scope", ["layer", "network"])
def test_channels_may_be_last_in_memory(scope):
    network = VGG16(width=0.05)
    x = torch.randn(4, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    one, _ = prune(network, [x], 0.8, scope=scope)
    network.to(memory_format=torch.channels_last)
    two, _ = prune(network, [x], 0.8, scope=scope)
    for before, after in zip(one.parameters(), two.parameters(), strict=True):
        assert torch.equal(before, after)
    masks = [
        (a.weight_mask == b.weight_mask).float().mean()
        for a, b in zip(one.modules(), two.modules(), strict=True)
        if hasattr(a, "weight_mask")
    ]
    assert len(masks) == 15
    assert min(masks) > 0.99


def test_masked_weights_stay_0_while_the_copy_is_trained_on():
    pruned, _ = prune(dense(4, 6, 2), [points()], 0.7)
    optimizer = torch.optim.SGD(pruned.parameters(), 0.5, momentum=0.9, weight_decay=0.01)
    gone = pruned[0].weight == 0
    before = pruned[0].weight.detach().clone()
    for _ in range(3):
        optimizer.zero_grad()
        pruned(points()).square().sum().backward()
        optimizer.step()
    pruned(points())
    assert (pruned[0].weight[gone] == 0).all()
    assert (pruned[0].weight[~gone] != before[~gone]).all()


def test_pruning_in_steps_only_ever_removes():
    network, gone = dense(4, 20, 2), torch.zeros(20, 4, dtype=torch.bool)
    for sparsity in (0.2, 0.5, 0.5, 0.9, 0.3):
        network, report = prune(network, [points()], sparsity)
        now = network[0].weight == 0
        assert now[gone].all()
        gone = now
    assert report.remaining == 8


def test_masks_become_zeros():
    pruned, _ = prune(dense(4, 6, 2), [points()], 0.5)
    output = pruned(points())
    make_permanent(pruned)
    assert sorted(pruned.state_dict()) == ["0.bias", "0.weight", "2.bias", "2.weight"]
    assert torch.equal(pruned(points()), output)


def test_data_may_come_with_labels_and_only_once():
    network = dense(4, 6, 2)
    labelled = ((x, torch.zeros(len(x))) for x in torch.split(points(), 7))
    one, _ = prune(network, labelled, 0.5)
    two, _ = prune(network, [points()], 0.5)
    assert torch.equal(one[0].weight, two[0].weight)


def test_a_unit_that_is_always_on_or_off_goes_first():
    network = dense(4, 5, 2)
    with torch.no_grad():
        network[0].bias[:] = torch.tensor([1e3, -1e3, 0.0, 0.0, 0.0])  # the others: half and half
    pruned, report = prune(network, [points()], 0.4)
    assert (pruned[0].weight == 0).all(dim=1).tolist() == [True, True, False, False, False]
    assert report.layers[0].entropy[0] == 0.0
    assert 0.6 < report.layers[0].entropy[-1] <= 0.6932


def test_a_layer_without_entropy_is_pruned_by_weight():
    network = dense(4, 5, 2)
    with torch.no_grad():
        network[0].bias.fill_(1e3)
    by_entropy, _ = prune(network, [points()], 0.5)
    by_weight, _ = prune(network, [points()], 0.5, "weight")
    assert torch.equal(by_entropy[0].weight, by_weight[0].weight)


@pytest.mark.parametrize("blend", METHODS)
def test_a_layer_of_one_unit_keeps_a_weight(blend):
    network = nn.Sequential(
        nn.Linear(4, 1), nn.Sigmoid(), nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 2)
    )
    pruned, report = prune(network, [points()], 0.99, blend)
    assert [layer.remaining for layer in report.layers] == [1, 1]
    assert pruned(points()).isfinite().all()


@pytest.mark.parametrize("activation", ["relu", "sigmoid", "gelu", "crelu"])
def test_patterns_are_those_of_the_activation(activation):
    _, report = prune(MLP(activation, features=4, hidden=(8,)), [points()], 0.5)
    assert report.layers[0].entropy[-1] <= (1.0987 if activation == "sigmoid" else 0.6932)


@pytest.mark.parametrize("name", ["vgg16", "resnet34", "cifar_resnet56", "mobilenet_v2"])
def test_layers_of_image_networks_are_found_with_their_activations(name):
    network = MODELS.load(name)(width=0.1, classes=10)
    targets = find_targets(network, torch.zeros(1, 3, 32, 32))
    layers = [m for m in network.modules() if isinstance(m, nn.Linear | nn.Conv2d)]
    assert len(targets) >= len(layers) // 2
    assert layers[-1] not in [target.module for target in targets]
    for target in targets:
        assert torch.Size(target.neurons).numel() % target.units == 0


def test_a_layer_whose_units_are_not_those_of_the_activation_is_left_out():
    """A projection to 7 numbers, whose neurons no activation sees, before a layer of 5 units."""
    network = nn.Sequential(nn.Linear(4, 7), nn.Linear(7, 5), nn.ReLU(), nn.Linear(5, 2))
    assert [target.name for target in find_targets(network, points())] == ["1"]
    pruned, report = prune(network, [points()], 0.6)
    assert [layer.layer for layer in report.layers] == ["1"]
    assert torch.equal(pruned[0].weight, network[0].weight)


def test_the_program_masks_normalisations_too():
    network = VGG16(width=0.05)
    x = torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    pruned, report = prune(network, [x], 0.5, protocol="authors_code")
    assert len(report.layers) == 30
    scales = [m.weight for m in pruned.modules() if isinstance(m, nn.BatchNorm2d)]
    assert [int((scale == 0).sum()) for scale in scales] == [len(scale) // 2 for scale in scales]
    assert (pruned[-1].before.weight != 0).all()  # of the last layer


@pytest.mark.parametrize(
    "parameterization", [p for p in PARAMETERIZATIONS.targets if p not in ("sp", "bn")]
)
def test_a_weight_that_is_computed_cannot_be_masked(parameterization):
    network = MLP(parameterization=parameterization, features=4)
    with pytest.raises(
        ValueError, match=r"computed from other parameters.* accepted: plain layers"
    ):
        prune(network, [points()], 0.5)


def test_a_sparsity_of_1_is_named():
    with pytest.raises(ValueError, match=r"sparsity is 1.0; accepted: .* Change the call"):
        prune(dense(4, 5, 2), [points()], 1.0)


def test_an_unknown_blend_is_named_before_any_work():
    with pytest.raises(
        ValueError, match=r"unknown blend 'wieght'; did you mean weight\? Known: ent"
    ):
        prune(dense(4, 5, 2), None, 0.5, "wieght")


def test_no_data_are_named():
    with pytest.raises(ValueError, match=r"data has no batch.* accepted: .* Change the call"):
        prune(dense(4, 5, 2), [], 0.5)


def test_a_network_without_a_layer_before_an_activation_is_named():
    with pytest.raises(ValueError, match=r"Sequential has no layer that feeds an activation"):
        prune(nn.Sequential(nn.ReLU(), nn.Linear(4, 2)), [points()], 0.5)
