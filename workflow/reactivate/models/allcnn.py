"""All-CNN-B for ImageNet, with CReLU in none, some or all of its layers."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from torch import nn

from reactivate.layers.chain import Chain
from reactivate.layers.he import HE, he_normal
from reactivate.layers.style import Style
from reactivate.models.network import Network

# Table S7: filters, kernel, stride, padding of conv1 to conv11; conv12 gives the class maps.
LAYERS = (
    (96, 11, 4, 0),
    (96, 1, 1, 0),
    (96, 3, 2, 0),
    (256, 5, 1, 2),
    (256, 1, 1, 0),
    (256, 3, 2, 0),
    (384, 3, 1, 1),
    (384, 1, 1, 0),
    (384, 3, 2, 1),
    (1024, 3, 1, 1),
    (1024, 1, 1, 0),
)
EVERYWHERE = range(1, 13)


class AllCNN(Network):
    r"""Twelve convolutions and an average over 6x6 positions.

    Layers in ``paired`` use CReLU in place of ``activation``. With ``halved`` they have half the
    filters, so that the next layer reads as many channels as before; without, it reads twice as
    many.

    Reference:
        Shang et al. 2016, Tables 4, 5 and S7-S12 (arXiv:1603.05201).

    Departs from the paper:
        Table S11 prints 1x1x512x512 and 1x1x512x1000 for conv11 and conv12, which cannot read
        the 1024 channels before them; here both read 1024, and conv12 has 500 filters.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        activation: Activation of the other layers.
        paired: Numbers of the convolutions with CReLU; 12 needs an even number of classes.
        halved: Halve the filters of the layers with CReLU.
        dropout: Dropped share after conv9: none in S7 and S8, 0.25 in S9-S12.
        initialization: See :func:`reactivate.layers.initialization.initialize`; or ``he``, see
            :func:`reactivate.layers.he.he_normal`.

    Shape:
        - Input: ``(N, 3, 224, 224)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> AllCNN(width=0.1, paired=(1, 4, 7))(torch.zeros(1, 3, 224, 224)).shape
        torch.Size([1, 1000])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "sp",
        width: float = 1.0,
        classes: int = 1000,
        paired: Collection[int] = (),
        halved: bool = False,
        dropout: float = 0.0,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        scheme = "torch" if initialization == HE else initialization
        style = Style(activation, parameterization, scheme, options or {})
        pair = style.using("crelu")
        chain = Chain(style, 3, width)
        for number, (filters, kernel, stride, padding) in enumerate(LAYERS, start=1):
            count = filters // 2 if halved and number in paired else filters
            chain.conv(count, kernel, stride, padding, style=pair if number in paired else style)
            if number == 9 and dropout:
                chain.append(nn.Dropout(dropout))
        output = Style("crelu" if 12 in paired else "relu", "sp", scheme)
        filters = classes // 2 if 12 in paired else classes
        class_maps = output.conv(chain.channels, filters, kernel=1)
        chain.then(class_maps).append(nn.AdaptiveAvgPool2d(1)).flatten()
        super().__init__(*chain.modules)
        if initialization == HE:
            he_normal(self)


conv1_4 = partial(AllCNN, paired=range(1, 5))
conv1_7 = partial(AllCNN, paired=range(1, 8), dropout=0.25)
conv1_9 = partial(AllCNN, paired=range(1, 10), dropout=0.25)
everywhere = partial(AllCNN, paired=EVERYWHERE, halved=True, dropout=0.25)
halved_conv1_4_7 = partial(AllCNN, paired=(1, 4, 7), halved=True, dropout=0.25)
