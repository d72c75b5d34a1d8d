"""Our number as people read it beside the printed one."""

import math

from reactivate.auditing.cells import COMPUTED
from reactivate.evidence.measured import Measured
from reactivate.experiment.printed import Printed


def shown(printed: str, mean: float, error: float | None, n: int, protocol: str) -> str:
    """Our number as the page shows it beside the printed one.

    Example:
        >>> shown("25.6M", 25557032.0, None, 1, "computed")
        '25.557M'
        >>> shown("3.370±0.145", 3.818, 0.194, 3, "document")
        '3.82±0.19'
    """
    known = Printed.parse(printed)
    if math.isnan(mean):
        return "diverged"
    if protocol == COMPUTED or known.unit not in ("", "%"):
        return known.show(mean)
    return str(Measured(mean, error, n))
