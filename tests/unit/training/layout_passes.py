"""Steps of networks in the layout that training gives them; run where memory is checked."""

import sys

import torch
from reactivate.models import MODELS
from reactivate.training.optimizers import layout
from torch import nn

CPU = torch.device("cpu")


def step(network: nn.Module, x: torch.Tensor, memory: torch.memory_format) -> None:
    """A forward and a backward pass."""
    network.to(memory_format=memory)
    network(x.contiguous(memory_format=memory)).sum().backward()


def networks(names: list[str]) -> None:
    """Steps of narrow networks: at an eighth of the width most convolutions have few channels."""
    for name in names:
        side = 64 if name.startswith("allcnn") else 32
        shallow = {"depth": 1} if name.startswith("cifar_resnet") else {}
        network = MODELS.load(name)(width=0.125, classes=6, **shallow)
        step(network, torch.randn(4, 3, side, side), layout(network, CPU))
        print(name, flush=True)


def convolution() -> None:
    """What the layout avoids, many times: blocks behind the gradient get overwritten."""
    for count in range(1, 20):
        layer = nn.Conv2d(4, 16, 1, stride=2, bias=False)
        step(layer, torch.randn(count, 4, 8, 8, requires_grad=True), torch.channels_last)


if __name__ == "__main__":
    torch.set_num_threads(1)
    networks(sys.argv[2:]) if sys.argv[1] == "networks" else convolution()
