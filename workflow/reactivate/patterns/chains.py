"""Networks that are one chain of affine maps and nonlinear modules, taken apart into blocks."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from torch import nn

from reactivate.activations.traits import is_activation
from reactivate.layers.direction import Radius
from reactivate.layers.mean import MeanOnlyBatchNorm
from reactivate.layers.unit import Unit
from reactivate.patterns.preactivations import numbered

MAX_POOLING = (nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d)
NORMALISATION = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)
DROPOUT = (nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d)
AFFINE = (  # in evaluation mode
    nn.Linear,
    *(nn.Conv1d, nn.Conv2d, nn.Conv3d),
    *NORMALISATION,
    *DROPOUT,
    *(nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d),
    *(nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d),
    *(nn.Flatten, nn.Unflatten, nn.Identity),
    *(Radius, MeanOnlyBatchNorm),
)


@dataclass(frozen=True)
class ChainBlock:
    """Affine modules and the nonlinear one that follows, ``h_i`` of the thesis, section 4.1.

    Attributes:
        name: Name of the nonlinear module, as in :mod:`reactivate.patterns.preactivations`;
            ``output`` for what follows the last one.
        affine: The affine part, possibly empty.
        nonlinear: An activation or a max pooling; None for the output.
    """

    name: str
    affine: nn.Sequential
    nonlinear: nn.Module | None


def blocks_of(network: nn.Module) -> list[ChainBlock]:
    """The blocks of a chain in forward order; the last one has no nonlinear module.

    Modules are those of the network, not copies.

    Args:
        network: Sequences, nested or not, of the package's units, affine modules, activations
            and max poolings.

    Raises:
        ValueError: A module is none of these (a residual block, say), so that what the network
            computes cannot be read off its modules.

    Example:
        >>> from reactivate.models.mlp import MLP
        >>> [(block.name, len(block.affine)) for block in blocks_of(MLP(parameterization="bn"))]
        [('1.activation', 3), ('output', 1)]
    """
    paths = {module: name for name, module in network.named_modules()}
    uses: Counter[str] = Counter()
    blocks: list[ChainBlock] = []
    affine: list[nn.Module] = []
    for module in _leaves(network, paths):
        if isinstance(module, AFFINE):
            affine.append(module)
            continue
        name = numbered(paths[module], uses)
        blocks.append(ChainBlock(name, nn.Sequential(*affine), module))
        affine = []
    return [*blocks, ChainBlock("output", nn.Sequential(*affine), None)]


def _leaves(module: nn.Module, paths: dict[nn.Module, str]) -> Iterator[nn.Module]:
    """Modules that compute something of their own, in forward order."""
    if isinstance(module, nn.Sequential):
        for part in module._modules.values():  # children() would leave out a second use
            assert part is not None
            yield from _leaves(part, paths)
    elif isinstance(module, Unit):
        parts = module.layer, module.before, module.activation, module.scale, module.centre
        for inner in parts:
            if inner is not None:
                yield from _leaves(inner, paths)
    elif isinstance(module, NORMALISATION) and module.running_mean is None:
        raise _refusal(module, paths, "it normalises by the batch also in evaluation mode")
    elif isinstance(module, (*AFFINE, *MAX_POOLING)) or is_activation(type(module)):
        yield module
    else:
        raise _refusal(module, paths, "what it computes cannot be read off its modules")


def _refusal(module: nn.Module, paths: dict[nn.Module, str], why: str) -> ValueError:
    """The error for a module that is no link of a chain."""
    where = f" at {paths[module]!r}" if paths.get(module) else ""
    return ValueError(
        f"{type(module).__name__}{where} is no link of a chain: {why}; accepted: sequences of "
        "units, linear maps, convolutions, batch normalisation, average and max pooling, and "
        "activations. Choose another network"
    )
