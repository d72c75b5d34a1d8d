"""Printed tables of the thesis as numbers, and what is compared in them."""

import math
from collections.abc import Iterable

from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit
from reactivate.experiment.printed import Printed

Numbers = dict[str, float]  # by column
Table = dict[str, Numbers]  # by row

ROUNDING = 1e-9


def printed_table(name: str) -> Table:
    """The numbers of a table of the thesis; a place where none is printed has none."""
    table = load_exhibit("thesis", name)
    assert isinstance(table, Grid)
    return {
        row: {
            column: Printed.parse(text).value
            for column in table.column_names
            if (text := table.printed_at(row, column))
        }
        for row in table.row_names
    }


def numbers_of(table: Table) -> list[float]:
    """All numbers of a table."""
    return [number for row in table.values() for number in row.values()]


def gains_over(benchmark: Numbers, row: Numbers, digits: int = 1) -> Numbers:
    """What a row has more than another one where both have numbers, with printed digits."""
    return {
        column: round(number - benchmark[column], digits)
        for column, number in row.items()
        if column in benchmark
    }


def span(values: Iterable[float]) -> str:
    """From the lowest to the highest.

    Example:
        >>> span([0.5, -1.0])
        '-1.0 to +0.5'
    """
    found = list(values)
    return f"{min(found):+.1f} to {max(found):+.1f}"


def listed(values: Iterable[float], digits: int = 1) -> str:
    """Differences one by one.

    Example:
        >>> listed([0.5, -1.0])
        '+0.5, -1.0'
    """
    return ", ".join(f"{value:+.{digits}f}" for value in values)


def sigma_of(row: str) -> float:
    """The noise level that a row is named after.

    Example:
        >>> sigma_of("smooth_0125"), sigma_of("smoothadv_001_100")
        (0.125, 1.0)
    """
    digits = row.rpartition("_")[2]
    return int(digits) / 10.0 ** (len(digits) - 1)


def radius_of(column: str) -> float:
    """The radius that a column is named after.

    Example:
        >>> radius_of("clean"), radius_of("r175")
        (0.0, 1.75)
    """
    return 0.0 if column == "clean" else int(column[1:]) / 100


def by_radius(row: Numbers) -> Numbers:
    """The numbers of a row from the smallest radius to the largest."""
    return {column: row[column] for column in sorted(row, key=radius_of)}


def highest(table: Table) -> Table:
    """The highest of the noise levels, by method and radius.

    Example:
        >>> highest({"smooth_025": {"clean": 80.0}, "smooth_050": {"clean": 70.0, "r150": 7.0}})
        {'smooth': {'clean': 80.0, 'r150': 7.0}}
    """
    found: Table = {}
    for name, row in table.items():
        best = found.setdefault(name.rpartition("_")[0], {})
        for column, number in row.items():
            best[column] = max(number, best.get(column, number))
    return found


def fitting(values: Iterable[float], images: int, half_unit: float) -> int:
    """How many percentages are roundings of a number of images out of ``images``.

    Example:
        >>> fitting([64.5, 64.6], 500, 0.05)
        1
    """
    step = 100 / images
    return sum(abs(round(v / step) * step - v) <= half_unit + ROUNDING for v in values)


def deviations(percent: float, other: float, images: int) -> float:
    """How many standard errors two percentages of as many images each are apart.

    Example:
        >>> round(deviations(55.0, 50.0, 1000), 2)
        2.24
    """
    mean = (percent + other) / 200
    return (percent - other) / 100 / math.sqrt(2 * mean * (1 - mean) / images)
