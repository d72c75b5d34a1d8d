"""Every activation and network can be copied, saved, compiled and exported, and stays the same.

What is exported takes batches of any size. ONNX needs ``pip install reactivate[onnx]``.
"""

import copy

import pytest
import torch
from reactivate.activations import ACTIVATIONS, create, names
from reactivate.activations.traits import traits_of
from reactivate.layers import PARAMETERIZATIONS
from reactivate.layers.gmp import unit_vector
from reactivate.models import MODELS
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

# of torch's own compilers and exporters, while they work
pytestmark = pytest.mark.filterwarnings("ignore")
ANY_BATCH = ({0: torch.export.Dim.AUTO},)


class Placed(nn.Module):
    """An activation after a convolution, which some of them read."""

    def __init__(self, name):
        super().__init__()
        self.convolution = nn.Conv2d(4, 4, 3, padding=1)
        self.activation = create(name, channels=4)
        self.reads_it = traits_of(ACTIVATIONS.load(name)).needs_convolution

    def forward(self, x):
        response = self.convolution(x)
        if self.reads_it:
            return self.activation(response, x, self.convolution)
        return self.activation(response)


def placed(name):
    torch.manual_seed(0)
    return Placed(name).eval()


SIZES = {"mlp": (1,), "fcnn": (1, 28, 28), "allcnn": (3, 224, 224)}
# what they find is as many boxes as suppression leaves, so it has no shape that could be exported
DETECTORS = {"retinanet"}
NETWORKS = [(name, {}) for name in MODELS.targets if name not in DETECTORS]
STYLES = [
    *(("vgg6", {"parameterization": name}) for name in PARAMETERIZATIONS.targets),
    ("cifar_resnet56", {"activation": "iieu_b"}),
    ("cifar_resnet56", {"activation": "iieu_dc"}),
    ("cifar_resnet56", {"activation": "meta_acon"}),
    ("cifar_resnet56", {"activation": "psc"}),
    ("convpool8", {"activation": "spsc"}),
    ("mlp", {"activation": "iieu_b"}),
]


def called(case):
    name, settings = case
    return "-".join([name, *settings.values()])


def small(name, settings):
    """A network with few channels, whose statistics are those of some images."""
    if name.startswith("cifar_resnet"):
        settings = {"depth": 1, **settings}
    if name.startswith(("convpool", "allcnn")):  # else almost constant: they have no norms
        settings = {"initialization": "fan_out", **settings}
    torch.manual_seed(0)
    net = MODELS.load(name)(**{"width": 0.25, "classes": 6, **settings})
    for module in net.modules():
        if isinstance(module, _BatchNorm):
            module.momentum = 1.0
    with torch.no_grad():
        net.train()(images(name, 8))
    return net.eval()


def images(name, count=3):
    size = SIZES.get(name.partition("_")[0], (3, 32, 32))
    return torch.randn(count, *size, generator=torch.Generator().manual_seed(1))


def same(found, expected):
    """Equal to what float32 leaves of it, where the numbers are not all the same."""
    expected = expected.detach()
    size = expected.abs().max().item()
    assert expected.std(0).max() > 1e-3 * size
    torch.testing.assert_close(found.detach(), expected, rtol=1e-4, atol=2e-4 * size)


def in_onnx(exported, x):
    """What ONNX's runtime computes of an exported program."""
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    program = torch.onnx.export(exported, (x,), dynamo=True, verbose=False)
    session = runtime.InferenceSession(program.model_proto.SerializeToString())
    (found,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    return torch.from_numpy(found)


@pytest.fixture
def fresh():
    """Nothing that was compiled before."""
    torch.compiler.reset()
    yield
    torch.compiler.reset()


@pytest.mark.parametrize("name", names())
def test_activation_is_copied_and_saved(name):
    first, x = placed(name), torch.randn(3, 4, 5, 5)
    torch.testing.assert_close(copy.deepcopy(first)(x), first(x), rtol=0, atol=0)
    second = Placed(name).eval()
    second.load_state_dict(first.state_dict())
    torch.testing.assert_close(second(x), first(x), rtol=0, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_activation_is_exported(name):
    net, x = placed(name), torch.randn(3, 4, 5, 5)
    exported = torch.export.export(net, (x,), dynamic_shapes=ANY_BATCH)
    other = torch.randn(2, 4, 5, 5)
    same(exported.module()(other), net(other))
    same(in_onnx(exported, x), net(x))


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_activation_and_its_gradients_are_compiled(name, fresh):
    net, x = placed(name), torch.randn(3, 4, 5, 5, requires_grad=True)
    results = []
    for run in (torch.compile(net, backend="aot_eager", fullgraph=True), net):
        out = run(x)
        wanted = [x, *net.parameters()]
        results.append((out, *torch.autograd.grad(out.square().sum(), wanted)))
    for found, expected in zip(*results, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_activation_is_compiled_by_inductor(name, fresh):
    net, x = placed(name), torch.randn(3, 4, 5, 5)
    with torch.no_grad():
        same(torch.compile(net, fullgraph=True)(x), net(x))


@pytest.mark.slow
@pytest.mark.parametrize("case", [*NETWORKS, *STYLES], ids=called)
def test_network_is_copied_and_saved(case):
    net, x = small(*case), images(case[0])
    expected = net(x)
    torch.testing.assert_close(copy.deepcopy(net)(x), expected, rtol=0, atol=0)
    again = small(*case)
    with torch.no_grad():
        for parameter in again.parameters():
            parameter.add_(0.1)
    again.load_state_dict(net.state_dict())
    torch.testing.assert_close(again(x), expected, rtol=0, atol=0)


@pytest.mark.parametrize("activation", ["relu", "iieu_dc"])
@pytest.mark.parametrize("name", sorted(DETECTORS))
def test_detector_is_copied_and_saved(name, activation):
    tiny = {"width": 0.05, "classes": 3, "depths": (1, 1, 1, 1), "short": 64, "threshold": 0.0}
    first, second = (MODELS.load(name)(activation=activation, **tiny).eval() for _ in range(2))
    second.load_state_dict(first.state_dict())
    pictures = [torch.rand(3, 48, 96)]
    with torch.no_grad():
        expected, *others = (net(pictures) for net in (first, second, copy.deepcopy(first)))
    assert len(expected[0]["boxes"]) > 0
    for found in others:
        torch.testing.assert_close(found, expected, rtol=0, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("case", [*NETWORKS, *STYLES], ids=called)
def test_network_is_exported(case):
    net, x = small(*case), images(case[0])
    exported = torch.export.export(net, (x,), dynamic_shapes=ANY_BATCH)
    same(exported.module()(x[:2]), net(x[:2]))
    same(in_onnx(exported, x), net(x))


@pytest.mark.slow
@pytest.mark.parametrize("case", [*NETWORKS, *STYLES], ids=called)
def test_network_is_compiled(case, fresh):
    net, x = small(*case), images(case[0])
    same(torch.compile(net, backend="aot_eager", fullgraph=True)(x), net(x))


@pytest.mark.parametrize("angles", [1, 2, 3, 64, 300])
def test_exported_directions_are_those_of_the_formula(angles):
    class Directed(nn.Module):
        def forward(self, theta):
            return unit_vector(theta)

    theta = 3.1 * torch.rand(5, angles, dtype=torch.float64)
    theta[:, -1] -= 3
    exported = torch.export.export(Directed(), (theta,)).module()
    torch.testing.assert_close(exported(theta), unit_vector(theta), rtol=1e-12, atol=1e-15)
