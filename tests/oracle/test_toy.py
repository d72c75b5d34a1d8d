"""Training toy networks by the thousand is training every one alone, with torch's own parts."""

import pytest
import torch
from reactivate.documents.thesis.chapter3.toy import (
    RATE,
    Gradients,
    Model,
    Training,
    initialize,
    look,
    losses,
    objective,
    train,
)
from reactivate.foundation.seeding import generator
from torch import nn
from torch.testing import assert_close

EXACT = {"rtol": 0, "atol": 1e-10}
MODELS = [
    Model(activation, w, b)
    for activation in ("relu", "sigmoid")
    for w, b in [(15, 1), (1, 1), (15, 0), (50, 50)]
]
TRAININGS = [
    Training(points=7),
    Training(points=11, samples_per_step=0),
    Training(points=11, optimizer="adam", samples_per_step=0),
    Training(points=7, optimizer="adam", samples_per_step=3),
]


def alone(activation, parameters, network):
    """One network of a batch as ordinary layers."""
    w, b, v = parameters[..., network]
    first = nn.Linear(1, 10, dtype=torch.float64)
    last = nn.Linear(10, 1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        first.weight.copy_(w.unsqueeze(1))
        first.bias.copy_(b)
        last.weight.copy_(v.unsqueeze(0))
    return nn.Sequential(first, {"relu": nn.ReLU(), "sigmoid": nn.Sigmoid()}[activation], last)


def flat(network):
    """w, b and v of an ordinary network, ``(3, 10)``."""
    return torch.stack([p.detach().flatten() for p in network.parameters()])


def train_alone(network, epochs, training):
    """The loop everybody writes."""
    x = torch.linspace(-1, 1, training.points, dtype=torch.float64).unsqueeze(1)
    y = 2 * torch.cos(torch.pi * x) + x * (x - 1) + 1
    kind = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[training.optimizer]
    optimizer = kind(network.parameters(), lr=RATE)
    order = generator("thesis", "toy", "order")
    size = training.samples_per_step or len(x)
    for _ in range(epochs):
        if size < len(x):
            shuffled = torch.randperm(len(x), generator=order)
            x, y = x[shuffled], y[shuffled]
        for some_x, some_y in zip(x.split(size), y.split(size), strict=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(network(some_x), some_y).backward()
            optimizer.step()
    return flat(network)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_gradients_are_those_of_autograd(model):
    parameters = initialize(model, repeats=3)
    x = Training(points=9).inputs().unsqueeze(1)
    found = Gradients(model.activation, len(x), parameters)(parameters, x, objective(x))
    for network in range(3):
        module = alone(model.activation, parameters, network)
        nn.functional.mse_loss(module(x), objective(x)).backward()
        expected = torch.stack([p.grad.flatten() for p in module.parameters()])
        assert_close(found[..., network], expected, **EXACT)


@pytest.mark.parametrize("training", TRAININGS)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_batch_is_trained_as_its_networks_are_alone(model, training):
    parameters = initialize(model, repeats=2)
    early, late = train(model.activation, parameters, [20, 50], training)
    for network in range(2):
        module = alone(model.activation, parameters, network)
        if network == 0:
            assert_close(early[..., 0], train_alone(module, 20, training), **EXACT)
            module = alone(model.activation, parameters, network)
        assert_close(late[..., network], train_alone(module, 50, training), **EXACT)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_neurons_and_losses_are_those_of_the_network(model):
    parameters = initialize(model, repeats=2)
    x = torch.linspace(-1, 1, 8, dtype=torch.float64)
    seen = look(model.activation, parameters, x)
    for network in range(2):
        module = alone(model.activation, parameters, network)
        predicted = module(x.unsqueeze(1)).flatten()
        assert_close(seen.contribution[..., network].sum(dim=0), predicted.detach(), **EXACT)
        loss = nn.functional.mse_loss(predicted, objective(x)).detach()
        assert_close(losses(seen.contribution, x)[network], loss, **EXACT)
        for place, at in enumerate(x):
            module.zero_grad()
            (module(at.view(1, 1)) - objective(at)).square().sum().backward()
            for name, found in (("weight", seen.weight_gradient), ("bias", seen.bias_gradient)):
                expected = getattr(module[0], name).grad.flatten()
                assert_close(found[:, place, network], expected, **EXACT)


@pytest.mark.parametrize("block", [1, 3, 7, 100])
@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
def test_blocks_do_not_change_what_is_learned(activation, block):
    parameters = initialize(Model(activation, 15, 15), repeats=10)
    (whole,) = train(activation, parameters, [50], Training(points=11), block=10)
    (parts,) = train(activation, parameters, [50], Training(points=11), block=block)
    assert_close(parts, whole, **EXACT)


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
def test_permuted_networks_learn_the_same_permuted(activation):
    parameters = initialize(Model(activation, 15, 1), repeats=9)
    order = torch.randperm(9, generator=torch.Generator().manual_seed(0))
    (straight,) = train(activation, parameters, [50], Training(points=11))
    (permuted,) = train(activation, parameters[..., order], [50], Training(points=11))
    assert_close(permuted, straight[..., order], **EXACT)


@pytest.mark.parametrize("activation", ["relu", "sigmoid"])
def test_single_precision_gives_the_same_average_loss(activation):
    x = Training(points=21).inputs()
    found = []
    for dtype in (torch.float32, torch.float64):
        parameters = initialize(Model(activation, 15, 5), repeats=20, dtype=dtype)
        (state,) = train(activation, parameters, [100], Training(points=21))
        found.append(losses(look(activation, state.double(), x).contribution, x).mean())
    assert_close(found[0], found[1], rtol=1e-3, atol=0)
