"""Printed tables of any document as numbers, and comparisons of their rows."""

import math
from collections.abc import Iterable

from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit
from reactivate.experiment.printed import Printed

Numbers = dict[str, float]  # by column
Table = dict[str, Numbers]  # by row


def printed_cells(paper: str, exhibit: str) -> dict[str, dict[str, Printed]]:
    """Numbers that a table prints, by row and column; a place without a number is left out."""
    table = load_exhibit(paper, exhibit)
    assert isinstance(table, Grid)
    return {
        row: {
            column: Printed.parse(table.printed_at(row, column))
            for column in table.column_names
            if table.is_printed(row, column)
        }
        for row in table.row_names
    }


def printed_numbers(paper: str, exhibit: str) -> Table:
    """The numbers of a table without their spreads, by row and column.

    Example:
        >>> printed_numbers("crelu", "table2")["vgg"]["cifar10_average"]
        6.9
    """
    return {
        row: {column: number.value for column, number in cells.items()}
        for row, cells in printed_cells(paper, exhibit).items()
    }


def lowest(table: Table, column: str) -> str:
    """The row with the lowest number of a column.

    Example:
        >>> lowest({"relu": {"error": 8.0}, "crelu": {"error": 7.5}}, "error")
        'crelu'
    """
    return min(table, key=lambda row: table[row][column])


def highest_row(table: Table, column: str) -> str:
    """The row with the highest number of a column."""
    return max(table, key=lambda row: table[row][column])


def below_in(row: Numbers, other: Numbers, columns: tuple[str, ...]) -> int:
    """Number of columns in which a row has a lower number than another one.

    Example:
        >>> below_in({"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 2.0}, ("a", "b"))
        1
    """
    return sum(row[column] < other[column] for column in columns)


def numbers_of(table: Table) -> list[float]:
    """All numbers of a table."""
    return [number for row in table.values() for number in row.values()]


def gains_over(benchmark: Numbers, row: Numbers, digits: int = 1) -> Numbers:
    """Gains of a row over another one where both have numbers, with printed digits."""
    return {
        column: round(number - benchmark[column], digits)
        for column, number in row.items()
        if column in benchmark
    }


def span(values: Iterable[float]) -> str:
    """The lowest and the highest of some differences, in words.

    Example:
        >>> span([0.5, -1.0])
        '-1.0 to +0.5'
    """
    numbers = list(values)
    return f"{min(numbers):+.1f} to {max(numbers):+.1f}"


def listed(values: Iterable[float], digits: int = 1) -> str:
    """Differences one by one, with their signs.

    Example:
        >>> listed([0.5, -1.0])
        '+0.5, -1.0'
    """
    return ", ".join(f"{value:+.{digits}f}" for value in values)


def deviations(percent: float, other: float, images: int) -> float:
    """Distance of two percentages of as many images each, in standard errors.

    Example:
        >>> round(deviations(55.0, 50.0, 1000), 2)
        2.24
    """
    mean = (percent + other) / 200
    return (percent - other) / 100 / math.sqrt(2 * mean * (1 - mean) / images)
