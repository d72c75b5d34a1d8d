"""The metric of every number of a table, with its unit and the direction that is better."""

from dataclasses import astuple, dataclass
from functools import partial

from reactivate.experiment.exhibits import Best, Computed, Grid, Quoted, Trained
from reactivate.experiment.metrics import metric
from reactivate.experiment.paper import Paper


@dataclass(frozen=True)
class Measure:
    """The metric of a number, with its unit and the direction that is better."""

    metric: str
    unit: str
    better: str  # lower, higher, or empty: neither


def measure_of(paper: Paper, exhibit: Grid, row: str, column: str) -> Measure:
    """The measure of a number: the metric that its row or column names, or else its table.

    Raises:
        ValueError: No metric is named, or one that config/metrics.yaml does not have.
    """
    if isinstance(exhibit, Best):
        return measure_of(paper, paper.trained[exhibit.of], exhibit.over[row][0], column)
    named = exhibit.varied(row, column).get("metric")
    if named is None and isinstance(exhibit, Trained) and exhibit.is_run(row, column):
        named = exhibit.metric.name
    if named is None and isinstance(exhibit, Computed | Quoted):
        named = exhibit.metric
    try:
        known = metric(str(named))
    except ValueError as error:
        place = f"row {row}, column {column} of {exhibit.locator}"
        raise ValueError(
            f"{place}: {error}, or change it in config/papers/{paper.paper}"
        ) from None
    return Measure(str(named), known.unit, known.better)


def measures_of(paper: Paper) -> list[tuple[str, ...]]:
    """Metric, unit and better direction of all that the tables of a paper print, each once."""
    measures = {
        measure_of(paper, exhibit, row, column)
        for exhibit in paper.tables.values()
        for row in exhibit.row_names
        for column in filter(partial(exhibit.is_printed, row), exhibit.column_names)
    }
    return sorted(astuple(measure) for measure in measures)
