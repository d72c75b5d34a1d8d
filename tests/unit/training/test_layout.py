"""Channels last: gradients are those of the default layout, and no network writes outside."""

import ctypes.util
import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
import torch
from reactivate.activations import ACTIVATIONS
from reactivate.layers import PARAMETERIZATIONS
from reactivate.models import MODELS
from reactivate.training.optimizers import layout
from torch import nn
from torch.nn.functional import cross_entropy

CPU, LAST, DEFAULT = torch.device("cpu"), torch.channels_last, torch.contiguous_format
# detectors read targets to train, and are a network of these with convolutions of 256 channels
IMAGES = sorted(set(MODELS.targets) - {"mlp", "fcnn", "retinanet"})
FORK = Path(__file__).with_name("layout_passes.py")


def network(name, **settings):
    """A network with few channels and blocks."""
    torch.manual_seed(0)
    if name.startswith("cifar_resnet"):
        settings["depth"] = 1
    return MODELS.load(name)(**{"width": 0.25, "classes": 6, **settings})


def size(name):
    return (4, 3, 64, 64) if name.startswith("allcnn") else (4, 3, 32, 32)


def order(tensor):
    """Steps in memory along the dimensions that have any."""
    return [step for step, long in zip(tensor.stride(), tensor.shape, strict=True) if long > 1]


def gradients(net, x, memory):
    """Gradients of parameters and images of a copy that lies in memory as told."""
    copy = deepcopy(net).to(memory_format=memory)
    x = x.clone().contiguous(memory_format=memory).requires_grad_()
    torch.manual_seed(1)
    scores = copy(x)
    labels = torch.arange(len(x)).reshape(-1, *[1] * (scores.dim() - 2))  # of images, or of pixels
    cross_entropy(scores, labels.expand(len(x), *scores.shape[2:]) % 6).backward()
    found = {name: p.grad for name, p in copy.named_parameters() if p.grad is not None}
    moved = [p for p in copy.parameters() if p.grad is not None]
    assert [order(p.grad) for p in moved] == [
        order(p) for p in moved
    ]  # fused optimizers rely on it
    return {**found, "images": x.grad}


def worst_error(found, exact):
    """The largest error of a gradient, as a share of its norm (at least 1 % of the largest)."""
    assert found.keys() == exact.keys()
    least = max(float(gradient.norm()) for gradient in exact.values()) / 100
    return max(
        float((found[name] - gradient).norm() / (gradient.norm() + least))
        for name, gradient in exact.items()
    )


def assert_same_gradients(net, x):
    """Gradients are equal in double precision, and in single as near to these as the default's.

    Torch computes the two precisions by different programs. Rounding of untrained networks grows
    on its way, in some to per cents, so the default layout's own is the measure.
    """
    net = without_dropout(net)
    single = {memory: gradients(net, x, memory) for memory in (LAST, DEFAULT)}
    double = {memory: gradients(net.double(), x.double(), memory) for memory in (LAST, DEFAULT)}
    exact = double[DEFAULT]
    assert worst_error(double[LAST], exact) < 1e-10
    assert worst_error(single[LAST], exact) < 10 * worst_error(single[DEFAULT], exact) + 1e-5


def without_dropout(net):
    """Dropout of torch draws in the order of memory; training draws in that of images."""
    for part in net.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    return net


@pytest.mark.slow
@pytest.mark.parametrize("name", IMAGES)
def test_gradients_of_every_network_are_those_of_the_default_layout(name):
    torch.manual_seed(2)
    assert_same_gradients(network(name), torch.randn(size(name)))


@pytest.mark.parametrize("parameterization", sorted(PARAMETERIZATIONS.targets))
def test_gradients_of_every_parameterization_are_those_of_the_default_layout(parameterization):
    torch.manual_seed(2)
    net = network("vgg6", parameterization=parameterization, width=0.1)
    assert_same_gradients(net, torch.randn(5, 3, 32, 32))


@pytest.mark.parametrize("activation", sorted(ACTIVATIONS.targets))
def test_gradients_of_every_activation_are_those_of_the_default_layout(activation):
    torch.manual_seed(2)
    net = network("resnet14", activation=activation, parameterization="bn", width=0.125)
    assert_same_gradients(net, torch.randn(3, 3, 32, 32))


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (nn.Conv2d(7, 16, 1, stride=2), DEFAULT),
        (nn.Conv2d(16, 16, 1, stride=2, groups=4), DEFAULT),
        (nn.Conv2d(8, 16, 1, stride=2), LAST),
        (nn.Conv2d(7, 16, 1), LAST),
        (nn.Conv2d(7, 16, 3, stride=2), LAST),
        (nn.Conv2d(16, 4, 1, stride=2), LAST),
    ],
    ids=str,
)
def test_which_networks_keep_the_default_layout(layer, expected):
    net = nn.Sequential(nn.Conv2d(3, 3, 3), layer)
    assert layout(net, CPU) == expected
    assert layout(net, torch.device("cuda")) == LAST


def test_networks_of_iieu_keep_the_default_layout():
    assert layout(network("resnet14", activation="iieu_b"), CPU) == DEFAULT
    assert layout(network("resnet14", activation="relu"), CPU) == LAST


def checked(*arguments):
    """Runs passes where oneDNN has AVX2 only and glibc checks every block that is freed."""
    library = ctypes.util.find_library("c_malloc_debug")
    if sys.platform != "linux" or library is None:
        pytest.skip("glibc's libc_malloc_debug is not installed")
    checks = {"LD_PRELOAD": library, "MALLOC_CHECK_": "3", "ONEDNN_MAX_CPU_ISA": "AVX2"}
    command = [sys.executable, str(FORK), *arguments]
    return subprocess.run(
        command, env={**os.environ, **checks}, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_no_network_writes_outside_its_memory():
    found = checked("networks", *IMAGES)
    assert found.returncode == 0, found.stderr[-500:]
    assert found.stdout.split() == IMAGES


def test_the_check_sees_the_gradient_that_writes_outside():
    if "avx2" not in Path("/proc/cpuinfo").read_text().split():
        pytest.skip("the processor has no AVX2")
    assert checked("convolution").returncode < 0
