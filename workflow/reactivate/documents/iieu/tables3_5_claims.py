"""IIEU: statements on the parameters, operations and throughput of Tables 3 and 5."""

from dataclasses import replace
from statistics import fmean

from reactivate.documents.iieu.tables3_5 import NETWORKS, PER_ELEMENT, counted
from reactivate.judging.exact import checked, not_comparable, not_run
from reactivate.judging.judgement import Judgement

ADDED_PARAMETERS, ADDED_FLOPS = 0.3, 1.3  # percent, Appendix E.2
BRACKET = (3, 7)  # one quotient, sum and product only; the adjuster as comparison, exp and product


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
    agrees = all(round(value, 1) == ADDED_PARAMETERS for value in percent)
    return checked(agrees, f"+{_show(percent, 3)} % on ResNet-14/26/50", cases=len(percent))


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
    return not_run(
        "underspecified",
        f"the document does not say how it counts; +{_show(percent)} % on ResNet-14/26/50, mean "
        f"{fmean(percent):.2f} %, at {PER_ELEMENT} operations per element, {least:.2f} % at "
        f"{BRACKET[0]}, {most:.2f} % at {BRACKET[1]}",
    )


def coupler_flops() -> Judgement:
    """IIEU-DC has FLOPs close to IIEU-B's: it adds less than is called a low overhead."""
    pairs = [(counted(n, "iieu_b"), counted(n, "iieu_dc")) for n in NETWORKS]
    percent = [more(b.operations, dc.operations) for b, dc in pairs]
    larger = [more(b.parameters, dc.parameters) for b, dc in pairs]
    return checked(
        max(percent) < ADDED_FLOPS,
        f"IIEU-DC adds {_show(percent)} % operations to IIEU-B on ResNet-14/26/50, where the "
        f"document calls {ADDED_FLOPS} % a low overhead; parameters +{_show(larger, 1)} %",
        cases=len(pairs),
    )


def throughput() -> Judgement:
    """Appendix G: throughput is that of one A100."""
    return not_comparable(
        "hardware", "throughput is printed for one A100, which we do not have; none was measured"
    )
