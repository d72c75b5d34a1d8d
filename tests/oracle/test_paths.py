"""Fixed and float paths against all paths of small networks, one by one, and Theorem 8."""

from dataclasses import dataclass
from itertools import pairwise, product

import pytest
import torch
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from reactivate.activations.crelu import CReLU
from reactivate.activations.psc import PSC
from reactivate.models.cifar_resnet import CifarResNet
from reactivate.models.convpool import ConvPool
from reactivate.models.mlp import MLP
from reactivate.models.resnet import ResNet
from reactivate.models.vgg import VGG16
from reactivate.patterns.gates import float_choices, float_neurons, record, replay
from reactivate.patterns.paths import fixed_paths, float_paths, path_change
from torch import nn

ACTIVATIONS = {
    "relu": nn.ReLU,
    "leaky_relu": lambda: nn.LeakyReLU(0.25),
    "prelu": lambda: nn.PReLU(init=-0.375),
    "relu6": nn.ReLU6,
    "crelu": CReLU,
    "psc": PSC,
}
# slope, offset on every piece, for each output of one pre-activation
PIECES = {
    "relu": [[(0, 0), (1, 0)]],
    "leaky_relu": [[(0.25, 0), (1, 0)]],
    "prelu": [[(-0.375, 0), (1, 0)]],
    "relu6": [[(0, 0), (1, 0), (0, 6)]],
    "crelu": [[(0, 0), (1, 0)], [(-1, 0), (0, 0)]],
    "psc": [[(0, 0), (1, 0)], [(1, 0), (0, 0)]],
}
KINDS = (nn.ReLU, nn.LeakyReLU, nn.PReLU, nn.ReLU6, CReLU, PSC)
ROUNDING = {"rtol": 0, "atol": 1e-10}


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def randomised(network):
    """In float64 and evaluation mode, with statistics that are not the first ones."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            nn.init.normal_(module.running_mean, std=0.3)
            nn.init.uniform_(module.running_var, 0.5, 2)
            nn.init.uniform_(module.weight, 0.5, 2)
            nn.init.normal_(module.bias, std=0.3)
    return network.double().eval()


def pair(*shape, seed=0, step=0.5):
    stream = torch.Generator().manual_seed(1000 + seed)
    x, move = torch.randn(2, *shape, dtype=torch.float64, generator=stream)
    return x, x + step * move


def dense(name, sizes, seed):
    """Linear maps with an activation between them, whose outputs may be twice as many."""
    torch.manual_seed(seed)
    times = len(PIECES[name])
    modules = []
    for number, (reads, units) in enumerate(pairwise(sizes)):
        linear = nn.Linear(reads * (times if number else 1), units)
        nn.init.normal_(linear.weight)
        nn.init.normal_(linear.bias, std=2 if name == "relu6" else 1)
        modules += [linear, ACTIVATIONS[name]()]
    return nn.Sequential(*modules[:-1]).double()


@dataclass
class Layer:
    """Plain numbers: what neurons add up, and which of them each output takes, and how."""

    weight: list[list[float]]  # by neuron and input
    bias: list[float]
    gates: list[tuple[int, float, float]]  # at x: neuron, slope and offset of each output
    others: list[tuple[int, float, float]]  # at x'

    def outputs(self, below, gates):
        z = sums(self.weight, self.bias, below)
        return [slope * z[neuron] + offset for neuron, slope, offset in gates]


def sums(weight, bias, below):
    return [
        sum(w * v for w, v in zip(row, below, strict=True)) + b
        for row, b in zip(weight, bias, strict=True)
    ]


def written_out(modules, shape):
    """Matrix, bias and shape of an affine map, one column per number of its input."""
    module = nn.Sequential(*modules)
    basis = torch.eye(torch.Size(shape).numel(), dtype=torch.float64).reshape(-1, *shape)
    with torch.no_grad():
        bias = module(torch.zeros(1, *shape, dtype=torch.float64))
        columns = module(basis) - bias
    return columns.flatten(1).T.tolist(), bias.flatten().tolist(), bias.shape[1:]


def activated(z, name):
    """Neuron, slope and offset of every output of an activation."""
    points = [0, 6] if name == "relu6" else [0]
    place = [sum(number > point for point in points) for number in z]
    return [(k, *table[place[k]]) for table in PIECES[name] for k in range(len(z))]


def pooled(z, shape):
    """The largest of each 2 x 2 square of every channel, the first where there are several."""
    channels, height, width = shape
    found = []
    for c, i, j in product(range(channels), range(0, height, 2), range(0, width, 2)):
        square = [((c * height) + i + k) * width + j + m for k, m in product((0, 1), repeat=2)]
        found.append((max(square, key=lambda place: z[place]), 1.0, 0.0))
    return found, (channels, height // 2, width // 2)


def layers_of(network, name, x, other):
    """A sequence as layers of numbers, with what two inputs take in each."""
    found, values, waiting, shape = (
        [],
        [x.flatten().tolist(), other.flatten().tolist()],
        [],
        x.shape,
    )
    for module in [*network, None]:
        nonlinear = module is None or isinstance(module, (nn.MaxPool2d, *KINDS))
        if not nonlinear:
            waiting.append(module)
            continue
        weight, bias, shape = written_out(waiting, shape)
        z = [sums(weight, bias, value) for value in values]
        if module is None:
            gates = [[(k, 1.0, 0.0) for k in range(len(bias))]] * 2
        elif isinstance(module, nn.MaxPool2d):
            (one, after), (two, _) = (pooled(own, shape) for own in z)
            gates, shape = [one, two], after
        else:
            gates = [activated(own, name) for own in z]
            shape = (shape[0] * len(PIECES[name]), *shape[1:])
        found.append(Layer(weight, bias, *gates))
        waiting = []
        values = [found[-1].outputs(v, gate) for v, gate in zip(values, gates, strict=True)]
    return found


def paths(layers, x, pattern):
    """All paths: end, value, and whether a neuron on the way is float.

    They start at an input, at a bias (before its neuron's slope) or at an offset (behind it).
    """
    ends = [(place, value, False) for place, value in enumerate(x.flatten().tolist())]
    for layer in layers:
        further = []
        for out, (neuron, slope, offset) in enumerate(getattr(layer, pattern)):
            is_float = layer.gates[out] != layer.others[out]
            further.append((out, layer.bias[neuron] * slope, is_float))
            further.append((out, offset, is_float))
            for place, value, before in ends:
                if layer.weight[neuron][place]:  # else they are not connected
                    worth = value * layer.weight[neuron][place] * slope
                    further.append((out, worth, before or is_float))
        ends = further
    return ends


def summed(layers, x, pattern, floating):
    """Sum over the float or over the fixed paths that end in each output."""
    found = [0.0] * len(layers[-1].bias)
    for end, value, is_float in paths(layers, x, pattern):
        if is_float == floating:
            found[end] += value
    return torch.tensor([found], dtype=torch.float64)


def assert_sums(network, layers, x, other):
    """Everything the package says of two inputs equals sums over single paths."""
    here, there = fixed_paths(network, x[None], other[None])
    crossed, own = float_paths(network, x[None], other[None])
    close = torch.testing.assert_close
    close(here, summed(layers, x, "gates", floating=False), **ROUNDING)
    close(there, summed(layers, other, "others", floating=False), **ROUNDING)
    close(there, summed(layers, other, "gates", floating=False), **ROUNDING)  # Lemma 12
    close(own, summed(layers, other, "others", floating=True), **ROUNDING)
    close(crossed, summed(layers, other, "gates", floating=True), **ROUNDING)
    with torch.no_grad():
        close(network(x[None]) - here, summed(layers, x, "gates", floating=True), **ROUNDING)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_sums_are_those_over_all_paths_one_by_one(name, seed):
    network = dense(name, (3, 4, 3, 2), seed)
    x, _ = pair(3, seed=seed)
    other = -6 * x
    layers = layers_of(network, name, x, other)
    assert {is_float for *_, is_float in paths(layers, x, "gates")} == {True, False}
    assert_sums(network, layers, x, other)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4), st.floats(0.01, 3))
@examples(max_examples=15)
def test_sums_are_those_over_all_paths_in_random_networks(seed, first, second, step):
    network = dense("relu", (2, first, second, 2), seed)
    x, other = pair(2, seed=seed, step=step)
    assert_sums(network, layers_of(network, "relu", x, other), x, other)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["relu", "leaky_relu", "crelu"])
def test_sums_are_those_over_all_paths_through_convolutions_and_max_pooling(name, seed):
    torch.manual_seed(seed)
    times = len(PIECES[name])
    network = nn.Sequential(
        nn.Conv2d(1, 2, 3, padding=1, bias=False),
        nn.BatchNorm2d(2),
        ACTIVATIONS[name](),
        nn.MaxPool2d(2),
        nn.Conv2d(2 * times, 2, 2),
        ACTIVATIONS[name](),
        nn.Flatten(),
        nn.Linear(2 * times, 2),
    )
    network = randomised(network)
    x, other = pair(1, 4, 4, seed=seed, step=1)
    layers = layers_of(network, name, x, other)
    assert layers[1].gates != layers[1].others  # choices of the pooling are float
    assert_sums(network, layers, x, other)


def mlp(activation):
    return randomised(MLP(activation, "bn", classes=4, features=6, hidden=(16, 16, 16)))


NETWORKS = {
    "mlp": (lambda: mlp("relu"), (6,)),
    "mlp leaky": (lambda: mlp("leaky_relu"), (6,)),
    "mlp prelu": (lambda: mlp("prelu"), (6,)),
    "mlp crelu": (lambda: mlp("crelu"), (6,)),
    "relu6": (lambda: dense("relu6", (6, 20, 20, 4), 0), (6,)),
    "gmp": (lambda: randomised(MLP(parameterization="gmp_imn", features=6, hidden=(9, 9))), (6,)),
    "vgg16": (lambda: randomised(VGG16(width=0.06)), (3, 32, 32)),
    "convpool": (lambda: randomised(ConvPool("crelu", width=0.05)), (3, 32, 32)),
    "cifar resnet": (lambda: randomised(CifarResNet(width=0.3, depth=1)), (3, 8, 8)),
    "resnet": (
        lambda: randomised(ResNet("prelu", width=0.05, depths=(1, 1, 1, 1), classes=5)),
        (3, 32, 32),
    ),
}


def slope_times(network, x, move):
    """J(x) times a vector for every input, a class at a time."""
    x = x.requires_grad_()
    scores = network(x).sum(dim=0)
    rows = [torch.autograd.grad(score, x, retain_graph=True)[0] for score in scores]
    x.requires_grad_(False)
    return torch.stack([(row * move).flatten(1).sum(dim=1) for row in rows], dim=1)


@pytest.mark.parametrize("kind", NETWORKS)
def test_theorem_8_holds_to_rounding(kind):
    make, shape = NETWORKS[kind]
    network = make()
    x, other = pair(3, *shape)
    value, gates = record(network, x)
    there, others = record(network, other)
    crossed, own = float_paths(network, x, other)
    fixed, other_fixed = fixed_paths(network, x, other)
    close = torch.testing.assert_close
    step = slope_times(network, x, x - other)
    close(value - there, step + crossed - own, **ROUNDING)  # statement 2
    close(there, other_fixed + own, **ROUNDING)  # statement 1
    close(replay(network, other, gates), value - step, **ROUNDING)
    removed = {**float_neurons(gates, others), **float_choices(gates, others)}
    close(replay(network, other, others, removed), other_fixed, **ROUNDING)  # Lemma 12
    assert (crossed - own).abs().max() > 1e-3 * step.abs().max()  # the pair is no trivial one
    assert (fixed - other_fixed).abs().max() > 0


@pytest.mark.parametrize("kind", ["mlp", "vgg16", "resnet"])
@pytest.mark.parametrize("protocol", ["document", "authors_code"])
def test_changes_of_paths_add_up_to_the_change_of_the_output(kind, protocol):
    make, shape = NETWORKS[kind]
    network = make()
    x, other = pair(2, *shape)
    fixed, floating = path_change(network, x, other, protocol)
    with torch.no_grad():
        torch.testing.assert_close(fixed + floating, network(x) - network(other), **ROUNDING)


def second_pass(network, x, other):
    """The author's passes, written out for a sequence: signs first, then zeros."""
    masks, values = [], [x, other]
    for module in network:
        if isinstance(module, nn.ReLU):
            masks.append((values[0] > 0) != (values[1] > 0))
        values = [module(value) for value in values]
    found = []
    for value in (x, other):
        left = iter(masks)
        for module in network:
            if isinstance(module, nn.ReLU):
                value = value * ~next(left)
            value = module(value)
        found.append(value)
    return found


def test_the_authors_protocol_chooses_pieces_and_maxima_anew():
    network = nn.Sequential(
        nn.Conv2d(2, 6, 3, padding=1),
        nn.BatchNorm2d(6),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(6, 6, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(54, 8),
        nn.ReLU(),
        nn.Linear(8, 3),
    )
    network = randomised(network)
    x, other = pair(4, 2, 6, 6)
    with torch.no_grad():
        wanted = second_pass(network, x, other)
    found = fixed_paths(network, x, other, "authors_code")
    exact = fixed_paths(network, x, other)
    for ours, theirs, paths_only in zip(found, wanted, exact, strict=True):
        torch.testing.assert_close(ours, theirs, **ROUNDING)
        assert (ours - paths_only).abs().max() > 1e-3


def test_both_protocols_agree_on_one_hidden_layer():
    network = dense("relu", (5, 30, 4), 0)
    x, other = pair(6, 5)
    exact, passes = (fixed_paths(network, x, other, p) for p in ("document", "authors_code"))
    for ours, theirs in zip(exact, passes, strict=True):
        torch.testing.assert_close(ours, theirs, **ROUNDING)
