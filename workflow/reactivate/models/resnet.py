"""ResNet-14, -26, -34 and -50 with the ImageNet stem."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from torch import nn

from reactivate.layers.chain import scaled
from reactivate.layers.style import Style
from reactivate.models.network import Network
from reactivate.models.residual import Block, place, pooled_output, stages


class ResNet(Network):
    r"""7x7 stem, max pooling, four stages of residual blocks, average over positions, output.

    With ReLU and batch normalisation it computes what torchvision's ResNet does (stride in the
    3x3 convolution of a bottleneck). Other activations: :func:`reactivate.models.residual.place`.

    Reference:
        Cai 2023, supplementary Tables 3 and 5 (ICCV): ResNet-14, -26 and -50; Jiang 2024, section
        3.1.3 (PhD thesis, Lancaster): ResNet-34 with this stem on 32x32 images.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        depths: Blocks per stage.
        bottleneck: Blocks of 1x1, 3x3, 1x1 convolutions instead of two 3x3 ones.
        channels: Channels of the input.
        mean_shift: See :func:`reactivate.layers.parameterizations.parameterize`.

    Shape:
        - Input: ``(N, channels, H, W)``; printed: 224x224
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> ResNet(width=0.1, depths=(1, 1, 1, 1)).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 1000])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 1000,
        depths: Sequence[int] = (3, 4, 6, 3),
        bottleneck: bool = True,
        channels: int = 3,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
        mean_shift: bool = True,
    ) -> None:
        style = Style(activation, parameterization, initialization, options or {}, mean_shift)
        stem = place(style).stem.conv(channels, scaled(64, width), kernel=7, stride=2, padding=3)
        modules: list[nn.Module] = [stem, nn.MaxPool2d(3, stride=2, padding=1)]
        reads = stem.out_channels
        for planes, stride in stages(64, depths, width):
            layers = [(planes, 3), (planes, 3)]
            if bottleneck:
                layers = [(planes, 1), (planes, 3), (4 * planes, 1)]
            block = Block(style, reads, layers, stride)
            reads = block.out_channels
            modules.append(block)
        super().__init__(*modules, *pooled_output(style, reads, classes))


resnet14 = partial(ResNet, depths=(1, 1, 1, 1))
resnet26 = partial(ResNet, depths=(2, 2, 2, 2))
resnet34 = partial(ResNet, depths=(3, 4, 6, 3), bottleneck=False)
resnet50 = partial(ResNet, depths=(3, 4, 6, 3))
