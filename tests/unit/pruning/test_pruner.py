"""Pruning while training goes on where it was interrupted, and says what each pruning left."""

from statistics import quantiles
from types import SimpleNamespace

import pytest
import torch
from reactivate.pruning.pruner import Pruner
from reactivate.pruning.removal import Removal, remains
from reactivate.pruning.schedule import Plan
from torch import nn

BATCHES = torch.randn(4, 9, 4, generator=torch.Generator().manual_seed(0))


def start(moments=(4,), window=4):
    """A network that is not trained, so that only what was counted can differ."""
    torch.manual_seed(3)
    network = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3)).train()
    removal, plan = Removal("entropy_weighted", 0.5), Plan(moments, window)
    return network, Pruner(network, torch.zeros(1, 4), removal, plan, ("toy",))


def go_on(network, pruner, batches):
    for x in batches:
        network(x)
        pruner.step()


def test_a_run_that_is_interrupted_while_counting_ends_the_same():
    network, pruner = start()
    go_on(network, pruner, BATCHES)
    first, half = start()
    go_on(first, half, BATCHES[:2])
    second, restored = start()
    second.load_state_dict(first.state_dict())
    restored.load_state_dict(half.state_dict())
    go_on(second, restored, BATCHES[2:])
    assert restored.records(epoch=1) == pruner.records(epoch=1)
    assert torch.equal(second[0].weight, network[0].weight)
    _, forgetful = start()
    forgetful.finished = 2
    assert forgetful.records(epoch=1) != pruner.records(epoch=1)


@pytest.mark.parametrize("finished", [1, 2, 3, 4])
def test_a_pruning_is_recorded_from_its_own_step_on(finished):
    network, pruner = start(moments=(2, 4), window=2)
    go_on(network, pruner, BATCHES[:finished])
    rows = pruner.records(epoch=3)
    assert [row["remaining"] for row in rows] == [24 - 6, 24 - 12][: finished // 2]
    assert [row["epoch"] for row in rows] == [0.666667, 1.333333][: finished // 2]
    shares = ["entropy_0", "entropy_25", "entropy_50", "entropy_75", "entropy_100"]
    columns = ["pruning", "step", "epoch", "layer", "size", "remaining", *shares]
    assert [list(row) for row in rows] == [columns] * len(rows)


def test_what_is_left_of_a_layer_is_told_with_the_quartiles_of_its_entropies():
    entropies = [0.1, 0.7, 0.2, 0.05, 0.6, 0.65]
    layer = SimpleNamespace(name="3", mask=torch.tensor([[1, 0], [0, 1], [1, 1]]))
    found = remains(layer, torch.tensor(entropies).reshape(2, 3))
    assert (found.layer, found.size, found.remaining) == ("3", 6, 4)
    between = quantiles(entropies, n=4, method="inclusive")
    assert found.entropy == pytest.approx((min(entropies), *between, max(entropies)))
