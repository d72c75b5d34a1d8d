"""Residual blocks, and where each activation is placed in them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from reactivate.activations import ACTIVATIONS, create
from reactivate.layers.chain import scaled
from reactivate.layers.mean import MeanOnlyBatchNorm
from reactivate.layers.style import Style
from reactivate.layers.unit import Unit, connect


@dataclass(frozen=True)
class Placement:
    """The style of each place in a residual network.

    Attributes:
        stem: The convolution before the blocks.
        inner: 1x1 convolutions inside a bottleneck.
        spatial: 3x3 convolutions inside a block.
        last: The convolution before the addition, and the projection on the shortcut.
        joined: Activation after the addition; None for none.
    """

    stem: Style
    inner: Style
    spatial: Style
    last: Style
    joined: str | None


def place(style: Style) -> Placement:
    """Placement of an activation in a residual network.

    ===================== ======================================================================
    usual activations     after every convolution but the last of a block, and after the addition
    IIEU                  after every convolution, shortcut included; none after the addition
    Meta-ACON             after the 3x3 convolution; ReLU elsewhere
    CReLU, PSC            inside the block; ReLU where the channel count must stay (stem, addition)
    ===================== ======================================================================

    Reference:
        IIEU and Meta-ACON as in their authors' codes (SudongCAI/IIEU 894d242, nmaac/acon 99fd679).
        The placement of channel-doubling activations is ours: the documents do not use them in
        residual networks.

    Example:
        >>> place(Style("meta_acon")).inner.activation
        'relu'
    """
    linear, relu = style.using(None), style.using("relu")
    if style.traits.needs_convolution:
        return Placement(style, style, style, style, None)
    if style.traits.spatial_only:
        return Placement(relu, relu, style, linear, "relu")
    if style.traits.channel_multiplier != 1:
        return Placement(relu, style, style, linear, "relu")
    return Placement(style, style, style, linear, style.activation)


def stages(filters: int, depths: Iterable[int], width: float) -> Iterator[tuple[int, int]]:
    """Filters and stride of every block: each stage doubles the filters and halves the image.

    Args:
        filters: Filters of the first stage.
        depths: Number of blocks of each stage.
        width: Factor on filters.

    Example:
        >>> list(stages(16, [1, 2], width=1.0))
        [(16, 1), (32, 2), (32, 1)]
    """
    for stage, depth in enumerate(depths):
        for number in range(depth):
            yield scaled(filters * 2**stage, width), 2 if stage and not number else 1


def pooled_output(style: Style, channels: int, classes: int) -> list[nn.Module]:
    """The last modules of a residual network: an average over positions and the output layer."""
    return [MeanOverPositions(), nn.Flatten(), style.output(channels, classes)]


class MeanOverPositions(nn.AdaptiveAvgPool2d):
    r"""Averages over positions; the gradient lies in memory as the input does.

    The gradient of torch's own average lies channel by channel whatever its input. Identities of
    the blocks would hand it on, and with channels last every block would read one of each order.

    Shape:
        - Input: ``(N, C, H, W)``
        - Output: ``(N, C, 1, 1)``

    Example:
        >>> import torch
        >>> MeanOverPositions()(torch.ones(2, 3, 4, 4)).shape
        torch.Size([2, 3, 1, 1])
    """

    def __init__(self) -> None:
        super().__init__(1)

    def forward(self, x: Tensor) -> Tensor:
        if x.is_contiguous(memory_format=torch.channels_last):
            return x.movedim(1, 3).mean((1, 2), keepdim=True).movedim(3, 1)
        return super().forward(x)


class Join(nn.Module):
    r"""Applies ``activation(identity + residual)``, or the coupler of IIEU-DC.

    Args:
        channels: Channels of both inputs, C.
        style: Style of the network: its coupler and its parameterization are used.
        activation: Activation after the sum; None for none.

    Shape:
        - Input: two of ``(N, C, *)``
        - Output: ``(N, C, *)``
    """

    def __init__(self, channels: int, style: Style, activation: str | None) -> None:
        super().__init__()
        self.coupler: nn.Module | None = None
        if style.traits.couples_residual and style.activation:
            self.coupler = ACTIVATIONS.load(style.activation).coupler(channels)
        options = style.options if activation == style.activation else {}
        self.activation = create(activation, channels, **options) if activation else None
        centred = style.parameterization == "gmp_imn" and activation is not None
        self.centre = MeanOnlyBatchNorm(channels) if centred else None

    def forward(self, identity: Tensor, residual: Tensor) -> Tensor:
        coupler = self.coupler
        joined: Tensor = identity + residual if coupler is None else coupler(identity, residual)
        if self.activation is not None:
            joined = self.activation(joined)
        return joined if self.centre is None else self.centre(joined)


class Block(nn.Module):
    r"""A chain of convolutions beside a shortcut.

    Args:
        style: Style of the network.
        channels: Channels of the input.
        layers: Filters and kernel of each convolution.
        stride: Stride of the first 3x3 convolution and of the shortcut.
        shortcut: Replaces the default shortcut: identity, or a 1x1 convolution where the shape
            changes.

    Shape:
        - Input: ``(N, channels, H, W)``
        - Output: ``(N, filters of the last layer, H / stride, W / stride)``

    Example:
        >>> import torch
        >>> block = Block(Style("relu", "bn"), 8, [(4, 1), (4, 3), (16, 1)], stride=2)
        >>> block(torch.zeros(2, 8, 6, 6)).shape
        torch.Size([2, 16, 3, 3])
    """

    def __init__(
        self,
        style: Style,
        channels: int,
        layers: Sequence[tuple[int, int]],
        stride: int = 1,
        shortcut: nn.Module | None = None,
    ) -> None:
        super().__init__()
        placement = place(style)
        units: list[Unit] = []
        reads, left = channels, stride
        for number, (filters, kernel) in enumerate(layers, start=1):
            at = placement.inner if kernel == 1 else placement.spatial
            at = placement.last if number == len(layers) else at
            step, left = (left, 1) if kernel == 3 else (1, left)
            unit = at.conv(reads, filters, kernel, step, padding=kernel // 2)
            connect(units[-1] if units else None, unit.layer)
            units.append(unit)
            reads = unit.out_channels
        self.branch = nn.Sequential(*units)
        self.out_channels = layers[-1][0]
        if shortcut is None and (stride != 1 or channels != self.out_channels):
            shortcut = placement.last.conv(channels, self.out_channels, kernel=1, stride=stride)
        self.shortcut = shortcut
        self.join = Join(self.out_channels, style, placement.joined)

    def forward(self, x: Tensor) -> Tensor:
        identity = x if self.shortcut is None else self.shortcut(x)
        joined: Tensor = self.join(identity, self.branch(x))
        return joined
