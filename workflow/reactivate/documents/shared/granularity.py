"""Percentages that can be printed for a whole number of images."""

from collections.abc import Iterable

from reactivate.experiment.printed import Printed

ROUNDING = 1e-9


def is_possible(printed: Printed, images: int, runs: int = 1) -> bool:
    """Whether a percentage can be printed for a mean over runs, each of whole images.

    Reference:
        Brown & Heathers 2017, the GRIM test (doi:10.1177/1948550616673876).

    Args:
        printed: The percentage, with as many digits as printed.
        images: How many each run is measured with.
        runs: How many the mean is over.

    Example:
        >>> is_possible(Printed.parse("64.5"), 400), is_possible(Printed.parse("64.6"), 400)
        (True, False)
    """
    step = 100 / (images * runs)
    nearest = round(printed.value / step) * step
    return abs(nearest - printed.value) <= printed.half_unit + ROUNDING


def share_possible(printed: Printed, images: int, runs: int = 1) -> float:
    """Share of the percentages with as many digits that are possible; 1 if none can be refused.

    Example:
        >>> round(share_possible(Printed.parse("64.5"), 500), 2)
        0.5
    """
    printable = 50 / printed.half_unit
    return min(1.0, (images * runs + 1) / (printable + 1))


def fitting(values: Iterable[float], images: int, half_unit: float) -> int:
    """Number of percentages that are roundings of a number of images out of ``images``.

    Example:
        >>> fitting([64.5, 64.6], 500, 0.05)
        1
    """
    return sum(is_possible(Printed(value, None, half_unit), images) for value in values)
