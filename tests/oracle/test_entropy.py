"""Counting while batches pass by equals storing every pattern."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reactivate.models import MODELS
from reactivate.patterns.breakpoints import encode
from reactivate.patterns.entropy import PatternCounts, count_patterns
from reactivate.patterns.preactivations import preactivations_of


def stored_entropy(codes):
    """Entropy of one neuron from all its codes."""
    seen = [code for code in codes if code != -1]
    shares = [seen.count(code) / len(seen) for code in set(seen)]
    return -sum(share * math.log(share) for share in shares)


@given(
    points=st.sampled_from([(0.0,), (-0.5, 0.5), (-1.0, 0.0, 0.5, 1.0)]),
    dtype=st.sampled_from([torch.float16, torch.bfloat16, torch.float32, torch.float64]),
    count=st.integers(1, 40),
    size=st.integers(1, 40),
    seed=st.integers(0, 1000),
)
@settings(max_examples=60)
def test_counters_equal_storing_everything(points, dtype, count, size, seed):
    stream = torch.Generator().manual_seed(seed)
    z = torch.randint(-6, 7, (count, 5, 2), generator=stream).to(dtype) / 4  # often on breakpoints
    z[torch.rand(z.shape, generator=stream) < 0.05] = float("nan")
    counts = PatternCounts(points)
    for batch in torch.split(z, size):
        counts.update(batch)
    codes = encode(z, points)
    wanted = torch.stack([(codes == code).sum(dim=0) for code in range(len(points) + 1)])
    assert counts.points == count
    assert torch.equal(counts.counts, wanted)
    columns = codes.flatten(1).T.tolist()
    entropies = [stored_entropy(column) for column in columns]
    assert counts.entropy().flatten().tolist() == pytest.approx(entropies, abs=1e-14)


@pytest.mark.parametrize(
    ("model", "activation"),
    [
        ("vgg16", "relu"),
        ("vgg16", "tanh"),
        ("cifar_resnet56", "gelu"),
        ("cifar_vgg_conv1", "relu"),
    ],
)
def test_counters_of_a_network_equal_those_of_its_stored_preactivations(model, activation):
    torch.manual_seed(0)
    settings = {"depth": 1} if model == "cifar_resnet56" else {}
    network = MODELS.load(model)(activation, width=0.1, **settings)
    x = torch.randn(10, 3, 32, 32)
    counted = count_patterns(network, torch.split(x, 5))
    whole = {
        name: torch.cat([one, two])
        for (name, one), two in zip(
            preactivations_of(network, x[:5]).items(),
            preactivations_of(network, x[5:]).values(),
            strict=True,
        )
    }
    assert list(counted) == list(whole)
    for name, layer in counted.items():
        codes = encode(whole[name], layer.breakpoints)
        wanted = [(codes == code).sum(dim=0) for code in range(len(layer.breakpoints) + 1)]
        assert torch.equal(layer.counts, torch.stack(wanted)), name
