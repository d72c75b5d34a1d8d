"""Cost of GmP, IIEU-B and CReLU against what they replace, forward and backward."""

import sys
from collections.abc import Callable

import torch
from reactivate.layers.style import Style
from reactivate.models.flops import count_operations
from reactivate.models.residual import Block
from reactivate.training.memory import keep_freed_memory
from torch import Tensor, nn

from benchmarks.timing import ratio, report


def step(module: nn.Module, x: Tensor) -> Callable[[], None]:
    """One forward and backward pass, gradients of input and parameters included."""

    def run() -> None:
        module(x).sum().backward()
        module.zero_grad()
        x.grad = None

    return run


def gmp_against_standard() -> bool:
    """A 3x3 convolution, 256 to 256 channels, batch 64, 8x8."""
    x = torch.randn(64, 256, 8, 8, requires_grad=True)
    units = [Style("relu", name).conv(256, 256, kernel=3, padding=1) for name in ("gmp", "sp")]
    measured = ratio(*(step(unit, x) for unit in units), repeats=30)
    return report("gmp_conv_over_sp_conv", measured, bar=1.15, peer="torch's convolution")


def iieu_against_relu() -> bool:
    """The second bottleneck of ResNet-26's first stage, 56x56."""
    x = torch.randn(8, 256, 56, 56, requires_grad=True)
    layers = [(64, 1), (64, 3), (256, 1)]
    blocks = [Block(Style(name, "bn"), 256, layers) for name in ("iieu_b", "relu")]
    measured = ratio(*(step(block, x) for block in blocks), repeats=30)
    return report(
        "iieu_b_over_relu_in_resnet26_block", measured, bar=1.6, peer="the block with ReLU"
    )


def crelu_against_relu() -> bool:
    """Activation and convolution, the same number of filters: the bar is 1.1 x their FLOPs."""
    size = 96, 32, 32
    x = torch.randn(32, *size, requires_grad=True)
    pairs = []
    for name in ("crelu", "relu"):
        first = Style(name).conv(96, 96, kernel=3, padding=1)
        second = Style("relu").conv(first.out_channels, 96, kernel=3, padding=1)
        pairs.append(nn.Sequential(first.activation, second))
    work = [count_operations(pair, size).multiply_adds for pair in pairs]
    measured = ratio(*(step(pair, x) for pair in pairs))
    flops = work[0] / work[1]
    return report(
        "crelu_and_conv_over_relu_and_conv",
        measured,
        bar=1.1 * flops,
        peer="ReLU, as many filters",
        flops=flops,
    )


def main() -> int:
    """Runs all measurements; 1 if a bar is missed."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    keep_freed_memory()  # as training does; else most of a step's variance is page faults
    passed = [gmp_against_standard(), iieu_against_relu(), crelu_against_relu()]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
