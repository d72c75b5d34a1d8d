"""CIFAR-ResNets whose second convolutions read both phases: dynamic, gated or of low rank."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from torch import nn

from reactivate.activations.annealed import AnnealedGate
from reactivate.activations.low_rank import LowRankPhaseConv
from reactivate.layers.chain import scaled
from reactivate.layers.style import Style
from reactivate.models.cifar_resnet import Subsample
from reactivate.models.network import Network
from reactivate.models.residual import Block, place, pooled_output, stages

STATIC = "spsc"


class PscResNet(Network):
    r"""3x3 stem, stages of 16, 32 and 64 filters, average over positions, output.

    Of the two convolutions of a block the second is selected: it reads what the activation inside
    the block gives, both phases of it if the activation is CReLU, PSC or static PSC (with
    :class:`AnnealedGate` on its weight). Stem and additions are followed by ReLU then, so that all
    networks have the same channels between blocks.

    Reference:
        PSC supplement, Section A (CVPR Workshops 2021). Backbone: He et al. 2016, section 4.2
        (arXiv:1512.03385).

    Departs from the paper:
        The supplement names no network; this one is ours.

    The arguments of all networks are those of :class:`reactivate.models.network.Network`.

    Args:
        depth: Blocks per stage; the network has ``6 depth + 2`` layers.
        stride: Stride of the stem.
        balanced: The first convolution of a block has so many filters that the block's weights are
            as many as with one phase: :func:`balanced_filters`.
        low_rank: The selected convolutions are :class:`LowRankPhaseConv`, of the rank nearest to
            the weights of one phase alone.

    Shape:
        - Input: ``(N, 3, 32, 32)``
        - Output: ``(N, classes)``

    Example:
        >>> import torch
        >>> PscResNet(depth=1).eval()(torch.zeros(1, 3, 32, 32)).shape
        torch.Size([1, 10])
    """

    def __init__(
        self,
        activation: str = "psc",
        parameterization: str = "bn",
        width: float = 1.0,
        classes: int = 10,
        depth: int = 3,
        stride: int = 1,
        balanced: bool = False,
        low_rank: bool = False,
        initialization: str = "torch",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        # the phases of static PSC are those of PSC; its gates are attached here
        phases = "psc" if activation == STATIC else activation
        style = Style(phases, parameterization, initialization, options or {})
        stem = place(style).stem.conv(3, scaled(16, width), kernel=3, stride=stride, padding=1)
        modules: list[nn.Module] = [stem]
        reads = stem.out_channels
        for filters, step in stages(16, [depth] * 3, width):
            shortcut = Subsample(step, filters - reads) if step != 1 else None
            first = balanced_filters(reads, filters) if balanced else filters
            block = Block(style, reads, [(first, 3), (filters, 3)], step, shortcut)
            selected = block.branch[1]
            if activation == STATIC:
                AnnealedGate.attach(selected.layer)  # type: ignore[arg-type]
            if low_rank:
                selected.layer = nearest_low_rank(selected.layer)  # type: ignore[arg-type]
            reads = block.out_channels
            modules.append(block)
        super().__init__(*modules, *pooled_output(style, reads, classes))


def balanced_filters(channels: int, filters: int) -> int:
    """Filters K of a first convolution whose two phases the second reads, for equal weights.

    Nearest to ``C K + 2 K M = C M + M M`` with C channels and M filters of the block.

    Example:
        >>> balanced_filters(12, 12), balanced_filters(5, 10)
        (8, 6)
    """
    return round(filters * (channels + filters) / (channels + 2 * filters))


def nearest_low_rank(layer: nn.Conv2d) -> LowRankPhaseConv:
    """The layer by truncated SVD, of the rank nearest to ``NM / (2 (N + M))``, at least 1.

    Example:
        >>> nearest_low_rank(nn.Conv2d(2 * 16, 16, 3)).widen.in_channels // 2
        7
    """
    outputs = layer.out_channels
    inputs = layer.weight[0].numel() // 2
    exact = inputs * outputs / (2 * (inputs + outputs))
    return LowRankPhaseConv.from_layer(layer, max(1, round(exact)))


balanced = partial(PscResNet, balanced=True)
low_rank = partial(PscResNet, low_rank=True)
