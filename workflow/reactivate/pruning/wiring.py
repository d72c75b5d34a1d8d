"""Readers of a layer's units: the ways from each layer to the layers that come after it."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.fx import Node, Tracer
from torch.nn.modules.batchnorm import _BatchNorm

Reader = nn.Linear | nn.Conv1d | nn.Conv2d | nn.Conv3d
CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.Conv3d)
READERS = (nn.Linear, *CONVOLUTIONS)

# These compute every output from the input at the same place, with no parameter per channel.
ELEMENTWISE = (
    nn.ReLU,
    nn.LeakyReLU,
    nn.ReLU6,
    nn.GELU,
    nn.ELU,
    nn.SELU,
    nn.SiLU,
    nn.Mish,
    nn.Softplus,
    nn.Sigmoid,
    nn.Tanh,
    nn.Hardswish,
    nn.Identity,
)
DROPOUTS = (nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d)  # nothing, when evaluated
# These return a constant channel as it is; so do averages without padding.
POOLING = (
    nn.MaxPool1d,
    nn.MaxPool2d,
    nn.MaxPool3d,
    nn.AdaptiveAvgPool1d,
    nn.AdaptiveAvgPool2d,
    nn.AdaptiveAvgPool3d,
    nn.AdaptiveMaxPool1d,
    nn.AdaptiveMaxPool2d,
    nn.AdaptiveMaxPool3d,
)
AVERAGES = (nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d)


@dataclass(frozen=True)
class Way:
    """The way from the units of a layer to one layer that reads them.

    Attributes:
        passed: Normalisations and activations on the way, in order.
        reader: The layer that reads them.
        positions: Inputs of the reader per unit: more than 1 where channels are flattened.
    """

    passed: tuple[nn.Module, ...]
    reader: Reader
    positions: int

    def constants(self, outputs: Tensor) -> Tensor:
        """Inputs that the reader gets from units whose output is constant, ``(units)``."""
        value = outputs[None]
        for module in self.passed:
            if isinstance(module, _BatchNorm) and not isinstance(module, nn.BatchNorm1d):
                shape = (1, -1, *(1,) * (2 if isinstance(module, nn.BatchNorm2d) else 3))
                value = module(value.reshape(shape)).reshape(1, -1)
            else:
                value = module(value)
        return value[0]


@dataclass(frozen=True)
class Wired:
    """A layer whose units can be removed, and all ways from it."""

    layer: Reader
    ways: tuple[Way, ...]


def wire(network: nn.Module) -> list[Wired]:
    """The layers of a network whose every reader is known, in the order in which they are used.

    A layer that is used twice, has groups, or whose outputs meet anything that is not followed
    here (a sum with another branch, an activation with parameters of its own) is left out, and
    so is the last layer.

    Raises:
        ValueError: The network decides by its input what to compute, so it cannot be followed.

    Example:
        >>> network = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2))
        >>> [(wired.layer.out_channels, wired.ways[0].positions) for wired in wire(network)]
        [(4, 4)]
    """
    try:
        graph = Follower().trace(network)
    except (TypeError, torch.fx.proxy.TraceError) as error:
        raise ValueError(
            f"{type(network).__name__} cannot be followed from layer to layer ({error}); "
            "accepted: networks that compute the same for every input. Change the network"
        ) from error
    calls = [node for node in graph.nodes if node.op == "call_module"]
    uses = [network.get_submodule(str(node.target)) for node in calls]
    wired = []
    for node, layer in zip(calls, uses, strict=True):
        if isinstance(layer, READERS) and uses.count(layer) == 1 and _groups(layer) == 1:
            ways = list(_ways(network, node, layer, ()))
            known = [way for way in ways if way is not None and uses.count(way.reader) == 1]
            if known and len(known) == len(ways):
                wired.append(Wired(layer, tuple(known)))
    return wired


def _groups(layer: Reader) -> int:
    """Number of groups of a layer; 1 where it has none."""
    return layer.groups if isinstance(layer, CONVOLUTIONS) else 1


def _ways(
    network: nn.Module,
    node: Node,
    layer: Reader,
    passed: tuple[nn.Module, ...],
    flat: bool = False,
) -> Iterator[Way | None]:
    """All ways from a node on; None for one that ends or is not followed."""
    if not node.users:
        yield None
    for user in node.users:
        module = network.get_submodule(str(user.target)) if user.op == "call_module" else None
        if isinstance(module, READERS):
            yield _end(layer, module, passed, flat)
        elif _is_flatten(user, module):
            yield from _ways(network, user, layer, passed, flat=True)
        elif isinstance(module, DROPOUTS) or (module is not None and _pools(module)):
            yield from _ways(network, user, layer, passed, flat)
        elif _applies(module) and not flat:
            assert module is not None
            yield from _ways(network, user, layer, (*passed, module), flat)
        else:
            yield None


def _end(layer: Reader, reader: Reader, passed: tuple[nn.Module, ...], flat: bool) -> Way | None:
    """The way that a reader ends, if it reads the layer's units as channels or flattened."""
    units = layer.weight.shape[0]
    inputs = reader.weight.shape[1]
    linear = isinstance(layer, nn.Linear), isinstance(reader, nn.Linear)
    fits = linear == (True, True) or (linear == (False, True)) == flat
    if not fits or linear == (True, False) or _groups(reader) != 1 or inputs % units:
        return None
    return Way(passed, reader, inputs // units)


def _is_flatten(user: Node, module: nn.Module | None) -> bool:
    """Whether a step flattens everything but the batch."""
    if isinstance(module, nn.Flatten):
        return (module.start_dim, module.end_dim) == (1, -1)
    called = user.target in (torch.flatten, "flatten")
    return called and tuple(user.args[1:]) == (1,) and not user.kwargs


def _applies(module: nn.Module | None) -> bool:
    """Whether behind a module a constant unit is still one, whatever the other units are."""
    if isinstance(module, _BatchNorm):
        return module.running_mean is not None
    one = isinstance(module, nn.PReLU) and module.num_parameters == 1
    return one or isinstance(module, ELEMENTWISE)


class Follower(Tracer):
    """Follows an input from module to module, and into no pooling, whoever wrote it."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return _pools(m) or bool(super().is_leaf_module(m, module_qualified_name))


def _pools(module: nn.Module) -> bool:
    """Whether a module is a pooling that returns a constant channel as it is."""
    if isinstance(module, AVERAGES):
        padding = module.padding if isinstance(module.padding, tuple) else (module.padding,)
        return not any(padding) and not module.ceil_mode
    return isinstance(module, POOLING)
