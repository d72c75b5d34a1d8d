"""The numbers of an exhibit that are run: each with the cell that is trained for it."""

from collections.abc import Collection
from dataclasses import dataclass

from reactivate.experiment.cell import Cell
from reactivate.experiment.exhibits import RUN_AXES, Cells, Trained
from reactivate.experiment.metrics import metric_names
from reactivate.experiment.scales import Selection


@dataclass(frozen=True)
class Place:
    """A number of an exhibit under one protocol, and the cell that is trained for it."""

    row: str
    column: str
    protocol: str
    cell: Cell
    metric: str = ""
    measurement: str | None = None  # of the trained network


def places_of(
    whole: Cells,
    selection: Selection,
    recipes: Collection[str] = (),
    measurements: Collection[str] = (),
    models: Collection[str] = (),
) -> list[Place]:
    """The selected numbers of an exhibit, without those that are computed or not run.

    Args:
        whole: The exhibit.
        selection: Protocols, rows and columns that are wanted.
        recipes: Names that a protocol's variant of a recipe may have.
        measurements: Names that a protocol's variant of a measurement may have.
        models: Names that a protocol's variant of a model may have.
    """
    places = []
    metrics = metric_names()
    for protocol in whole.protocols if selection.protocols is None else selection.protocols:
        for row in whole.row_names if selection.rows is None else selection.rows:
            for column in whole.column_names if selection.columns is None else selection.columns:
                if not whole.is_run(row, column) or _left_out(whole, row, column):
                    continue
                axes = whole.coordinates(row, column)
                own = {name: axes[name] for name in RUN_AXES}
                own["model"] = whole.model(protocol, axes, models)
                cell = Cell(recipe=whole.recipe(protocol, axes, recipes), **own)
                default = whole.metric.name if isinstance(whole, Trained) else ""
                metric = whole.metric_of(protocol, axes, default, metrics)
                measured = whole.measurement(protocol, axes, measurements)
                places.append(Place(row, column, protocol, cell, metric, measured))
    return places


def _left_out(whole: Cells, row: str, column: str) -> bool:
    """Whether a number of a table is not run at any scale, or not printed."""
    if not isinstance(whole, Trained):
        return False
    return whole.is_empty(row, column) or whole.reason_not_run(row, column) is not None
