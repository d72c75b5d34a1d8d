"""A batch of networks is the same map, with the same gradients, as every network alone."""

import math

import pytest
import torch
from reactivate.layers.batched import BATCHED
from reactivate.layers.batched.affine import apply_affine
from reactivate.models.batched_mlp import glorot
from torch import nn
from torch.testing import assert_close

PARAMETERIZATIONS = sorted(BATCHED.targets)
# parameterization of the hidden layer, whether the output layer is weight-normalized too
LAYERS = [*((name, False) for name in PARAMETERIZATIONS), ("wn", True)]


def inputs(networks=3, samples=9, features=4, seed=7):
    stream = torch.Generator().manual_seed(seed)
    return torch.randn(networks, samples, features, dtype=torch.float64, generator=stream)


def scramble(model, seed=11):
    """Parameters that no initialization would give: biases and offsets are not zero."""
    stream = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            draw = torch.randn(parameter.shape, dtype=parameter.dtype, generator=stream)
            parameter.add_(0.3 * draw)
    return model


@pytest.fixture(params=[True, False], ids=["training", "evaluating"])
def pair(request, make, alone, name, wn_output):
    """A batch of three networks, and the ordinary module of each."""
    batch = scramble(make(name, wn_output=wn_output)).train(request.param)
    networks = [alone(name, batch, b, wn_output) for b in range(3)]
    for network in networks:
        network.module.train(request.param)
    return batch, networks


@pytest.mark.parametrize(("name", "wn_output"), LAYERS)
def test_every_network_of_a_batch_computes_what_its_ordinary_module_computes(pair):
    batch, networks = pair
    x = inputs()
    separate = torch.stack([n.module(x[b]) for b, n in enumerate(networks)])
    assert_close(batch(x), separate, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("name", "wn_output"), LAYERS)
def test_every_network_of_a_batch_has_the_gradients_of_its_ordinary_module(pair):
    batch, networks = pair
    x = inputs()
    batch(x).square().mean(dim=(1, 2)).sum().backward()
    got, wanted = {}, {}
    for b, network in enumerate(networks):
        network.module(x[b]).square().mean().backward()
        for ours, theirs in network.names.items():
            if "running" not in ours:
                gradient = batch.get_parameter(theirs).grad.view(3, -1)[b]
                got[f"{b} {ours}"] = gradient
                wanted[f"{b} {ours}"] = network.module.get_parameter(ours).grad.flatten()
    nonzero = [g.abs().max() > 1e-6 for g in wanted.values()]
    assert sum(nonzero) >= len(nonzero) - 3  # normalization cancels the bias before it
    assert_close(got, wanted, rtol=1e-10, atol=1e-12)


def test_running_statistics_after_several_batches_are_those_of_torch(make, alone):
    batch = scramble(make("bn"))
    networks = [alone("bn", batch, b) for b in range(3)]
    for step in range(5):
        x = 2.0 + 3.0 * inputs(samples=5 + step, seed=step)
        batch.train()(x)
        for b, network in enumerate(networks):
            network.module.train()(x[b])
    wanted_mean = torch.stack([n.module.norm.running_mean for n in networks])
    wanted_var = torch.stack([n.module.norm.running_var for n in networks])
    assert_close(batch.hidden.running_mean, wanted_mean, rtol=1e-12, atol=1e-12)
    assert_close(batch.hidden.running_var, wanted_var, rtol=1e-12, atol=1e-12)
    x = inputs(seed=99)
    separate = torch.stack([n.module.eval()(x[b]) for b, n in enumerate(networks)])
    assert_close(batch.eval()(x), separate, rtol=1e-12, atol=1e-12)


def test_evaluation_leaves_the_running_statistics_alone(make):
    batch = make("bn").eval()
    before = {name: rows.clone() for name, rows in batch.named_rows().items()}
    batch(5.0 + inputs())
    assert_close(batch.named_rows(), before, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["sp", "wn", "gmp"])
def test_converted_weights_compute_what_the_plain_layer_computes(name):
    stream = torch.Generator().manual_seed(3)
    weight = torch.randn(2, 6, 4, dtype=torch.float64, generator=stream)
    bias = torch.randn(2, 6, dtype=torch.float64, generator=stream)
    x = inputs(networks=2)
    layer = BATCHED.load(name)(weight, bias).affine(x)
    scale = 1.0 if layer.scale is None else layer.scale
    plain = [nn.functional.linear(x[b], weight[b], bias[b]).relu() for b in range(2)]
    ours = scale * apply_affine(x, layer.weight, layer.bias).relu()
    assert_close(ours, torch.stack(plain), rtol=1e-12, atol=1e-12)


def test_batch_norm_starts_as_the_normalized_plain_layer():
    stream = torch.Generator().manual_seed(3)
    weight = torch.randn(2, 6, 4, dtype=torch.float64, generator=stream)
    bias = torch.randn(2, 6, dtype=torch.float64, generator=stream)
    x = inputs(networks=2)
    layer = BATCHED.load("bn")(weight, bias, epsilon=0.0).train().affine(x)
    plain = torch.stack([nn.functional.linear(x[b], weight[b], bias[b]) for b in range(2)])
    deviation = plain.std(dim=1, correction=0, keepdim=True)
    normal = (plain - plain.mean(dim=1, keepdim=True)) / deviation
    assert_close(apply_affine(x, layer.weight, layer.bias), normal, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_networks_drawn_from_equal_streams_are_equal(make, name):
    one, two = make(name, networks=3), make(name, networks=1, first_seed=2)
    third = {key: rows[2:] for key, rows in one.named_rows().items()}
    assert_close(third, two.named_rows(), rtol=0, atol=0)


@pytest.mark.parametrize("name", ["wn", "bn", "gmp"])
@pytest.mark.parametrize(
    "initialization", ["document", "document_direction", "authors_code", "authors_code_signed"]
)
def test_the_first_draws_do_not_depend_on_the_parameterization(make, name, initialization):
    plain = make("sp", initialization=initialization)
    other = make(name, initialization=initialization)
    assert_close(other.output.weight, plain.output.weight, rtol=0, atol=0)
    if name != "gmp" or initialization.startswith("authors"):  # else angles replace the weights
        x = inputs()
        layer = other.hidden.eval().affine(x)
        weight = layer.weight if layer.scale is None else layer.weight * layer.scale.mT
        if name == "bn":  # running variance 1: a slope of its own
            weight = weight * math.sqrt(1 + other.hidden.epsilon)
        wanted = plain.hidden.affine(x).weight.detach().clone()
        if (name, initialization) == ("gmp", "authors_code"):  # whose conversion loses a sign
            wanted[..., -1].abs_()
        assert_close(weight, wanted, rtol=1e-12, atol=1e-12)


def test_documented_gmp_starts_with_radius_one_and_angles_over_their_whole_range(make):
    hidden = make("gmp", networks=4, features=5, hidden=500, initialization="document").hidden
    assert torch.equal(hidden.radius, torch.ones_like(hidden.radius))
    assert torch.equal(hidden.offset, torch.zeros_like(hidden.offset))
    inner, last = hidden.theta[:, :-1], hidden.theta[:, -1]
    assert inner.min() >= 0
    assert inner.max() <= math.pi
    assert last.min() >= 0
    assert last.max() <= 2 * math.pi
    # 6000 and 2000 uniform draws: their means are within 5 standard errors of the middle
    assert inner.mean().item() == pytest.approx(math.pi / 2, abs=5 * math.pi / 12**0.5 / 6000**0.5)
    assert last.mean().item() == pytest.approx(math.pi, abs=5 * 2 * math.pi / 12**0.5 / 2000**0.5)
    assert last.max() > math.pi


def test_gmp_in_all_directions_starts_with_radius_one_uniformly_on_the_sphere(make):
    hidden = make("gmp", 4, features=5, hidden=5000, initialization="document_direction").hidden
    assert torch.equal(hidden.radius, torch.ones_like(hidden.radius))
    assert torch.equal(hidden.offset, torch.zeros_like(hidden.offset))
    u = hidden.affine(None).weight.detach().flatten(0, 1)
    # of a uniform direction in n = 5 dimensions: E u = 0, E u_i u_j = [i = j] / n, and the fourth
    # moment 3 / (n (n + 2)); 20,000 draws, 6 standard errors
    middle = torch.zeros(5, dtype=torch.float64)
    assert_close(u.mean(0), middle, rtol=0, atol=6 * (1 / 5 / 20_000) ** 0.5)
    eye = torch.eye(5, dtype=torch.float64) / 5
    assert_close(u.T @ u / len(u), eye, rtol=0, atol=6 * (3 / 35 / 20_000) ** 0.5)
    assert_close(u.pow(4).mean(0), middle + 3 / 35, rtol=0, atol=6 * (0.03 / 20_000) ** 0.5)


def test_networks_in_all_directions_have_directions_of_their_own(make):
    three = make("gmp", 3, initialization="document_direction").named_rows()["hidden.theta"]
    third = make("gmp", 1, initialization="document_direction", first_seed=2)
    assert torch.equal(three[2:], third.named_rows()["hidden.theta"])
    assert not torch.equal(three[0], three[1])


@pytest.mark.parametrize("initialization", ["document", "document_direction"])
@pytest.mark.parametrize("name", ["sp", "wn", "bn"])
def test_documents_without_a_stated_initialization_keep_the_glorot_weights(
    make, name, initialization
):
    documented, code = make(name, initialization=initialization), make(name)
    assert_close(documented.named_rows(), code.named_rows(), rtol=0, atol=0)


def test_glorot_weights_fill_the_interval_of_glorot_and_bengio():
    streams = [torch.Generator().manual_seed(b) for b in range(2)]
    weight = glorot(100, 20, streams, torch.float64)
    bound = math.sqrt(6 / 120)
    assert weight.shape == (2, 100, 20)
    assert 0.99 * bound < weight.max().item() <= bound
    assert -bound <= weight.min().item() < -0.99 * bound
    assert weight.mean().item() == pytest.approx(0, abs=5 * bound / 3**0.5 / 4000**0.5)


@pytest.mark.parametrize(("name", "wn_output"), LAYERS)
@pytest.mark.parametrize("mask", [[True, False, True], [False, True, False]])
def test_kept_networks_compute_what_they_computed_among_the_others(make, name, wn_output, mask):
    batch = scramble(make(name, wn_output=wn_output))
    batch.train()(inputs(seed=5))  # moves running statistics
    x = inputs()
    kept = torch.tensor(mask)
    before = batch.eval()(x)[kept]
    rows = {key: value[kept].clone() for key, value in batch.named_rows().items()}
    batch.keep(kept)
    assert_close(batch.named_rows(), rows, rtol=0, atol=0)
    assert_close(batch(x[kept]), before, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize(("name", "wn_output"), LAYERS)
def test_loaded_rows_bring_dropped_networks_back(make, name, wn_output):
    batch = scramble(make(name, wn_output=wn_output))
    batch.train()(inputs(seed=5))
    x = inputs()
    before = batch.eval()(x)
    rows = {key: value.clone() for key, value in batch.named_rows().items()}
    batch.keep(torch.tensor([False, True, False]))
    batch.load_rows(rows)
    assert_close(batch(x), before, rtol=0, atol=0)
    assert_close(batch.named_rows(), rows, rtol=0, atol=0)


@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_named_rows_hold_every_number_of_a_network_once(make, name):
    batch, single = make(name, networks=3), make(name, networks=1)
    width = sum(rows.shape[1] for rows in batch.named_rows().values())
    assert all(rows.shape[0] == 3 for rows in batch.named_rows().values())
    tensors = [*single.parameters(), *single.buffers()]
    assert width == sum(tensor.numel() for tensor in tensors)


@pytest.mark.parametrize("name", PARAMETERIZATIONS)
def test_a_network_never_sees_the_inputs_of_another(make, name):
    batch = make(name)
    x = inputs()
    before = batch.train()(x)
    changed = x.clone()
    changed[1] += 100.0
    after = batch(changed)
    assert_close(after[[0, 2]], before[[0, 2]], rtol=0, atol=0)
    assert not torch.equal(after[1], before[1])
