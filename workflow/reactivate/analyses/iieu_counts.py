"""IIEU, Tables 3 and 5: parameters and operations of ResNets with each activation."""

from functools import lru_cache

import torch

from reactivate.analyses.judging import judge
from reactivate.analyses.values import Value
from reactivate.claims import Judgement
from reactivate.models import MODELS
from reactivate.models.flops import count_operations, count_parameters

NETWORKS = ("resnet14", "resnet26", "resnet50")
TABLE5 = ("relu", "silu", "meta_acon", "pserf", "smu", "iieu_b")
IMAGE = (3, 224, 224)

# Operations of IIEU per element: quotients by both norms, sum with term-B, adjuster, product with
# the response. The adjuster counts 1, as every other activation does.
PER_ELEMENT = 5
BRACKET = (3, 7)  # one quotient, sum and product only; the adjuster as comparison, exp and product


@lru_cache
def counted(network: str, activation: str, per_element: int = PER_ELEMENT) -> tuple[int, int, int]:
    """Parameters, multiply-adds, and all operations for one image of 224x224.

    Example:
        >>> counted("resnet50", "relu")
        (25557032, 4089184256, 4121020928)
    """
    with torch.device("meta"):
        net = MODELS.load(network)(activation=activation)
    costs = dict.fromkeys(("IIEUB", "IIEUDC"), per_element)
    operations = count_operations(net, IMAGE, costs)
    return count_parameters(net), operations.multiply_adds, operations.total


def parameters(row: str, column: str, network: str, activation: str) -> Value:
    """The number of learnable numbers as one value of a table."""
    return Value(row, column, counted(network, activation)[0], "learnable numbers, with biases")


def flops(row: str, column: str, network: str, activation: str) -> Value:
    """The number of operations as one value of a table."""
    _, multiply_adds, total = counted(network, activation)
    iieu = f" ({PER_ELEMENT} for IIEU)" if activation.startswith("iieu") else ""
    how = (
        f"conv+fc multiply-adds {multiply_adds / 1e9:.3f}G, +2 per BN element, +1 per activation "
        f"element{iieu}"
    )
    return Value(row, column, total, how)


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


def added(activation: str, kind: int, per_element: int = PER_ELEMENT) -> list[float]:
    """Percent more than ReLU, per network.

    Args:
        activation: A key of the registry.
        kind: Place in :func:`counted`: 0 for parameters, 2 for operations.
        per_element: Operations of IIEU per element.
    """
    pairs = [
        (counted(n, "relu")[kind], counted(n, activation, per_element)[kind]) for n in NETWORKS
    ]
    return [100 * (more / plain - 1) for plain, more in pairs]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _show(values: list[float], digits: int = 2) -> str:
    return "/".join(f"{value:.{digits}f}" for value in values)


def added_parameters() -> Judgement:
    """IIEU-B adds about 0.3 % parameters."""
    percent = added("iieu_b", 0)
    agrees = all(round(value, 1) == 0.3 for value in percent)
    return judge(agrees, f"+{_show(percent, 3)} % on ResNet-14/26/50")


def added_flops() -> Judgement:
    """IIEU-B adds about 1.3 % FLOPs."""
    percent = added("iieu_b", 2)
    least, most = (_mean(added("iieu_b", 2, per_element)) for per_element in BRACKET)
    return judge(
        round(_mean(percent), 1) == 1.3,
        f"+{_show(percent)} % on ResNet-14/26/50, mean {_mean(percent):.2f} %, at {PER_ELEMENT} "
        f"operations per element; the document does not say how it counts: {least:.2f} % at "
        f"{BRACKET[0]}, {most:.2f} % at {BRACKET[1]}",
    )


def coupler_flops() -> Judgement:
    """IIEU-DC has FLOPs close to IIEU-B's."""
    pairs = [(counted(n, "iieu_b")[2], counted(n, "iieu_dc")[2]) for n in NETWORKS]
    percent = [100 * (more / plain - 1) for plain, more in pairs]
    return judge(
        max(percent) < 1,
        f"+{_show(percent)} % over IIEU-B on ResNet-14/26/50; parameters over ReLU "
        f"+{_show(added('iieu_dc', 0), 1)} %",
    )


def detector_parameters() -> Judgement:
    """Table 6: RetinaNet grows from 37.7 M to 40.4 M with IIEU-DC in its ResNet-50."""
    more = (counted("resnet50", "iieu_dc")[0] - counted("resnet50", "relu")[0]) / 1e6
    return judge(
        abs(more - (40.4 - 37.7)) <= 0.1,  # half a unit of each of the two printed numbers
        f"IIEU-DC adds {more:.2f}M to ResNet-50, the printed difference is {40.4 - 37.7:.1f}M",
    )
