"""Activations, by the name used in configs and result paths."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from reactivate.activations.traits import Traits, traits_of
from reactivate.foundation.registry import Registry

if TYPE_CHECKING:  # the DAG is built with this module, and building it must not import torch
    from torch import nn

__all__ = ["ACTIVATIONS", "create", "names"]

ACTIVATIONS = Registry(
    "activation",
    {
        "relu": "torch.nn:ReLU",
        "leaky_relu": "torch.nn:LeakyReLU",
        "prelu": "torch.nn:PReLU",
        "elu": "torch.nn:ELU",
        "selu": "torch.nn:SELU",
        "softplus": "torch.nn:Softplus",
        "sigmoid": "torch.nn:Sigmoid",
        "tanh": "torch.nn:Tanh",
        "gelu": "torch.nn:GELU",
        "silu": "torch.nn:SiLU",
        "mish": "torch.nn:Mish",
        "swish": "reactivate.activations.swish:Swish",
        "erfact": "reactivate.activations.erf:ErfAct",
        "pserf": "reactivate.activations.erf:Pserf",
        "smu": "reactivate.activations.smu:SMU",
        "smu1": "reactivate.activations.smu:SMU1",
        "acon_c": "reactivate.activations.acon:AconC",
        "meta_acon": "reactivate.activations.acon:MetaAcon",
        "crelu": "reactivate.activations.crelu:CReLU",
        "iieu_b": "reactivate.activations.iieu:IIEUB",
        "iieu_dc": "reactivate.activations.iieu:IIEUDC",
        "psc": "reactivate.activations.psc:PSC",
        "spsc": "reactivate.activations.psc:SPSC",
    },
    where="workflow/reactivate/activations/__init__.py",
)


def names(condition: Callable[[Traits], object] | None = None) -> list[str]:
    """Names of all activations, as configs and :func:`create` use them.

    Args:
        condition: Leaves out activations whose traits do not meet it.

    Example:
        >>> names(lambda traits: traits.channel_multiplier == 2)
        ['crelu', 'psc', 'spsc']
    """
    if condition is None:
        return list(ACTIVATIONS.targets)
    return [name for name in ACTIVATIONS.targets if condition(traits_of(ACTIVATIONS.load(name)))]


def create(name: str, channels: int | None = None, **options: Any) -> "nn.Module":
    """A new activation by its config name; its class says what it is called with.

    Most are called with a tensor, ``unit(x)``; those with the trait ``needs_convolution`` with
    ``unit(response, conv_input, convolution)``.

    Args:
        name: A key of :data:`ACTIVATIONS`.
        channels: Channels of the activation's input; ignored by those that need no count.
        options: Passed on to the class, e.g. ``shift="batch_norm"`` for IIEU-B.

    Raises:
        ValueError: The name is unknown, or the activation needs ``channels`` and got none.

    Example:
        >>> create("leaky_relu", channels=64)
        LeakyReLU(negative_slope=0.01)
        >>> create("acon_c")
        Traceback (most recent call last):
        ValueError: activation 'acon_c' got channels=None; it learns parameters per channel and
        accepts a positive integer. Pass it where the layer is built: create('acon_c', channels=64)
    """
    activation = ACTIVATIONS.load(name)
    if traits_of(activation).needs_channels:
        if channels is None or channels < 1:
            raise ValueError(
                f"activation {name!r} got channels={channels}; it learns parameters per channel "
                "and accepts a positive integer. "
                f"Pass it where the layer is built: create({name!r}, channels=64)"
            )
        options["channels"] = channels
    module: nn.Module = activation(**options)
    return module


def __getattr__(name: str) -> Any:
    """Classes of this package by their own name: ``from reactivate.activations import CReLU``."""
    for key, target in ACTIVATIONS.targets.items():
        module, _, attribute = target.partition(":")
        if attribute == name and module.startswith(__name__):
            return ACTIVATIONS.load(key)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
