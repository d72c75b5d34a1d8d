"""Every activation is seen once per use, in order, and the network is left as it was."""

import pytest
import torch
from reactivate.models import MODELS
from reactivate.models.vgg import VGG16
from reactivate.patterns.preactivations import (
    evaluating,
    preactivations_of,
    visit_batches,
    watching,
)
from torch import Tensor, nn

# name -> settings, shape of an input, and activations per forward pass
NETWORKS = {
    "mlp": ({"hidden": (4, 3), "features": 5}, (5,), 2),
    "fcnn": ({"activation": "sigmoid"}, (1, 28, 28), 9),
    "vgg16": ({"dropout": 0.5}, (3, 32, 32), 15),
    "resnet34": ({"classes": 5}, (3, 32, 32), 1 + 2 * 16),
    "resnet14": ({"classes": 5, "activation": "gelu"}, (3, 32, 32), 1 + 3 * 4),
    "cifar_resnet56": ({"depth": 1}, (3, 8, 8), 1 + 2 * 3),
    "cifar_vgg_conv1": ({}, (3, 32, 32), 14),
    "mobilenet_v2": ({"classes": 5}, (3, 32, 32), 1 + 1 + 2 * 16 + 1),
}


def build(name):
    settings, shape, uses = NETWORKS[name]
    torch.manual_seed(0)
    network = MODELS.load(name)(width=0.1 if name != "mlp" else 1.0, **settings)
    return network, torch.randn(3, *shape), uses


def state_of(network):
    return {
        "numbers": {name: value.clone() for name, value in network.state_dict().items()},
        "modes": [module.training for module in network.modules()],
        "hooks": sum(len(module._forward_pre_hooks) for module in network.modules()),
        "stream": torch.random.get_rng_state(),
        "gradients": [parameter.grad is None for parameter in network.parameters()],
    }


@pytest.mark.parametrize("name", NETWORKS)
def test_every_use_is_seen_in_order_and_changes_nothing(name):
    network, x, uses = build(name)
    modules = list(network.modules())
    for module in modules[::3]:
        module.training = False  # a mixture of modes is kept
    before = state_of(network)
    found = preactivations_of(network, x)
    torch.testing.assert_close(state_of(network), before, rtol=0, atol=0)
    assert len(found) == uses
    assert all(len(z) == 3 and not z.requires_grad for z in found.values())


@pytest.mark.parametrize("name", ["mlp", "vgg16", "cifar_resnet56"])
def test_what_is_seen_is_what_the_activation_is_given(name):
    network, x, _ = build(name)
    given: list[Tensor] = []
    hooks = [
        module.register_forward_hook(lambda _, inputs, __: given.append(inputs[0]))
        for module in network.modules()
        if isinstance(module, nn.ReLU)
    ]
    found = preactivations_of(network, x)
    for hook in hooks:
        hook.remove()
    torch.testing.assert_close(list(found.values()), given, rtol=0, atol=0)


def test_the_vgg16_of_the_thesis_has_284672_neurons():
    found = preactivations_of(VGG16(), torch.zeros(1, 3, 32, 32))
    assert sum(z.numel() for z in found.values()) == 284_672


def test_a_module_that_is_used_twice_counts_twice_in_every_pass():
    relu = nn.ReLU()
    network = nn.Sequential(nn.Linear(2, 2), relu, nn.Linear(2, 2), relu)
    seen: list[str] = []
    visit_batches(network, torch.zeros(2, 3, 2), lambda name, *_: seen.append(name))
    assert seen == ["1", "1:2"] * 2


def test_values_are_those_before_an_activation_that_works_in_place():
    network = nn.Sequential(nn.Identity(), nn.ReLU(inplace=True))
    x = torch.tensor([[-1.0, 2.0]])
    assert preactivations_of(network, x.clone())["1"].tolist() == x.tolist()


def test_hooks_and_modes_are_put_back_after_an_error():
    network = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.BatchNorm1d(2))
    before = state_of(network)
    with pytest.raises(RuntimeError):
        preactivations_of(network, torch.zeros(2, 5))
    torch.testing.assert_close(state_of(network), before, rtol=0, atol=0)


def test_no_gradient_is_kept_while_evaluating():
    network = nn.Linear(2, 2)
    with evaluating(network):
        assert not network.training
        assert not network(torch.zeros(1, 2)).requires_grad
    assert network.training


def test_watching_leaves_gradients_and_statistics_of_training_alone():
    def train(watched):
        network, x, _ = build("cifar_resnet56")
        if watched:
            with watching(network, lambda *_: None):
                loss = network(x).square().sum()
        else:
            loss = network(x).square().sum()
        loss.backward()
        return {name: p.grad for name, p in network.named_parameters()}, network.state_dict()

    torch.testing.assert_close(train(True), train(False), rtol=0, atol=0)


@pytest.mark.parametrize("activation", ["iieu_b", "meta_acon"])
def test_a_network_without_elementwise_activations_is_refused(activation):
    network = MODELS.load("vgg6")(activation, width=0.1, classes=2)
    with pytest.raises(ValueError, match="has no breakpoints: not every output depends on one"):
        preactivations_of(network, torch.zeros(1, 3, 32, 32))
    assert state_of(network)["hooks"] == 0


def test_a_network_whose_activations_cannot_be_seen_is_refused():
    with pytest.raises(ValueError, match=r"Linear has no activation; accepted: .* are modules"):
        preactivations_of(nn.Linear(2, 2), torch.zeros(1, 2))
