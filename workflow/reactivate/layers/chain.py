"""A stack of units, built in order, that keeps count of the channels."""

from torch import nn

from reactivate.layers.style import Style
from reactivate.layers.unit import Unit, connect


class Chain:
    """Collects the modules of a network in order; each layer reads what the one before returns.

    An activation may return more channels than its layer has filters (CReLU), so the channels
    the next layer reads are counted here and not by the network.

    Args:
        style: Makes the units.
        channels: Channels of the input.
        width: Factor on every number of filters or units.

    Example:
        >>> chain = Chain(Style("crelu"), channels=3)
        >>> chain.conv(8, kernel=3).conv(8, kernel=3).channels
        16
    """

    def __init__(self, style: Style, channels: int, width: float = 1.0) -> None:
        self.style = style
        self.channels = channels
        self.width = width
        self.modules: list[nn.Module] = []
        self.last: Unit | None = None  # the unit that the next layer reads

    def conv(
        self,
        filters: int,
        kernel: int = 3,
        stride: int = 1,
        padding: int = 0,
        style: Style | None = None,
        bias: bool | None = None,
    ) -> "Chain":
        """Appends a convolutional unit with ``width * filters`` filters."""
        filters, style = scaled(filters, self.width), style or self.style
        return self.then(style.conv(self.channels, filters, kernel, stride, padding, bias=bias))

    def linear(
        self, outputs: int, style: Style | None = None, bias: bool | None = None
    ) -> "Chain":
        """Appends a fully connected unit with ``width * outputs`` outputs."""
        outputs, style = scaled(outputs, self.width), style or self.style
        return self.then(style.linear(self.channels, outputs, bias=bias))

    def then(self, unit: Unit) -> "Chain":
        """Appends a unit that reads ``channels`` channels."""
        connect(self.last, unit.layer)
        self.channels, self.last = unit.out_channels, unit
        return self.append(unit)

    def append(self, *modules: nn.Module) -> "Chain":
        """Appends modules that keep the channels: pooling, dropout."""
        self.modules.extend(modules)
        return self

    def flatten(self, positions: int = 1) -> "Chain":
        """Appends a flattening of ``positions`` positions into channels."""
        self.channels *= positions
        return self.append(nn.Flatten())

    def output(self, classes: int) -> "Chain":
        """Appends the output layer."""
        layer = self.style.output(self.channels, classes)
        connect(self.last, layer)
        self.channels, self.last = classes, None
        return self.append(layer)


def scaled(filters: int, width: float) -> int:
    """Filters at a width, at least one.

    Example:
        >>> scaled(96, 0.5)
        48
    """
    return max(1, round(filters * width))
