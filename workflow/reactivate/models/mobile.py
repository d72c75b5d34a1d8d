"""MobileNetV2 and ShuffleNetV2: torchvision's networks with their units exchanged."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from reactivate.activations import ACTIVATIONS
from reactivate.layers.chain import scaled
from reactivate.layers.initialization import initialize
from reactivate.layers.style import Style
from reactivate.models.vision import torchvision

# MobileNetV2's coupler in the authors' code (SudongCAI/IIEU 894d242): hidden width C / 4.
COUPLER = {"reduction": 4, "eta": 0.05}
MOBILENET = "mobilenet"  # its initial weights there


class CoupledResidual(nn.Module):
    """A MobileNetV2 block whose sum is replaced by the coupler of IIEU-DC.

    Shape:
        - Input: ``(N, C, H, W)``
        - Output: ``(N, C, H, W)``
    """

    def __init__(self, branch: nn.Module, coupler: nn.Module) -> None:
        super().__init__()
        self.branch = branch
        self.coupler = coupler

    def forward(self, x: Tensor) -> Tensor:
        joined: Tensor = self.coupler(x, self.branch(x))
        return joined


def mobilenet_v2(
    activation: str = "relu",
    parameterization: str = "bn",
    width: float = 1.0,
    classes: int = 1000,
    multiplier: float = 0.17,
    dropout: float = 0.0,
    initialization: str = MOBILENET,
    options: Mapping[str, Any] | None = None,
) -> nn.Module:
    """MobileNetV2 with another activation, by default of width 0.17.

    The activation stands after the stem, every 1x1 expansion, every depthwise convolution and
    the last 1x1 convolution; not after the projections. IIEU-DC couples identity blocks.

    Reference:
        Cai 2023, supplementary section D.1 (ICCV); placement, no dropout and initial weights as
        in the authors' code (SudongCAI/IIEU 894d242).

    Departs from the paper:
        ``relu`` is ReLU where torchvision and the authors' code have ReLU6.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        width: Factor on ``multiplier``.
        multiplier: MobileNetV2's own width multiplier; channels are multiples of 8.
        dropout: Dropped share before the output layer; torchvision has 0.2.
        initialization: See :func:`reactivate.layers.initialization.initialize`; ``mobilenet``
            also draws the linear layers of IIEU-DC's couplers from N(0, 0.01).

    Returns:
        Network from ``(N, 3, 224, 224)`` to ``(N, classes)``.

    Example:
        >>> import torch
        >>> mobilenet_v2(classes=10).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 10])
    """
    style = _keeping_channels(
        "mobilenet_v2", activation, parameterization, initialization, options
    )
    net: Any = torchvision.models.MobileNetV2(
        classes, width_mult=multiplier * width, dropout=dropout
    )
    exchange_units(net, style)
    net.classifier[1] = style.output(net.last_channel, classes)
    if style.traits.couples_residual:
        for name, block in net.features.named_children():
            if getattr(block, "use_res_connect", False):
                coupler = ACTIVATIONS.load(activation).coupler(block.out_channels, **COUPLER)
                if initialization == MOBILENET:
                    for layer in (coupler.squeeze, coupler.expand):
                        initialize(layer, initialization)
                net.features[int(name)] = CoupledResidual(block.conv, coupler)
    built: nn.Module = net
    return built


def shufflenet_v2(
    activation: str = "relu",
    parameterization: str = "bn",
    width: float = 1.0,
    classes: int = 1000,
    initialization: str = "torch",
    options: Mapping[str, Any] | None = None,
) -> nn.Module:
    """ShuffleNetV2 0.5 with another activation wherever it has a ReLU.

    Reference:
        Cai 2023, supplementary section D.1 (ICCV).

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        width: Factor on the channels of the 0.5 network.

    Returns:
        Network from ``(N, 3, 224, 224)`` to ``(N, classes)``.

    Example:
        >>> import torch
        >>> shufflenet_v2(classes=10).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 10])
    """
    style = _keeping_channels(
        "shufflenet_v2", activation, parameterization, initialization, options
    )
    stages = [2 * scaled(half, width) for half in (12, 24, 48, 96)]  # blocks split them in two
    last = scaled(1024, width)
    net: Any = torchvision.models.ShuffleNetV2([4, 8, 4], [*stages, last], classes)
    exchange_units(net, style)
    net.fc = style.output(last, classes)
    built: nn.Module = net
    return built


def exchange_units(net: nn.Module, style: Style) -> None:
    """Replaces each run of convolution, batch norm and (if any) ReLU by one unit, in place.

    Example:
        >>> net = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4), nn.ReLU())
        >>> exchange_units(net, Style("gelu", "bn"))
        >>> len(net), net[0].activation
        (1, GELU(approximate='none'))
    """
    for module in list(net.modules()):
        if not isinstance(module, nn.Sequential):
            continue
        old, new = list(module), list[nn.Module]()
        for at, layer in enumerate(old):
            if isinstance(layer, nn.Conv2d):
                active = any(isinstance(m, nn.ReLU | nn.ReLU6) for m in old[at + 2 : at + 3])
                new.append(_same_conv(layer, style if active else style.using(None)))
            elif not isinstance(layer, nn.BatchNorm2d | nn.ReLU | nn.ReLU6):
                new.append(layer)
        del module[:]
        module.extend(new)


def _same_conv(layer: nn.Conv2d, style: Style) -> nn.Module:
    """A unit around a convolution with the shape of a given one."""
    kernel, stride, padding = layer.kernel_size[0], layer.stride[0], int(layer.padding[0])
    return style.conv(layer.in_channels, layer.out_channels, kernel, stride, padding, layer.groups)


def _keeping_channels(
    model: str,
    activation: str,
    parameterization: str,
    initialization: str,
    options: Mapping[str, Any] | None,
) -> Style:
    """The style of a network whose blocks need activations that keep the channels."""
    style = Style(activation, parameterization, initialization, options or {})
    if style.traits.channel_multiplier != 1:
        raise ValueError(
            f"activation {activation!r} multiplies channels by {style.traits.channel_multiplier}; "
            f"{model} accepts activations that keep them. Choose another model or activation"
        )
    return style
