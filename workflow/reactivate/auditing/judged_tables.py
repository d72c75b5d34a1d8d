"""What a table tells of its numbers besides them: their measures, and the verdicts on them."""

from reactivate.auditing.quantities import measure_of
from reactivate.auditing.rows import number_rows
from reactivate.evidence.provenance import Evidence
from reactivate.evidence.tables import Told, Where
from reactivate.experiment.exhibits import Best, Cells, Grid
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paper import Paper


def verdicts_of(
    experiment: Experiment, paper: Paper, name: str, evidence: Evidence
) -> dict[str, str]:
    """The verdict on every printed number of a table, by ``row/column``.

    The audit judges them by the same function. It takes the numbers of this table alone, so that
    a table has its verdicts without the audit of its paper.
    """
    rows = number_rows(experiment, paper, name, evidence, "")
    return {row.claim.removeprefix(f"{paper.paper}/{name}/"): row.verdict for row in rows}


def told_of(paper: Paper, exhibit: Grid, verdicts: dict[str, str]) -> dict[Where, Told]:
    """What each printed number of a table measures, on which data, and the verdict on it."""
    return {
        (row, column): _told(paper, exhibit, row, column, verdicts.get(f"{row}/{column}", ""))
        for row in exhibit.row_names
        for column in exhibit.column_names
        if exhibit.is_printed(row, column)
    }


def _told(paper: Paper, exhibit: Grid, row: str, column: str, verdict: str) -> Told:
    measure = measure_of(paper, exhibit, row, column)
    run, first = exhibit, row
    if isinstance(exhibit, Best):
        run, first = paper.trained[exhibit.of], exhibit.over[row][0]
    data = run.coordinates(first, column).get("dataset", "") if isinstance(run, Cells) else ""
    return Told(measure.metric, measure.unit, measure.better, data, verdict)
