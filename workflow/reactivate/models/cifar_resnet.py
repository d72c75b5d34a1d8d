"""CIFAR-ResNet-56: three stages of nine two-convolution blocks."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from reactivate.layers.chain import scaled
from reactivate.layers.style import Style
from reactivate.models.network import Network
from reactivate.models.residual import Block, place, pooled_output, stages


class Subsample(nn.Module):
    r"""Takes every second position and appends channels of zeros: shortcut without parameters.

    Reference:
        He et al. 2016, option A (arXiv:1512.03385).

    Args:
        stride: Distance between the positions taken.
        added: Channels of zeros.

    Shape:
        - Input: ``(N, C, H, W)``
        - Output: ``(N, C + added, H / stride, W / stride)``

    Example:
        >>> import torch
        >>> Subsample(stride=2, added=16)(torch.zeros(1, 16, 8, 8)).shape
        torch.Size([1, 32, 4, 4])
    """

    def __init__(self, stride: int, added: int) -> None:
        super().__init__()
        self.stride = stride
        self.added = added

    def forward(self, x: Tensor) -> Tensor:
        taken = x[:, :, :: self.stride, :: self.stride]
        return functional.pad(taken, (0, 0, 0, 0, 0, self.added))


class CifarResNet(Network):
    r"""3x3 stem, stages of 16, 32 and 64 filters, average over positions, output.

    Reference:
        He et al. 2016, section 4.2 (arXiv:1512.03385); the backbone of Cai 2023, supplementary
        Tables 2 and 4 (ICCV), whose shortcut is not stated.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        depth: Blocks per stage; the network has ``6 depth + 2`` layers.
        projection: A 1x1 convolution on the shortcut where the shape changes, instead of option
            A (subsample and append zeros).
        channels: Channels of the input.

    Shape:
        - Input: ``(N, channels, 32, 32)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> CifarResNet(depth=1).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 100])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 100,
        depth: int = 9,
        projection: bool = False,
        channels: int = 3,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        style = Style(activation, parameterization, initialization, options or {})
        stem = place(style).stem.conv(channels, scaled(16, width), kernel=3, padding=1)
        modules: list[nn.Module] = [stem]
        reads = stem.out_channels
        for filters, stride in stages(16, [depth] * 3, width):
            shortcut = None
            if stride != 1 and not projection:
                shortcut = Subsample(stride, filters - reads)
            block = Block(style, reads, [(filters, 3), (filters, 3)], stride, shortcut)
            reads = block.out_channels
            modules.append(block)
        super().__init__(*modules, *pooled_output(style, reads, classes))


with_projection = partial(CifarResNet, projection=True)
