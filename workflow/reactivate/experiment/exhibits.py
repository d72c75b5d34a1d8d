"""The form of an exhibit: what is printed, and whether ours is trained, computed or drawn."""

import hashlib
import json
from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reactivate.experiment.axes import Axes, stands_for
from reactivate.experiment.cell import CellName, Name, checked_name
from reactivate.experiment.choices import Choice
from reactivate.experiment.metrics import Metric
from reactivate.experiment.names import joined
from reactivate.experiment.numbers import Setting
from reactivate.experiment.printed import Printed
from reactivate.foundation.configuration import Strict, added

RUN_AXES = ("dataset", "model", "activation", "parameterization")
MORE_AXES = ("recipe", "measurement", "metric")
EMPTY = ""  # printed nothing: no claim
ILLEGIBLE = "?"  # printed, but the copy that was read has lost it: no claim, but run
Target = Annotated[str, Field(pattern=r"^reactivate(\.[a-z0-9_]+)+:[A-Za-z0-9_]+$")]


class Grid(Axes):
    """A printed table: the product of ``rows`` and ``columns`` are its numbers."""

    printed: dict[Name, list[Any]]

    def printed_at(self, row: str, column: str) -> str:
        """The number of a cell, as printed; empty where there is none, ? where it is lost."""
        return str(self.printed[row][self.column_names.index(column)])

    def is_printed(self, row: str, column: str) -> bool:
        """Whether the document prints a number in this cell, and it can be read."""
        return self.printed_at(row, column) not in (EMPTY, ILLEGIBLE)

    @property
    def printed_digest(self) -> str:
        """Digest of all numbers of the table as printed, with their rows and columns."""
        content = [self.column_names, [[row, *self.printed[row]] for row in self.row_names]]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]

    def is_empty(self, row: str, column: str) -> bool:
        """Whether the document prints nothing in this cell."""
        return self.printed_at(row, column) == EMPTY

    @model_validator(mode="after")
    def _grid_is_whole(self) -> "Grid":
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
            if number not in (EMPTY, ILLEGIBLE):
                Printed.parse(number)


Reason = Literal["data_unavailable", "compute", "underspecified", "quoted"]


class Recomputed(Grid):
    """A table with numbers that follow from definitions."""

    function: Target | None = None  # returns a list of reactivate.documents.shared.values.Value
    # rows, columns or cells (row/column) that cannot be run, and why
    not_run: dict[CellName, Reason] = Field(default_factory=dict)
    # cell (row/column) -> the convention under which the printed number is right, if ours is not
    conventions: dict[CellName, str] = Field(default_factory=dict)

    def reason_not_run(self, row: str, column: str) -> Reason | None:
        """The reason why a cell is not run at any scale; None if it is run."""
        named = (f"{row}/{column}", row, column)  # the closest counts
        return next((self.not_run[name] for name in named if name in self.not_run), None)

    def is_computed(self, row: str, column: str) -> bool:
        """Whether the function of the exhibit computes a cell."""
        return self.reason_not_run(row, column) is None

    @model_validator(mode="after")
    def _left_out_exists(self) -> "Recomputed":
        cells = [f"{row}/{column}" for row in self.row_names for column in self.column_names]
        for name in self.not_run:
            if name not in [*self.row_names, *self.column_names, *cells]:
                raise ValueError(
                    f"not_run names {name!r}, which is neither a row nor a column nor, as "
                    "row/column, a cell"
                )
        for name in self.conventions:
            if name not in cells:
                raise ValueError(f"conventions names {name!r}, which is no cell row/column")
        return self


class Cells(Axes):
    """Axes whose cells are runs."""

    fixed: dict[Name, str]
    protocols: list[str] = Field(min_length=1)  # the first one is judged

    def coordinates(self, row: str, column: str) -> dict[str, str]:
        """All coordinates of a cell; ``{column}`` in them becomes the name of the column."""
        said = {**self.fixed, **self.varied(row, column)}
        return {name: value.replace("{column}", column) for name, value in said.items()}

    def is_run(self, row: str, column: str) -> bool:
        """Whether a cell is trained, not computed by the exhibit's function."""
        return self.varied(row, column).get("by") != "function"

    def recipe(
        self, protocol: str, coordinates: dict[str, str], known: Collection[str] = ()
    ) -> str:
        """Name of the recipe of a cell: of its own under the first protocol, else a variant.

        A protocol may speak of the model or of a measurement alone: then the recipe is the same.
        """
        named = coordinates.get("recipe")
        return protocol if named is None else self._variant(named, protocol, known)

    def model(self, protocol: str, coordinates: dict[str, str], known: Collection[str]) -> str:
        """Name of the model of a cell: a variant of the protocol, if it has one."""
        return self._variant(coordinates["model"], protocol, known)

    def measurement(
        self, protocol: str, coordinates: dict[str, str], known: Collection[str]
    ) -> str | None:
        """Name of what is measured after training: a variant of the protocol, if it has one."""
        named = coordinates.get("measurement")
        return None if named is None else self._variant(named, protocol, known)

    def metric_of(
        self, protocol: str, coordinates: dict[str, str], default: str, known: Collection[str]
    ) -> str:
        """Name of the number that is read off a run: the variant of a protocol, if it has one."""
        return self._variant(coordinates.get("metric", default), protocol, known)

    def _variant(self, name: str, protocol: str, known: Collection[str]) -> str:
        variant = joined(name, protocol)
        return name if protocol == self.protocols[0] or variant not in known else variant

    @model_validator(mode="after")
    def _axes_make_cells(self) -> "Cells":
        for row in self.row_names:
            for column in self.column_names:
                if self.is_run(row, column):
                    self._check_axes(row, column)
        for name in self.fixed.values():
            checked_name(name, f"the grid of {self.locator}")
        return self

    def _check_axes(self, row: str, column: str) -> None:
        named = [*self.fixed, *stands_for(self.rows, row), *stands_for(self.columns, column)]
        twice = len(set(named)) < len(named)
        if twice or set(named) - set(MORE_AXES) != set(RUN_AXES):
            raise ValueError(
                f"fixed, row {row} and column {column} name {', '.join(sorted(named))}; together "
                f"they must name each of {', '.join(RUN_AXES)} once, and may name "
                f"{', '.join(MORE_AXES)} once"
            )


class Trained(Cells, Recomputed):
    """A table whose numbers come from runs; a column or row may be computed by a function."""

    kind: Literal["trained"]
    metric: Metric
    spread: Literal["standard_error", "standard_deviation", "unstated"]
    choices: dict[Name, Choice] = Field(default_factory=dict)  # that the document leaves open

    def is_computed(self, row: str, column: str) -> bool:
        """Whether the function of the exhibit computes a cell, which then is ``by: function``."""
        return super().is_computed(row, column) and not self.is_run(row, column)

    @model_validator(mode="after")
    def _function_where_needed(self) -> "Trained":
        asked = any(not self.is_run(r, c) for r in self.row_names for c in self.column_names)
        if asked != (self.function is not None):
            raise ValueError("function and cells that are `by: function` need each other")
        return self


class Best(Grid):
    """A table of the best of several rows of another one, column by column."""

    kind: Literal["best"]
    of: str
    over: dict[Name, list[str]]  # by row, the rows of the other table

    @model_validator(mode="after")
    def _every_row_has_rivals(self) -> "Best":
        if set(self.over) != set(self.row_names):
            raise ValueError(
                f"over has the rows {', '.join(self.over)}, but rows lists "
                f"{', '.join(self.row_names)}"
            )
        return self


class Computed(Recomputed):
    """A table whose numbers follow from definitions, without training."""

    kind: Literal["computed"]
    function: Target
    metric: str | None = None  # a name of config/metrics.yaml, if one for all cells


class Quoted(Grid):
    """Rows of a table that repeat what other papers measured: printed here, run nowhere."""

    kind: Literal["quoted"]
    metric: str | None = None  # as above
    quotes: str  # whose numbers they are


class Curves(Cells):
    """A picture of what happened during runs."""

    kind: Literal["curves"]
    function: Target  # takes the histories, returns a data frame and the figure that draws it
    picture: Target  # takes the data frame, returns the figure


class Figure(Strict):
    """A picture and the numbers it draws."""

    kind: Literal["figure"]
    title: str
    locator: str
    function: Target  # returns a data frame and the matplotlib figure that draws it


class Analysis(Strict):
    """A picture whose numbers take an analysis of their own: measured once, drawn at will."""

    title: str
    locator: str
    function: Target  # returns the data frame; what it takes depends on the kind
    picture: Target  # takes the data frame, returns the matplotlib figure
    # what the function is called with, as printed; a smaller scale may change it
    settings: dict[Name, Setting] = Field(default_factory=dict)


class Analysed(Analysis):
    """An analysis of what is defined, drawn at random or trained within it."""

    kind: Literal["analysed"]  # function(**settings)
    datasets: list[str] = Field(default_factory=list)  # prepared ones that the function reads


class OfNetworks(Analysis, Cells):
    """An analysis of trained networks."""

    kind: Literal["networks"]  # function(networks, **settings)
    on_gpu: bool = added(False)  # where there is one: it puts many images through its networks
    every_seed: bool = added(False)  # not one network of each kind, as in a document, but all


class OfMeasurements(Analysis, Cells):
    """An analysis of what trained networks were measured with."""

    kind: Literal["measured"]  # function(networks, **settings), each with its measurement's folder


class OfObservations(Analysis, Cells):
    """An analysis of what was observed during trainings, or of what all seeds of runs left."""

    kind: Literal["observed", "runs"]  # function(observations, **settings)
    every_seed: bool = added(False)  # as above; "runs" are of all seeds anyway


Exhibit = Annotated[
    Trained
    | Best
    | Computed
    | Quoted
    | Figure
    | Curves
    | Analysed
    | OfNetworks
    | OfMeasurements
    | OfObservations,
    Field(discriminator="kind"),
]
