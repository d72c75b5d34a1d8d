"""Phases of PSC have the derivatives of their formula, by every way that torch has."""

import pytest
import torch
from reactivate.activations.psc import PSC, phases
from torch.func import jvp, vmap


@pytest.fixture
def x():
    torch.manual_seed(0)
    drawn = torch.randn(4, 3, 5, 5, dtype=torch.float64)
    drawn[:, :, 0] = 0.0  # where slopes jump
    return drawn


@pytest.mark.parametrize("memory", [torch.contiguous_format, torch.channels_last])
def test_gradients_are_those_of_the_formula(x, memory):
    weights = torch.randn(4, 6, 5, 5, dtype=torch.float64)
    found = []
    for way in (PSC(), phases):
        leaf = x.clone().contiguous(memory_format=memory).requires_grad_()
        (way(leaf) * weights).sum().backward()
        found.append(leaf.grad)
    assert torch.equal(*found)


@pytest.mark.filterwarnings("ignore:`torch.jit.script`:DeprecationWarning")  # of torch itself
def test_second_derivatives_forward_mode_and_batches_of_functions(x):
    away = x + 0.1 * (x == 0)
    assert torch.autograd.gradgradcheck(PSC(), away[:1, :1, :2, :2].clone().requires_grad_())
    tangent = torch.randn_like(x)
    assert torch.equal(jvp(PSC(), (away,), (tangent,))[1], jvp(phases, (away,), (tangent,))[1])
    assert torch.equal(vmap(PSC())(x[None].expand(2, *x.shape))[1], phases(x))
