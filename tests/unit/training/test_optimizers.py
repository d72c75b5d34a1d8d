"""Optimizers move parameters as torch's do, and spare those that a recipe spares."""

import copy

import pytest
import torch
from reactivate.models import MODELS
from reactivate.training.optimizers import make_optimizer, set_rates

PLAIN = {"name": "sgd", "momentum": 0.9, "weight_decay": 0.1}
SPARING = {**PLAIN, "nesterov": True, "spares_vectors": True, "but": ["eta"]}


def network():
    torch.manual_seed(0)
    return MODELS.load("resnet14")(activation="iieu_b", width=0.05, classes=3).double()


def stepped(net, optimizer, steps=3):
    """The network after steps with gradients that are all 1, at a rate that falls."""
    for step in range(steps):
        for parameter in net.parameters():
            parameter.grad = torch.ones_like(parameter)
        set_rates(optimizer, 0.1 / (step + 1), 0.1)
        optimizer.step()
    return dict(net.named_parameters())


def by_hand(start, decay, nesterov, steps=3):
    """A parameter after the same steps, by the formula."""
    value, velocity = start.clone(), torch.zeros_like(start)
    for step in range(steps):
        gradient = torch.ones_like(value) + decay * value
        velocity = 0.9 * velocity + gradient
        value -= 0.1 / (step + 1) * (gradient + 0.9 * velocity if nesterov else velocity)
    return value


@pytest.mark.parametrize("settings", [PLAIN, SPARING], ids=["plain", "sparing"])
def test_parameters_move_by_the_formula_and_vectors_may_be_spared(recipe, settings):
    net = network()
    start = copy.deepcopy(dict(net.named_parameters()))
    moved = stepped(net, make_optimizer(recipe(optimizer=settings), net, 0.1))
    for name, parameter in moved.items():
        spared = parameter.dim() == 1 and not name.endswith("eta") and settings is SPARING
        expected = by_hand(start[name].detach(), 0.0 if spared else 0.1, settings is SPARING)
        torch.testing.assert_close(parameter.detach(), expected)


def test_what_is_spared_are_norms_and_biases(recipe):
    net = network()
    optimizer = make_optimizer(recipe(optimizer=SPARING), net, 0.1)
    names = {id(parameter): name for name, parameter in net.named_parameters()}
    decayed, spared = ([names[id(p)] for p in g["params"]] for g in optimizer.param_groups)
    assert len(decayed) + len(spared) == len(names)
    assert {name.rpartition(".")[2] for name in decayed} == {"weight", "eta"}
    assert {name.rpartition(".")[2] for name in spared} == {"weight", "bias"}
    assert all(dict(net.named_parameters())[n].dim() > 1 for n in decayed if "eta" not in n)


def test_a_training_that_spares_goes_on_to_the_same_bytes(project, new_run, finish, interrupt):
    settings = {"network": "convolutions", "parameterization": "bn", "optimizer": SPARING}
    whole = finish(new_run("whole", **settings))
    run = new_run("parts", **settings)
    interrupt(run, 2)
    assert finish(new_run("parts", **settings)) == whole
