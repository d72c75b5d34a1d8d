"""Labels and colours of activations, the same in the figures of every document."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """Label, colour and width of a line, the same wherever a picture shows what it stands for."""

    label: str
    colour: str
    width: float = 1.2


LOOKS = {
    "sigmoid": Look("Sigmoid", "#1f6fb4"),
    "tanh": Look("Tanh", "#d9822b"),
    "relu": Look("ReLU", "#444444"),
    "gelu": Look("GELU", "#2a9d62"),
    "leaky_relu": Look("Leaky ReLU", "#a0a0a0"),
    "silu": Look("SiLU", "#9acd5c"),
    "swish": Look("Swish", "#7a8b1f"),
    "elu": Look("ELU", "#8fd3d1"),
    "softplus": Look("Softplus", "#17808c"),
    "pserf": Look("Pserf", "#7fb2e5"),
    "mish": Look("Mish", "#1f4e9c"),
    "acon_c": Look("ACON-C", "#c79be0"),
    "meta_acon": Look("Meta-ACON", "#7a3fb0"),
    "smu1": Look("SMU-1", "#e8b04a"),
    "smu": Look("SMU", "#9a5b1e"),
    "iieu_b": Look("IIEU-B", "#f0526b", 2.4),
    "iieu_dc": Look("IIEU-DC", "#b5001f", 2.4),
}


def look_of(name: str, looks: Mapping[str, Look] = LOOKS) -> Look:
    """The look of a name; grey, with the name itself as its label, for one that has none.

    Example:
        >>> look_of("relu").label, look_of("mine").label
        ('ReLU', 'mine')
    """
    return looks.get(name, Look(name, "#777777"))
