"""The cells of an exhibit: all of them, those a scale selects, those a machine can run."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from reactivate.experiment.exhibits import RUN_AXES, Cells, Trained
from reactivate.experiment.runs import Cell
from reactivate.experiment.scaling import Reach, Selection
from reactivate.experiment.schema import Paper, Recipe


@dataclass(frozen=True)
class GridCell:
    """A number of an exhibit under one protocol, and the cell that is trained for it."""

    row: str
    column: str
    protocol: str
    cell: Cell
    metric: str = ""
    measurement: str | None = None  # of the trained network


def product(
    whole: Cells,
    selection: Selection,
    recipes: Collection[str] = (),
    measurements: Collection[str] = (),
) -> list[GridCell]:
    """The cells of an exhibit that are selected, without those that are computed or not run.

    Args:
        whole: The exhibit.
        selection: Of its protocols, rows and columns.
        recipes: Names that a protocol's variant of a recipe may have.
        measurements: Names that a protocol's variant of a measurement may have.
    """
    cells = []
    for protocol in whole.protocols if selection.protocols is None else selection.protocols:
        for row in whole.row_names if selection.rows is None else selection.rows:
            for column in whole.column_names if selection.columns is None else selection.columns:
                if not whole.is_run(row, column) or _left_out(whole, row, column):
                    continue
                axes = whole.coordinates(row, column)
                recipe = whole.recipe(protocol, axes, recipes)
                cell = Cell(recipe=recipe, **{name: axes[name] for name in RUN_AXES})
                default = whole.metric.name if isinstance(whole, Trained) else ""
                metric = axes.get("metric", default)
                measured = whole.measurement(protocol, axes, measurements)
                cells.append(GridCell(row, column, protocol, cell, metric, measured))
    return cells


def _left_out(whole: Cells, row: str, column: str) -> bool:
    """Whether a cell of a table is not run at any scale, or not printed."""
    if not isinstance(whole, Trained):
        return False
    return whole.is_empty(row, column) or whole.reason_not_run(row, column) is not None


def with_stand_in(place: GridCell, stand_ins: dict[str, str]) -> GridCell:
    """The same on the dataset that a scale uses instead, if it does."""
    name = stand_ins.get(place.cell.dataset)
    return place if name is None else replace(place, cell=replace(place.cell, dataset=name))


def within(reach: Reach, paper: Paper, exhibit: str, place: GridCell) -> bool:
    """Whether a machine can run a cell: small networks always, others where they are listed."""
    if isinstance(paper.recipes[place.cell.recipe], Recipe):
        return True
    chosen = reach.exhibits.get(paper.paper, {}).get(exhibit)
    return chosen is not None and all(
        names is None or name in names
        for names, name in (
            (chosen.protocols, place.protocol),
            (chosen.rows, place.row),
            (chosen.columns, place.column),
        )
    )
