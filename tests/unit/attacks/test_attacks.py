"""An attack stays where it may, leaves no trace in the network, and names bad input."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reactivate.attacks.ascent import ascend
from reactivate.attacks.fgsm import fgsm
from reactivate.attacks.pgd import pgd
from reactivate.models.vgg import VGG6
from torch import nn
from torch.nn import functional


def small_network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))


def batch(count=7):
    stream = torch.Generator().manual_seed(1)
    return torch.rand(count, 6, generator=stream), torch.arange(count) % 3


@settings(max_examples=30)
@given(
    norm=st.sampled_from(["linf", "l2"]),
    start=st.sampled_from(["none", "uniform", "gaussian"]),
    epsilon=st.floats(0.001, 2),
    step=st.floats(0.001, 2),
    steps=st.integers(1, 4),
)
def test_the_result_is_an_image_inside_the_ball(norm, start, epsilon, step, steps):
    x, y = batch()
    stream = torch.Generator().manual_seed(2)
    found = pgd(small_network().eval(), x, y, epsilon, step, steps, norm, start, stream)
    distances = torch.linalg.vector_norm(found - x, ord={"linf": torch.inf, "l2": 2}[norm], dim=1)
    assert found.min() >= 0
    assert found.max() <= 1
    assert distances.max() <= epsilon * (1 + 1e-5) + 1e-6


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("keep_gradients", [True, False])
def test_the_network_is_left_as_it_was(training, keep_gradients):
    network = small_network().train(training)
    network[0].eval()  # a mode of its own
    x, y = batch()
    if keep_gradients:
        functional.cross_entropy(network(x), y).backward()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    gradients = [None if p.grad is None else p.grad.clone() for p in network.parameters()]
    modes = [module.training for module in network.modules()]
    with torch.no_grad():
        pgd(network, x, y, 0.1, 0.02, 3)
    assert all(torch.equal(tensor, before[k]) for k, tensor in network.state_dict().items())
    assert [module.training for module in network.modules()] == modes
    assert all(parameter.requires_grad for parameter in network.parameters())
    for parameter, gradient in zip(network.parameters(), gradients, strict=True):
        assert (parameter.grad is None) == (gradient is None)
        assert gradient is None or torch.equal(parameter.grad, gradient)


def test_the_mode_of_the_network_decides_which_statistics_are_used():
    network = small_network()
    x, y = batch()
    trained, evaluated = (pgd(network.train(mode), x, y, 0.1, 0.02, 3) for mode in (True, False))
    assert not torch.equal(trained, evaluated)


def test_an_attack_raises_the_loss_of_a_network_of_the_library():
    torch.manual_seed(0)
    network = VGG6(width=0.05, classes=3)
    x, y = torch.rand(4, 3, 32, 32), torch.tensor([0, 1, 2, 0])
    clean = functional.cross_entropy(network(x), y)
    assert functional.cross_entropy(network(fgsm(network, x, y, 8 / 255)), y) > clean
    steps = pgd(network, x, y, 8 / 255, 2 / 255, 10)
    assert functional.cross_entropy(network(steps), y) > clean


def test_a_start_is_drawn_from_the_generator_alone():
    x, y = batch()
    found = [
        pgd(small_network().eval(), x, y, 0.1, 0.001, 1, start=start, generator=stream)
        for start in ("uniform", "gaussian")
        for stream in (torch.Generator().manual_seed(n) for n in (3, 3, 4))
    ]
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[3], found[4])
    assert not torch.equal(found[0], found[2])
    assert not torch.equal(found[0], found[3])


def test_an_image_without_a_gradient_stays():
    x, y = batch()
    network = nn.Linear(6, 3)
    nn.init.zeros_(network.weight)
    assert torch.equal(pgd(network, x, y, 0.1, 0.02, 3, norm="l2"), x)


def test_no_images_are_no_problem():
    network = small_network().eval()
    found = pgd(network, torch.zeros(0, 6), torch.zeros(0, dtype=torch.int64), 0.1, 0.02, 1)
    assert found.shape == (0, 6)


@pytest.mark.parametrize("wrong", [-0.01, 1.01, float("nan"), float("inf")])
@pytest.mark.parametrize("attack", [fgsm, lambda *a: pgd(*a, step=0.1, steps=1)])
def test_pixels_outside_the_range_are_named(attack, wrong):
    x, y = batch()
    x[2, 3] = wrong
    with pytest.raises(ValueError, match=r"^pixels go from .*; accepted: from 0 to 1.*Standard"):
        attack(small_network(), x, y, 0.1)


def test_ascent_takes_pixels_from_0_to_1_only():
    with pytest.raises(ValueError, match=r"^pixels go from -1 to 1; accepted: from 0"):
        ascend(torch.sum, torch.tensor([[-1.0, 1.0]]), step=0.1, steps=1)


def test_levels_of_pixels_are_named():
    y = torch.zeros(1, dtype=torch.int64)
    with pytest.raises(ValueError, match=r"^images are torch.uint8; accepted: floating .*Divide"):
        fgsm(small_network(), torch.zeros(1, 6, dtype=torch.uint8), y, 0.1)


@pytest.mark.parametrize("value", [0, -0.1, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["epsilon", "step"])
def test_a_length_that_is_not_positive_is_named(name, value):
    x, y = batch()
    sizes = {"epsilon": 0.1, "step": 0.1, name: value}
    with pytest.raises(ValueError, match=rf"^{name} is .*; accepted: a finite number above 0"):
        pgd(small_network(), x, y, steps=1, **sizes)


def test_no_steps_are_named():
    with pytest.raises(ValueError, match=r"^steps is 0; accepted"):
        pgd(small_network(), *batch(), 0.1, 0.1, 0)


def test_a_random_start_without_a_generator_is_named():
    with pytest.raises(ValueError, match=r"^start 'uniform' is random .*; accepted: a torch.Gen"):
        pgd(small_network(), *batch(), 0.1, 0.1, 1, start="uniform")


def test_an_unknown_start_is_named():
    with pytest.raises(ValueError, match=r"^start is 'corner'; accepted: none, uniform, gaussian"):
        pgd(small_network(), *batch(), 0.1, 0.1, 1, start="corner")
