"""The form of an exhibit: what is printed, and whether ours is trained, computed or drawn."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reactivate.claims import Printed
from reactivate.configuration import Strict
from reactivate.runs import checked_name

RUN_AXES = ("dataset", "model", "activation", "parameterization")
Target = Annotated[str, Field(pattern=r"^reactivate(\.[a-z0-9_]+)+:[a-z0-9_]+$")]


class Metric(Strict):
    name: str
    better: Literal["lower", "higher"]
    unit: str


class Grid(Strict):
    """A printed table: the product of ``rows`` and ``columns`` are its numbers."""

    title: str
    locator: str
    rows: dict[str, list[str]] = Field(min_length=1, max_length=1)
    columns: dict[str, list[str]] = Field(min_length=1, max_length=1)
    printed: dict[str, list[Any]]

    @property
    def row_axis(self) -> str:
        return next(iter(self.rows))

    @property
    def column_axis(self) -> str:
        return next(iter(self.columns))

    @property
    def row_names(self) -> list[str]:
        return self.rows[self.row_axis]

    @property
    def column_names(self) -> list[str]:
        return self.columns[self.column_axis]

    def printed_at(self, row: str, column: str) -> str:
        """The printed number of a cell, as printed."""
        return str(self.printed[row][self.column_names.index(column)])

    @model_validator(mode="after")
    def _grid_is_whole(self) -> "Grid":
        for name in [*self.row_names, *self.column_names]:
            checked_name(name, f"the grid of {self.locator}")
        if set(self.printed) != set(self.row_names):
            raise ValueError(
                f"printed has the rows {', '.join(self.printed)}, but rows lists "
                f"{', '.join(self.row_names)}"
            )
        for row, numbers in self.printed.items():
            self._check_row(row, numbers)
        return self

    def _check_row(self, row: str, numbers: list[Any]) -> None:
        if len(numbers) != len(self.column_names):
            raise ValueError(
                f"printed.{row} has {len(numbers)} numbers for {len(self.column_names)} columns "
                f"({', '.join(self.column_names)})"
            )
        for number in numbers:
            if not isinstance(number, str):
                raise ValueError(
                    f"printed.{row} holds {number!r} without quotes: quote it as printed, "
                    f'e.g. "{number}", so that trailing zeros keep its precision'
                )
            Printed.parse(number)


class Trained(Grid):
    """A table whose numbers come from runs: its cells are trained."""

    kind: Literal["trained"]
    metric: Metric
    fixed: dict[str, str]
    protocols: list[str] = Field(min_length=1)  # recipes; the first one is judged
    spread: Literal["standard_error", "standard_deviation", "unstated"]

    @model_validator(mode="after")
    def _axes_make_a_cell(self) -> "Trained":
        axes = [*self.fixed, self.row_axis, self.column_axis]
        if sorted(axes) != sorted(RUN_AXES):
            raise ValueError(
                f"fixed, rows and columns name {', '.join(axes)}; together they must name each of "
                f"{', '.join(RUN_AXES)} once"
            )
        for name in self.fixed.values():
            checked_name(name, f"the grid of {self.locator}")
        return self


class Computed(Grid):
    """A table whose numbers follow from definitions, without training."""

    kind: Literal["computed"]
    function: Target  # returns a list of reactivate.analyses.values.Value
    # rows or columns that need training or data, and the reason they are not run
    not_run: dict[str, Literal["data_unavailable", "compute", "underspecified"]] = Field(
        default_factory=dict
    )

    def reason_not_run(self, row: str, column: str) -> str | None:
        """Why a cell is not computed, or None if it is."""
        return self.not_run.get(row) or self.not_run.get(column)

    @model_validator(mode="after")
    def _left_out_exists(self) -> "Computed":
        for name in self.not_run:
            if name not in [*self.row_names, *self.column_names]:
                raise ValueError(f"not_run names {name!r}, which is neither a row nor a column")
        return self


class Figure(Strict):
    """A picture and the numbers it draws."""

    kind: Literal["figure"]
    title: str
    locator: str
    function: Target  # returns a data frame and the matplotlib figure that draws it


Exhibit = Annotated[Trained | Computed | Figure, Field(discriminator="kind")]
