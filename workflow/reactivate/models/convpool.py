"""ConvPool-CNN-C in two readings: eight convolutions as printed, nine as in the original."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from torch import nn

from reactivate.layers.chain import Chain
from reactivate.layers.he import HE, he_normal
from reactivate.layers.style import Style
from reactivate.models.network import Network

PRINTED = ((96, 96), (192, 192, 192))  # filters before each pooling, Tables S1 and S2
ORIGINAL = ((96, 96, 96), (192, 192, 192))
# Table S2 (half) as printed: 48 filters in conv3, where half of 192 would be 96.
PRINTED_HALF = ((48, 48), (48, 96, 96))


class ConvPool(Network):
    r"""3x3 convolutions in two pooled blocks, three more convolutions, average over positions.

    The sizes of Tables S1 and S2 (10x10 before the average) come out with pooling that rounds up
    and the padding of 1 printed for the 1x1 convolution. The class maps pass a ReLU.

    Reference:
        Shang et al. 2016, Tables 1, S1 and S2 (arXiv:1603.05201); original: Springenberg et al.
        2015, ConvPool-CNN-C (arXiv:1412.6806).

    Departs from the paper:
        Dropout is not printed and therefore off; the original has 0.2 on the input and 0.5
        after each pooling.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        blocks: Filters of the convolutions before each of the two poolings.
        head: Filters of the last 3x3 and the first 1x1 convolution.
        input_dropout: Dropped share of the input.
        dropout: Dropped share after each pooling.
        initialization: See :func:`reactivate.layers.initialization.initialize`; or ``he``, see
            :func:`reactivate.layers.he.he_normal`.

    Shape:
        - Input: ``(N, 3, 32, 32)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> ConvPool(width=0.1)(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 10])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "sp",
        width: float = 1.0,
        classes: int = 10,
        blocks: tuple[tuple[int, ...], ...] = PRINTED,
        head: int = 192,
        input_dropout: float = 0.0,
        dropout: float = 0.0,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        scheme = "torch" if initialization == HE else initialization
        style = Style(activation, parameterization, scheme, options or {})
        chain = Chain(style, 3, width)
        if input_dropout:
            chain.append(nn.Dropout(input_dropout))
        for block in blocks:
            for filters in block:
                chain.conv(filters, padding=1)
            chain.append(nn.MaxPool2d(3, stride=2, ceil_mode=True))
            if dropout:
                chain.append(nn.Dropout(dropout))
        chain.conv(head, padding=1).conv(head, kernel=1, padding=1)
        class_maps = Style("relu", "sp", scheme).conv(chain.channels, classes, kernel=1)
        chain.then(class_maps).append(nn.AdaptiveAvgPool2d(1)).flatten()
        super().__init__(*chain.modules)
        if initialization == HE:
            he_normal(self)


def _of_width(factor: float, width: float = 1.0, **settings: Any) -> ConvPool:
    """A network whose width is a multiple of the width that is asked for."""
    return ConvPool(width=factor * width, **settings)


convpool8 = partial(ConvPool, blocks=PRINTED)
convpool8_double = partial(_of_width, 2.0, blocks=PRINTED)
convpool8_half = partial(_of_width, 0.5, activation="crelu", blocks=PRINTED)
convpool8_half_printed = partial(ConvPool, activation="crelu", blocks=PRINTED_HALF, head=96)
convpool9 = partial(ConvPool, blocks=ORIGINAL)
convpool9_double = partial(_of_width, 2.0, blocks=ORIGINAL)
convpool9_half = partial(_of_width, 0.5, activation="crelu", blocks=ORIGINAL)
