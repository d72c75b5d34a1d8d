"""IIEU, Tables 3 and 5: parameters and operations of ResNets with each activation."""

from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import fmean

import torch

from reactivate.documents.shared.judging import judge
from reactivate.documents.shared.values import Value
from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.models import MODELS
from reactivate.models.flops import count_operations, count_parameters

NETWORKS = ("resnet14", "resnet26", "resnet50")
TABLE5 = ("relu", "silu", "meta_acon", "pserf", "smu", "iieu_b")
IMAGE = (3, 224, 224)

# Operations of IIEU per element: quotients by both norms, sum with term-B, adjuster, product with
# the response. The adjuster counts 1, as every other activation does.
PER_ELEMENT = 5
BRACKET = (3, 7)  # one quotient, sum and product only; the adjuster as comparison, exp and product


@dataclass(frozen=True)
class Counts:
    """What one network has, and does for one image of 224x224."""

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
    """Counts of a network.

    Example:
        >>> found = counted("resnet14", "relu")
        >>> found.parameters, found.multiply_adds, found.operations
        (10064936, 1468792832, 1482566144)
    """
    with torch.device("meta"):
        net = MODELS.load(network)(activation=activation)
    found = count_operations(net, IMAGE, per_element=1)  # whatever the activation
    return Counts(
        parameters=count_parameters(net),
        multiply_adds=found.multiply_adds,
        normalization=found.normalization,
        elements=found.activation,
        per_element=PER_ELEMENT if activation.startswith("iieu") else 1,
    )


def parameters(row: str, column: str, network: str, activation: str) -> Value:
    """The number of learnable numbers as one value of a table."""
    found = counted(network, activation)
    return Value(row, column, found.parameters, "learnable numbers, with biases")


def flops(row: str, column: str, network: str, activation: str) -> Value:
    """The number of operations as one value of a table."""
    found = counted(network, activation)
    how = (
        f"conv+fc multiply-adds {found.multiply_adds / 1e9:.3f}G, +2 per BN element, "
        f"+{found.per_element} per activation element"
    )
    return Value(row, column, found.operations, how)


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


def more(before: int, after: int) -> float:
    """Percent that ``after`` has more than ``before``."""
    return 100 * (after / before - 1)


def _show(values: list[float], digits: int = 2) -> str:
    return "/".join(f"{value:.{digits}f}" for value in values)


def added_parameters() -> Judgement:
    """IIEU-B adds about 0.3 % parameters."""
    percent = [
        more(counted(n, "relu").parameters, counted(n, "iieu_b").parameters) for n in NETWORKS
    ]
    agrees = all(round(value, 1) == 0.3 for value in percent)
    return judge(agrees, f"+{_show(percent, 3)} % on ResNet-14/26/50")


def added_operations(per_element: int) -> list[float]:
    """Percent more operations with IIEU-B than with ReLU, per network.

    Args:
        per_element: Operations of IIEU-B per element.
    """
    ours = [replace(counted(n, "iieu_b"), per_element=per_element) for n in NETWORKS]
    return [
        more(counted(n, "relu").operations, net.operations)
        for n, net in zip(NETWORKS, ours, strict=True)
    ]


def added_flops() -> Judgement:
    """IIEU-B adds about 1.3 % FLOPs: it depends on what counts as an operation."""
    percent = added_operations(PER_ELEMENT)
    least, most = (fmean(added_operations(count)) for count in BRACKET)
    finding = (
        f"the document does not say how it counts; +{_show(percent)} % on ResNet-14/26/50, mean "
        f"{fmean(percent):.2f} %, at {PER_ELEMENT} operations per element, {least:.2f} % at "
        f"{BRACKET[0]}, {most:.2f} % at {BRACKET[1]}"
    )
    if not least <= 1.3 <= most:
        return judge(False, finding)
    return Judgement(Verdict.NOT_RUN_UNDERSPECIFIED, finding)


def coupler_flops() -> Judgement:
    """IIEU-DC has FLOPs close to IIEU-B's."""
    pairs = [(counted(n, "iieu_b"), counted(n, "iieu_dc")) for n in NETWORKS]
    percent = [more(b.operations, dc.operations) for b, dc in pairs]
    larger = [more(b.parameters, dc.parameters) for b, dc in pairs]
    return judge(
        max(percent) < 1,
        f"+{_show(percent)} % over IIEU-B on ResNet-14/26/50; parameters +{_show(larger, 1)} %",
    )


def detector_parameters() -> Judgement:
    """Table 6: RetinaNet grows from 37.7 M to 40.4 M with IIEU-DC in its ResNet-50."""
    before, after = (counted("resnet50", name).parameters for name in ("relu", "iieu_dc"))
    millions = (after - before) / 1e6
    return judge(
        abs(millions - (40.4 - 37.7)) <= 0.1,  # half a unit of each of the two printed numbers
        f"IIEU-DC adds {millions:.2f}M to ResNet-50, the printed difference is {40.4 - 37.7:.1f}M",
    )
