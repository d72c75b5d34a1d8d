"""Judge every claim of a paper at a scale: audit.csv, audit.json, one page, and summaries."""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from reactivate.auditing.agreement import agreements
from reactivate.auditing.cells import COMPUTED, READ
from reactivate.auditing.comparisons import compared
from reactivate.auditing.power import core_hours
from reactivate.auditing.rows import (
    Row,
    number_rows,
    read_judgement,
    statement_row,
    trained_judgement,
)
from reactivate.auditing.writing import write_audit
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import Evidence
from reactivate.evidence.records import read_record
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.paper import Paper
from reactivate.experiment.paths import RECORD, checks_file, exhibit_file
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.statements import Check
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.errors import reports_errors
from reactivate.judging.exact import not_run


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.audit --scale S --paper P [--reach R]``."""
    audit(*named_arguments(__doc__, "scale", "paper", **REACH))


def audit(scale: str, paper: str, reach: str = EVERYTHING) -> None:
    """Writes the audit of a paper at a scale: of what this machine can run of it."""
    experiment = Experiment.load(scale, reach)
    rows = list(judge(experiment, paper))
    write_audit(experiment, rows, list(map(vars, agreements(rows))), paper)


def judge(experiment: Experiment, name: str) -> Iterator[Row]:
    """One row per claim of a paper: its printed numbers, then its claims in words."""
    scale, paper = experiment.scale, experiment.paper(name)
    made = {exhibit.name for exhibit in experiment.exhibits(name)}
    evidence, hours = {}, partial(core_hours, read=cache(read_record))  # many share a record
    for exhibit in paper.tables:
        path = exhibit_file(scale, name, exhibit, "provenance.json")
        numbers = Evidence({})
        if exhibit in made:
            numbers = as_configured(experiment.exhibit(name, exhibit), Evidence.read(path))
        evidence[exhibit] = numbers, path.as_posix() if exhibit in made else ""
        yield from number_rows(experiment, paper, exhibit, *evidence[exhibit], hours)
    looked = read_judgements(checks_file(scale, name)) if paper.looked_into else None
    for claim, statement in paper.claims.items():
        own = looked.own_tables.get(claim) if looked is not None else None
        told = "" if own is None else own.says
        judgement = read_judgement(statement)
        if judgement is not None:
            yield statement_row(scale, paper, claim, judgement, READ, own_table=told)
            continue
        check = statement.check
        assert check is not None
        if looked is not None and claim in looked.claims:
            judgement = looked.claims[claim].reached
            protocol, source = COMPUTED, checks_file(scale, name).as_posix()
            records = _analysed(experiment, name, check)
        elif check.judge is not None or check.function is not None:
            older = checks_file(scale, name).as_posix()
            judgement = not_run("compute", f"{older} was made before the claim")
            protocol, source, records = COMPUTED, "", list[Path]()
        else:
            numbers, source = evidence[str(check.exhibit)]
            judgement, protocol = trained_judgement(experiment, paper, statement, numbers)
            records = _compared(paper, check, numbers)
        costs = hours(judgement, records)
        yield statement_row(scale, paper, claim, judgement, protocol, source, told, costs)


def as_configured(exhibit: RunExhibit, found: Evidence) -> Evidence:
    """The numbers of a table without those of runs that the configuration has no more.

    An audit from published evidence may meet runs of a network that a protocol used before.
    """
    if not isinstance(exhibit.form, Trained):
        return found
    expected = {
        (place.row, place.column, place.protocol): {
            (folder / RECORD).as_posix() for folder in exhibit.folders(place)
        }
        for place in exhibit.places
    }
    return Evidence(
        {
            place: cell
            for place, cell in found.cells.items()
            if place not in expected or expected[place] & {kept.record for kept in cell.records}
        }
    )


def _analysed(experiment: Experiment, paper: str, check: Check) -> list[Path]:
    """The record of the analysis that a claim is judged from, if there is one."""
    if check.judge is None:
        return []
    record = experiment.exhibit(paper, str(check.exhibit)).analysis_folder / RECORD
    return [record] if record.exists() else []


def _compared(paper: Paper, check: Check, numbers: Evidence) -> list[Path]:
    """The records of the runs that a claim compares."""
    rows, columns = compared(paper.trained[str(check.exhibit)], check)
    return [
        Path(kept.record)
        for cell in numbers.cells.values()
        if cell.row in rows and cell.column in columns
        for kept in cell.records
    ]


if __name__ == "__main__":
    main()
