"""Pruning against what is written out by hand: blends, masks, entropy while training, surgery."""

import math
from statistics import fmean, pstdev, stdev

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reactivate.models import MODELS
from reactivate.models.vgg import VGG16
from reactivate.patterns.preactivations import preactivations_of
from reactivate.pruning.blends import BLENDS, importance
from reactivate.pruning.once import prune
from reactivate.pruning.pruner import Pruner
from reactivate.pruning.removal import Removal
from reactivate.pruning.schedule import Plan
from reactivate.pruning.surgery import remove_units
from torch import nn
from torch.nn import functional
from torch.nn.modules.batchnorm import _BatchNorm


def scores(values, deviation=pstdev):
    return [(value - fmean(values)) / deviation(values) for value in values]


def between(values):
    low, high = min(values), max(values)
    return [(value - low) / (high - low) for value in values]


def document(blend, weights, entropies):
    """Eq. 5.29 with absolute weights, in plain Python."""
    w, e = [abs(weight) for weight in weights], entropies
    if blend in ("normalised_product", "sum"):
        w, e = scores(w), scores(e)
    elif blend == "standardised_product":
        w, e = between(w), between(e)
    combine = {
        "weight": lambda w, e: w,
        "harmonic_mean": lambda w, e: 1 / (1 / e + 1 / w),
        "sum": lambda w, e: w + e,
    }.get(blend, lambda w, e: w * e)
    return [combine(*pair) for pair in zip(w, e, strict=True)]


def authors_code(blend, weights, entropies):
    """Importance by the formulas of the author's program, in plain Python."""
    pairs = list(zip(weights, entropies, strict=True))
    if blend == "weight":
        found = weights
    elif blend == "entropy_weighted":
        found = [w * e for w, e in pairs]
    elif blend == "harmonic_mean":
        found = [1 / (1 / (e + 1e-8) + 1 / (w + 1e-4)) for w, e in pairs]
    else:
        both = zip(scores(weights, stdev), scores(entropies, stdev), strict=True)
        found = [w * e if blend == "normalised_product" else w + e for w, e in both]
    return [abs(value) for value in found]


numbers = st.lists(st.floats(-5, 5).filter(lambda w: abs(w) > 0.01), min_size=3, max_size=30)


@pytest.mark.parametrize("blend", BLENDS)
@pytest.mark.parametrize("oracle", [document, authors_code], ids=["document", "authors_code"])
@given(weights=numbers, seed=st.integers(0, 1000))
@settings(max_examples=20)
def test_a_blend_is_its_formula(blend, oracle, weights, seed):
    if (blend, oracle) == ("standardised_product", authors_code):
        return
    stream = torch.Generator().manual_seed(seed)
    entropies = (0.01 + 0.6 * torch.rand(len(weights), generator=stream)).double()
    weights = torch.tensor(weights, dtype=torch.float64)
    if weights.abs().std() < 1e-3:
        return  # the limit of equal weights, which has its own test
    wanted = oracle(blend, weights.tolist(), entropies.tolist())
    found = importance(weights, entropies, blend, oracle.__name__)
    assert found.tolist() == pytest.approx(wanted, rel=1e-6, abs=1e-9)


def entropies_by_hand(network, x):
    """Entropy of every neuron from its stored signs, in plain Python."""
    found = {}
    for name, z in preactivations_of(network, x).items():
        on = (z > 0).double().mean(dim=0)
        parts = [-share * share.clamp(min=1e-300).log() for share in (on, 1 - on)]
        found[name] = sum(parts)
    return found


@pytest.mark.parametrize("blend", ["weight", "entropy_weighted", "harmonic_mean"])
@pytest.mark.parametrize("sparsity", [0.3, 0.9])
def test_the_lowest_scores_of_every_layer_are_masked(blend, sparsity):
    torch.manual_seed(0)
    network = VGG16(width=0.03)
    x = torch.randn(12, 3, 32, 32)
    pruned, report = prune(network, torch.split(x, 5), sparsity, blend)
    by_hand = entropies_by_hand(network, x)
    for before, after in zip(network, pruned, strict=True):
        if not hasattr(before, "layer") or before.activation is None:
            continue
        name = f"{list(network).index(before)}.activation"
        weight = before.layer.weight.detach()
        of_units = by_hand[name].reshape(len(weight), -1).mean(dim=1)
        entropies = of_units.clamp(min=1e-300).repeat_interleave(weight[0].numel())
        expected = document(blend, weight.flatten().tolist(), entropies.tolist())
        gone = (after.layer.weight == 0).flatten()
        expected = torch.tensor(expected, dtype=torch.float64)
        assert int(gone.sum()) == math.floor(round(weight.numel() * sparsity, 6))
        assert expected[gone].max() <= expected[~gone].min() + 1e-12
    assert len(report.layers) == 15


def test_one_threshold_holds_for_all_layers():
    torch.manual_seed(0)
    network = VGG16(width=0.05)
    pruned, report = prune(network, [torch.randn(2, 3, 32, 32)], 0.9, "weight", scope="network")
    layers = [u.layer for u in network if hasattr(u, "layer") and u.activation is not None]
    masked = [u.layer for u in pruned if hasattr(u, "layer") and u.activation is not None]
    weights = torch.cat([layer.weight.detach().abs().flatten() for layer in layers])
    gone = torch.cat([(layer.weight == 0).flatten() for layer in masked])
    assert int(gone.sum()) == math.floor(len(weights) * 0.9)
    assert weights[gone].max() <= weights[~gone].min()
    assert report.size == len(weights)


def train(network, batches, prunings, window):
    """Algorithm 1 written out for one hidden layer; entropies at each pruning.

    ``prunings``: how many weights are gone after which step.
    """
    first, last = network[0], network[2]
    mask, signs, entropies = torch.ones_like(first.weight), [], []
    for step, (x, y) in enumerate(batches, start=1):
        z = functional.linear(x, mask * first.weight, first.bias)
        signs.append(z.detach() > 0)
        loss = functional.cross_entropy(last(z.relu()), y)
        gradients = torch.autograd.grad(loss, list(network.parameters()))
        with torch.no_grad():
            for parameter, gradient in zip(network.parameters(), gradients, strict=True):
                parameter -= 0.5 * gradient
        if step in prunings:
            on = torch.cat(signs[-window:]).double().mean(dim=0)
            entropies.append(torch.special.entr(on) + torch.special.entr(1 - on))
            sizes = first.weight.detach().abs().double()
            score = (sizes * entropies[-1][:, None]).masked_fill(mask == 0, -1.0)
            pairs = list(zip(score.flatten().tolist(), sizes.flatten().tolist(), strict=True))
            lowest = sorted(range(len(pairs)), key=lambda place: pairs[place])
            mask.view(-1)[lowest[: prunings[step]]] = 0.0
    return mask * first.weight.detach(), entropies


def test_pruning_while_training_is_the_algorithm():
    """Algorithm 1 with entropy counted batch by batch equals a loop that stores every sign."""
    stream = torch.Generator().manual_seed(0)
    batches = [
        (torch.randn(9, 4, generator=stream), torch.randint(3, (9,), generator=stream))
        for _ in range(12)
    ]
    torch.manual_seed(1)
    ours = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
    theirs = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
    theirs.load_state_dict(ours.state_dict())
    pruner = Pruner(
        ours, batches[0][0], Removal("entropy_weighted", 0.7), Plan((3, 6, 10), window=2), ("toy",)
    )
    optimizer = torch.optim.SGD(ours.parameters(), 0.5)
    for x, y in batches:
        ours.eval()(x)  # what is evaluated in between is not counted
        optimizer.zero_grad()
        functional.cross_entropy(ours.train()(x), y).backward()
        optimizer.step()
        pruner.step()
    pruner.finish(ours)
    weight, entropies = train(theirs, batches, {3: 5, 6: 11, 10: 16}, window=2)
    assert torch.equal(ours[0].weight == 0, weight == 0)
    torch.testing.assert_close(ours[0].weight.detach(), weight)
    torch.testing.assert_close(ours[2].weight, theirs[2].weight)
    rows = pruner.records(epoch=4)
    assert [row["remaining"] for row in rows] == [24 - 5, 24 - 11, 24 - 16]
    assert [row["epoch"] for row in rows] == [0.75, 1.5, 2.5]
    largest = [round(entropy.max().item(), 6) for entropy in entropies]
    assert [row["entropy_100"] for row in rows] == largest


def disturbed(network):
    """Every statistic and parameter of normalisations at random, some factors 0."""
    for module in network.modules():
        if isinstance(module, _BatchNorm):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2.0)
            with torch.no_grad():
                module.weight.normal_()
                module.bias.normal_()
                module.weight[:: 1 + len(module.weight) // 3] = 0.0
    return network.double().eval()


@pytest.mark.parametrize(
    ("model", "arguments", "blend", "sparsity"),
    [
        ("vgg16", {"width": 0.1}, "entropy_weighted", 0.95),
        ("vgg16", {"width": 0.05}, "weight", 0.99),
        ("vgg16", {"width": 0.05, "parameterization": "sp", "dropout": 0.5}, "random", 0.95),
        ("vgg16", {"width": 0.05, "activation": "sigmoid"}, "entropy_weighted", 0.9),
        ("vgg6", {"width": 0.05, "activation": "gelu"}, "entropy_weighted", 0.9),
        ("fcnn", {"width": 0.1}, "weight", 0.99),
        ("fcnn", {"width": 0.1, "activation": "tanh"}, "entropy_weighted", 0.9),
        ("cifar_resnet56", {"width": 0.5, "depth": 1}, "entropy_weighted", 0.9),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else None,
)
def test_a_network_without_its_dead_units_computes_the_same(model, arguments, blend, sparsity):
    torch.manual_seed(0)
    network = disturbed(MODELS.load(model)(**arguments))
    shape = (3, 1, 28, 28) if model == "fcnn" else (3, 3, 32, 32)
    x = torch.randn(shape, dtype=torch.float64)
    pruned, _ = prune(network, [x], sparsity, blend)
    small = remove_units(pruned)
    with torch.no_grad():
        torch.testing.assert_close(small(x), pruned(x), rtol=1e-10, atol=1e-12)
    if blend == "entropy_weighted":
        size, left = (sum(p.numel() for p in net.parameters()) for net in (network, small))
        assert left < 0.9 * size
