"""IIEU, Tables 3 and 5: parameters and operations of ResNets with each activation."""

from dataclasses import dataclass
from functools import lru_cache

import torch

from reactivate.documents.shared.values import Value
from reactivate.models import MODELS
from reactivate.models.flops import count_operations, count_parameters

NETWORKS = ("resnet14", "resnet26", "resnet50")
TABLE5 = ("relu", "silu", "meta_acon", "pserf", "smu", "iieu_b")
IMAGE = (3, 224, 224)
# Operations of IIEU per element: quotients by both norms, sum with term-B, adjuster, product with
# the response. The adjuster counts 1, as every other activation does.
PER_ELEMENT = 5


@dataclass(frozen=True)
class Counts:
    """Parameters of a network, and its operations for one image of 224x224."""

    parameters: int
    multiply_adds: int
    normalization: int  # operations
    elements: int  # numbers that pass an activation
    per_element: int  # operations of the activation

    @property
    def operations(self) -> int:
        return self.multiply_adds + self.normalization + self.per_element * self.elements


@lru_cache
def counted(network: str, activation: str) -> Counts:
    """Parameters and operations of a network with an activation.

    Example:
        >>> counts = counted("resnet14", "relu")
        >>> counts.parameters, counts.multiply_adds, counts.operations
        (10064936, 1468792832, 1482566144)
    """
    with torch.device("meta"):
        net = MODELS.load(network)(activation=activation)
    operations = count_operations(net, IMAGE, per_element=1)  # whatever the activation
    return Counts(
        parameters=count_parameters(net),
        multiply_adds=operations.multiply_adds,
        normalization=operations.normalization,
        elements=operations.activation,
        per_element=PER_ELEMENT if activation.startswith("iieu") else 1,
    )


def parameters(row: str, column: str, network: str, activation: str) -> Value:
    """The number of learnable numbers as one value of a table."""
    counts = counted(network, activation)
    return Value(row, column, counts.parameters, "learnable numbers, with biases")


def flops(row: str, column: str, network: str, activation: str) -> Value:
    """The number of operations as one value of a table."""
    counts = counted(network, activation)
    how = (
        f"conv+fc multiply-adds {counts.multiply_adds / 1e9:.3f}G, +2 per BN element, "
        f"+{counts.per_element} per activation element"
    )
    return Value(row, column, counts.operations, how)


def table3() -> list[Value]:
    """Parameters and operations of Table 3."""
    return [
        count(f"{activation}_{name}", network, network, activation)
        for name, count in (("params", parameters), ("flops", flops))
        for activation in ("relu", "iieu_b", "iieu_dc")
        for network in NETWORKS
    ]


def table5() -> list[Value]:
    """Parameters and operations of Table 5, ResNet-26."""
    return [
        count(activation, name, "resnet26", activation)
        for activation in TABLE5
        for name, count in (("flops", flops), ("params", parameters))
    ]
