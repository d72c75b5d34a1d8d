"""Remove units and channels that do nothing, for good: a smaller network with the same outputs."""

from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from reactivate.layers.unit import Unit
from reactivate.patterns.preactivations import evaluating
from reactivate.pruning.masks import detach_products, make_permanent
from reactivate.pruning.wiring import CONVOLUTIONS, Reader, Way, Wired, wire


def remove_units(network: nn.Module) -> nn.Module:
    """A copy without the units whose every weight is 0 or masked, evaluated to the same outputs.

    A unit without incoming weights still emits a constant (its bias, its normalisation's shift).
    It becomes part of the bias of the layer that reads it, exactly. Where that is a convolution
    with padding, the border sees less of it: there one unit stays for all of them. A unit that
    nobody reads goes too. Both are repeated until nothing is left to remove.

    Units whose outputs meet another branch, as in residual networks, stay. The outputs are the
    same in evaluation mode; in training mode batch normalisation would treat a constant otherwise.

    Args:
        network: A network with masks (``torch.nn.utils.prune``) or zeros; it is left as it is.

    Raises:
        ValueError: The network decides by its input what to compute.

    Example:
        >>> network = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
        >>> with torch.no_grad():
        ...     network[0].weight[1] = 0.0
        >>> remove_units(network)[0]
        Linear(in_features=2, out_features=2, bias=True)
    """
    detach_products(network)
    small = deepcopy(network)
    make_permanent(small)
    wiring = wire(small)
    with evaluating(small):
        while any(_remove(wired) for wired in wiring):
            pass
    for unit in small.modules():
        if isinstance(unit, Unit):
            unit.out_channels = len(unit.layer.weight) * unit.traits.channel_multiplier
    return small


def _remove(wired: Wired) -> bool:
    """Removes the units of one layer that can be removed; says whether there were any."""
    layer = wired.layer
    columns = [_columns(way) for way in wired.ways]
    unread = torch.stack([part.abs().amax(dim=(0, 2)) == 0 for part in columns]).all(dim=0)
    silent = layer.weight.flatten(1).abs().amax(dim=1) == 0
    constant = torch.stack([silent | _switched_off(way) for way in wired.ways]).all(dim=0)
    outputs = layer.weight.new_zeros(len(silent)) if layer.bias is None else layer.bias
    values = [way.constants(outputs) for way in wired.ways]
    stays = _standing_in(wired.ways, constant & ~unread, values)
    going = unread | (constant & ~stays)
    if going.all():
        going[0] = False  # a layer has one unit or more
    if not going.any():
        return False
    for way, value in zip(wired.ways, values, strict=True):
        _fold(way, value, going & constant & ~unread, stays)
    _keep_outputs(wired, ~going)
    return True


def _columns(way: Way) -> Tensor:
    """Weights of a reader by the unit they read, ``(outputs, units, the rest)``."""
    weight = way.reader.weight
    units = weight.shape[1] // way.positions
    return weight.detach().reshape(len(weight), units, -1)


def _switched_off(way: Way) -> Tensor:
    """Mask of units that a normalisation multiplies by 0, which makes them constant."""
    units = way.reader.weight.shape[1] // way.positions
    off = torch.zeros(units, dtype=torch.bool, device=way.reader.weight.device)
    for module in way.passed:
        if isinstance(module, _BatchNorm) and module.weight is not None:
            off |= module.weight == 0
    return off


def _standing_in(ways: tuple[Way, ...], constant: Tensor, values: list[Tensor]) -> Tensor:
    """Mask of constant units that have to stay: a padded convolution sees their border.

    One is enough for all if there is one reader: the one with the largest value.
    """
    stays = torch.zeros_like(constant)
    for way, value in zip(ways, values, strict=True):
        if _is_padded(way.reader):
            stays |= constant & (value != 0)
    if len(ways) == 1 and stays.any():
        largest = torch.where(stays, values[0].abs(), -1).argmax()
        stays = torch.zeros_like(stays)
        stays[largest] = True
    return stays


def _is_padded(reader: Reader) -> bool:
    """Whether a layer is a convolution with padding."""
    if not isinstance(reader, CONVOLUTIONS):
        return False
    return reader.padding == "same" or (
        not isinstance(reader.padding, str) and any(reader.padding)
    )


def _fold(way: Way, value: Tensor, going: Tensor, stays: Tensor) -> None:
    """Adds what constant units contribute to the one that stays for them, or to the bias."""
    reader, columns = way.reader, _columns(way).clone()
    given = torch.where(going, value, 0)
    if not _is_padded(reader):
        added = torch.einsum("oup,u->o", columns, given)
        bias = added if reader.bias is None else reader.bias + added
        reader.bias = _parameter(bias, reader.weight)
    elif given.any():
        kept = int(stays.nonzero())
        columns[:, kept] += torch.einsum("oup,u->op", columns, given / value[kept])
        reader.weight.copy_(columns.reshape_as(reader.weight))


def _keep_outputs(wired: Wired, keep: Tensor) -> None:
    """Makes a layer, the normalisations after it and its readers as large as what is kept."""
    layer, units = wired.layer, int(keep.sum())
    layer.weight = _parameter(layer.weight[keep], layer.weight)
    if layer.bias is not None:
        layer.bias = _parameter(layer.bias[keep], layer.bias)
    if isinstance(layer, nn.Linear):
        layer.out_features = units
    else:
        layer.out_channels = units
    for module in dict.fromkeys(module for way in wired.ways for module in way.passed):
        if isinstance(module, _BatchNorm):
            _keep_normalised(module, keep)
    for way in wired.ways:
        reader, columns = way.reader, _columns(way)[:, keep]
        if isinstance(reader, nn.Linear):
            shape = [len(columns), units * way.positions]
            reader.in_features = units * way.positions
        else:
            shape = [len(columns), units, *reader.weight.shape[2:]]
            reader.in_channels = units
        reader.weight = _parameter(columns.reshape(shape), reader.weight)


def _keep_normalised(module: _BatchNorm, keep: Tensor) -> None:
    """Makes a normalisation as large as what is kept."""
    module.num_features = int(keep.sum())
    for name in ("weight", "bias"):
        old = getattr(module, name)
        if old is not None:
            setattr(module, name, _parameter(old[keep], old))
    for name in ("running_mean", "running_var"):
        setattr(module, name, getattr(module, name)[keep])


def _parameter(values: Tensor, like: Tensor) -> nn.Parameter:
    """A new parameter with the given values, that learns if another one does."""
    return nn.Parameter(values.detach().clone(), requires_grad=like.requires_grad)
