"""VGG networks of the thesis (VGG16) and of the GmP paper (VGG-6)."""

from collections.abc import Mapping
from typing import Any

from torch import nn

from reactivate.layers.chain import Chain
from reactivate.layers.style import Style
from reactivate.models.network import Network


class VGG16(Network):
    r"""Thirteen convolutions and three fully connected layers, logits normalised too.

    With ``parameterization="bn"`` the convolutions have no bias, the fully connected layers have
    one, and batch normalisation follows every layer including the last: 33.66 M parameters.

    Reference:
        Jiang 2024, section 3.1.3 (PhD thesis, Lancaster); layers as in the author's codes
        (OrangeBai/EAI d72d015, OrangeBai/AP_Prune b477fcd).

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        channels: Channels of the input.
        dropout: Dropped share after the first two fully connected layers; 0.5 in the author's
            code for chapter 3, none in that for pruning.

    Shape:
        - Input: ``(N, channels, 32, 32)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> VGG16(width=0.1).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 10])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 10,
        channels: int = 3,
        dropout: float = 0.0,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        style = Style(activation, parameterization, initialization, options or {})
        chain = Chain(style, channels, width)
        for filters, depth in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
            for _ in range(depth):
                chain.conv(filters, padding=1)
            chain.append(nn.MaxPool2d(2))
        chain.append(nn.AdaptiveAvgPool2d(1)).flatten()
        for _ in range(2):
            chain.linear(4096, bias=True)
            if dropout:
                chain.append(nn.Dropout(dropout))
        logits = style.using(None).linear(chain.channels, classes, bias=True)
        super().__init__(*chain.then(logits).modules)


class VGG6(Network):
    r"""Three pairs of 3x3 convolutions, each pair followed by pooling, and a linear output.

    Reference:
        Chen & Ge 2024, Appendix C.2 (arXiv:2305.15912); layers as in the authors' code
        (Wenlin-Chen/geometric-parameterization 0c48483): 5 089 384 parameters for ImageNet32.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        channels: Channels of the input.
        mean_shift: See :func:`reactivate.layers.parameterizations.parameterize`.

    Shape:
        - Input: ``(N, channels, 32, 32)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> VGG6(width=0.1).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 1000])
    """

    def __init__(
        self,
        activation: str = "relu",
        parameterization: str = "sp",
        width: float = 1.0,
        classes: int = 1000,
        channels: int = 3,
        initialization: str = "authors_code",
        options: Mapping[str, Any] | None = None,
        mean_shift: bool = True,
    ) -> None:
        style = Style(activation, parameterization, initialization, options or {}, mean_shift)
        chain = Chain(style, channels, width)
        for filters in (128, 256, 512):
            chain.conv(filters, padding=1).conv(filters, padding=1).append(nn.MaxPool2d(2))
        chain.append(nn.AdaptiveAvgPool2d(1)).flatten().output(classes)
        super().__init__(*chain.modules)
