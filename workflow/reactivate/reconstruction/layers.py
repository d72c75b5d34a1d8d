"""The CReLU convolutions of a network: those that a max-pooling follows, and the first ones."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from reactivate.activations.crelu import CReLU
from reactivate.foundation.seeding import generator
from reactivate.layers.unit import Unit


@dataclass(frozen=True)
class PooledLayer:
    """A convolution whose CReLU features are pooled.

    Attributes:
        name: Name of its pooling, ``pool1``, ``pool2``, ..., as Tables S1 and S2 count them.
        before: Part of the network before the convolution.
        conv: The convolution.
        pool: The max-pooling.
    """

    name: str
    before: nn.Module
    conv: nn.Conv2d
    pool: nn.MaxPool2d


def pooled_layers(network: nn.Module) -> list[PooledLayer]:
    """The convolutions of a sequence whose CReLU features go straight into a max-pooling.

    Raises:
        ValueError: There is no such convolution.

    Example:
        >>> from reactivate.models.convpool import ConvPool
        >>> network = ConvPool("crelu", width=0.1)
        >>> [layer.conv.in_channels for layer in pooled_layers(network)]
        [20, 38]
    """
    parts = list(network.children())
    layers = list[PooledLayer]()
    for place, part in enumerate(parts):
        follows = next((p for p in parts[place + 1 :] if not isinstance(p, nn.Dropout)), None)
        if is_crelu(part) and isinstance(follows, nn.MaxPool2d):
            before = nn.Sequential(*parts[:place])
            layers.append(PooledLayer(f"pool{len(layers) + 1}", before, _conv(part), follows))
    if not layers:
        raise ValueError(
            f"{type(network).__name__} has no CReLU convolution that a max-pooling follows; "
            "accepted: sequences of units with one. Choose another model for the exhibit"
        )
    return layers


def first_layers(network: nn.Module) -> Iterator[nn.Conv2d]:
    """The convolutions with CReLU from the input on, up to the first part that is none."""
    for part in network.children():
        if not is_crelu(part):
            return
        yield _conv(part)


def is_crelu(part: nn.Module) -> bool:
    """Whether a part of a network is a convolution followed by CReLU and nothing else."""
    return (
        isinstance(part, Unit)
        and isinstance(part.layer, nn.Conv2d)
        and isinstance(part.activation, CReLU)
        and part.before is part.scale is part.centre is None
    )


def _conv(part: nn.Module) -> nn.Conv2d:
    """The convolution of a unit that has one."""
    assert isinstance(part, Unit)
    assert isinstance(part.layer, nn.Conv2d)
    return part.layer


def random_convolution(conv: nn.Conv2d, *key: object) -> nn.Conv2d:
    """A convolution of the same form, every weight standard normal, without a bias.

    Reference:
        Shang et al. 2016, footnote 5 (arXiv:1603.05201).

    Args:
        conv: The convolution.
        key: Name of the random stream.
    """
    drawn: Tensor = torch.randn(conv.weight.shape, generator=generator(*key, "random filters"))
    other = nn.Conv2d(
        conv.in_channels,
        conv.out_channels,
        (conv.kernel_size[0], conv.kernel_size[1]),
        (conv.stride[0], conv.stride[1]),
        conv.padding if isinstance(conv.padding, str) else (conv.padding[0], conv.padding[1]),
        bias=False,
    )
    other.weight = nn.Parameter(drawn.to(conv.weight), requires_grad=False)
    return other
