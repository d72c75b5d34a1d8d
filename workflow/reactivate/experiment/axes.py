"""The rows and columns of an exhibit, and what their names stand for."""

from pydantic import Field

from reactivate.experiment.cell import Name
from reactivate.foundation.configuration import Strict

# one name for the axis: its names, or what each of them stands for
Axis = dict[Name, list[Name] | dict[Name, dict[Name, str]]]


class Axes(Strict):
    """Rows and columns; each name stands for one or more coordinates of a cell.

    ``{activation: [relu, gelu]}`` varies the coordinate the axis is named after;
    ``{method: {ours: {model: vgg16, activation: gelu}}}`` says what each name stands for.
    """

    title: str
    locator: str
    rows: Axis = Field(min_length=1, max_length=1)
    columns: Axis = Field(min_length=1, max_length=1)

    @property
    def row_axis(self) -> str:
        return next(iter(self.rows))

    @property
    def column_axis(self) -> str:
        return next(iter(self.columns))

    @property
    def row_names(self) -> list[str]:
        return list(self.rows[self.row_axis])

    @property
    def column_names(self) -> list[str]:
        return list(self.columns[self.column_axis])

    def varied(self, row: str, column: str) -> dict[str, str]:
        """The coordinates that a row and a column stand for."""
        return {**stands_for(self.rows, row), **stands_for(self.columns, column)}


def stands_for(axis: Axis, name: str) -> dict[str, str]:
    """The coordinates behind a name of an axis.

    Example:
        >>> stands_for({"activation": ["relu", "gelu"]}, "gelu")
        {'activation': 'gelu'}
        >>> stands_for({"method": {"ours": {"model": "vgg16"}}}, "ours")
        {'model': 'vgg16'}
    """
    ((coordinate, names),) = axis.items()
    return names[name] if isinstance(names, dict) else {coordinate: name}
