"""The metric of every number of a table, with its unit and the direction that is better."""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import cache, partial

from reactivate.experiment.exhibits import Best, Computed, Grid, Quoted, Trained
from reactivate.experiment.metrics import MetricEntry, metric
from reactivate.experiment.paper import Paper


@dataclass(frozen=True)
class Measure:
    """The metric of a number, with its unit and the direction that is better."""

    metric: str
    unit: str
    better: str  # lower, higher, or empty: neither


def measure_of(
    paper: Paper,
    exhibit: Grid,
    row: str,
    column: str,
    read: Callable[[str], MetricEntry] = metric,
) -> Measure:
    """The measure of a number: the metric that its row or column names, or else its table.

    Args:
        paper: The document.
        exhibit: The table.
        row: The row of the number.
        column: The column of the number.
        read: Reads the metric of a name; who asks for many numbers may keep what it returns.

    Raises:
        ValueError: No metric is named, or one that config/metrics.yaml does not have.
    """
    if isinstance(exhibit, Best):
        return measure_of(paper, paper.trained[exhibit.of], exhibit.over[row][0], column, read)
    named = exhibit.varied(row, column).get("metric")
    if named is None and isinstance(exhibit, Trained) and exhibit.is_run(row, column):
        named = exhibit.metric.name
    if named is None and isinstance(exhibit, Computed | Quoted):
        named = exhibit.metric
    try:
        known = read(str(named))
    except ValueError as error:
        place = f"row {row}, column {column} of {exhibit.locator}"
        raise ValueError(
            f"{place}: {error}, or change it in config/papers/{paper.paper}"
        ) from None
    return Measure(str(named), known.unit, known.better)


def measures_of(paper: Paper) -> list[tuple[str, ...]]:
    """Metric, unit and better direction of all that the tables of a paper print, each once."""
    read = cache(metric)
    measures = {
        measure_of(paper, exhibit, row, column, read)
        for exhibit in paper.tables.values()
        for row in exhibit.row_names
        for column in filter(partial(exhibit.is_printed, row), exhibit.column_names)
    }
    return sorted(astuple(measure) for measure in measures)
