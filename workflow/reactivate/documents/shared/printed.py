"""Printed tables of any document as numbers, and which of their rows are best."""

from reactivate.documents.thesis.printed import Numbers, Table
from reactivate.experiment.exhibits import Grid
from reactivate.experiment.loading import load_exhibit
from reactivate.experiment.printed import Printed


def printed_cells(paper: str, exhibit: str) -> dict[str, dict[str, Printed]]:
    """What a table prints, by row and column; a place where nothing is printed has nothing."""
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
    """In how many columns a row has a lower number than another one.

    Example:
        >>> below_in({"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 2.0}, ("a", "b"))
        1
    """
    return sum(row[column] < other[column] for column in columns)
