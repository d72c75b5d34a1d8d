"""The CIFAR VGG of the CReLU paper, with CReLU in none or some of its layers."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from torch import nn

from reactivate.layers.chain import Chain
from reactivate.layers.style import Style
from reactivate.layers.unit import Unit
from reactivate.models.network import Network

BLOCKS = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))

# Dropout after a layer: Table S3, and what S4-S6 print where a CReLU precedes it.
DROPOUT = {1: 0.3, 3: 0.4, 5: 0.4, 6: 0.4, 8: 0.4, 9: 0.4, 11: 0.4, 12: 0.4}
DROPOUT_CRELU = {1: 0.1, 3: 0.2, 5: 0.2, 6: 0.2}


class CifarVGG(Network):
    r"""Thirteen convolutions, two fully connected layers, dropout between them.

    A layer in ``paired`` has half the filters and CReLU without normalisation instead of
    normalisation and ``activation``, so the layer after it reads as many channels as before.

    Reference:
        Shang et al. 2016, Tables S3-S6 (arXiv:1603.05201); biases and eps 1e-3 as in the network
        they start from (szagoruyko/cifar.torch 704d431).

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        activation: Activation of the other layers.
        parameterization: Parameterization of the other layers.
        paired: Numbers of the convolutions with CReLU: none (S3), 1 (S4), 1 and 3 (S5), 1, 3 and
            5 (S6).
        dropout_factor: Factor on all printed dropout rates: they are made for the full width.

    Shape:
        - Input: ``(N, 3, 32, 32)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> CifarVGG(width=0.1, paired=(1,)).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 10])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 10,
        paired: Collection[int] = (),
        dropout_factor: float = 1.0,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        style = Style(activation, parameterization, initialization, options or {})
        pair = Style("crelu", "sp", initialization)
        # The layer after a CReLU counts too: Table S6 prints 0.2 after conv6.
        near = {n: r for n, r in DROPOUT_CRELU.items() if n in paired or n - 1 in paired}
        dropout = DROPOUT | near
        chain = Chain(style, 3, width)
        number = 0
        for filters, depth in BLOCKS:
            for _ in range(depth):
                number += 1
                if number in paired:
                    chain.conv(filters // 2, padding=1, style=pair)
                else:
                    chain.conv(filters, padding=1, bias=True)
                if number in dropout:
                    chain.append(nn.Dropout(dropout[number] * dropout_factor))
            chain.append(nn.MaxPool2d(2))
        last = nn.Dropout(0.5 * dropout_factor)
        chain.append(last).flatten()
        chain.linear(512, bias=True).append(last).output(classes)
        for unit in chain.modules:
            if isinstance(unit, Unit) and isinstance(unit.before, nn.modules.batchnorm._BatchNorm):
                unit.before.eps = 1e-3
        super().__init__(*chain.modules)


conv1 = partial(CifarVGG, paired=(1,))
conv1_3 = partial(CifarVGG, paired=(1, 3))
conv1_3_5 = partial(CifarVGG, paired=(1, 3, 5))
