"""IIEU: statements on the parameters and operations of Tables 3, 5 and 6."""

from dataclasses import replace
from statistics import fmean

from reactivate.documents.iieu.tables3_5 import NETWORKS, PER_ELEMENT, counted
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement, Verdict

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
