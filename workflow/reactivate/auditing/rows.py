"""The audit: one row per claim, each with exactly one verdict and the evidence for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from reactivate.auditing.cells import COMPUTED, QUOTED, by_place
from reactivate.auditing.comparisons import compared, judge_statement
from reactivate.auditing.learning import Learning
from reactivate.auditing.numbers import (
    judge_best,
    judge_protocol,
    judge_recomputed,
    judge_trained,
)
from reactivate.auditing.power import Hours, core_hours
from reactivate.auditing.quantities import measure_of
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.catalog.catalog import is_lacking
from reactivate.experiment.choices import choices_text
from reactivate.experiment.exhibits import Best, Grid, Quoted, Recomputed, Trained
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.metrics import metric
from reactivate.experiment.paper import Paper
from reactivate.experiment.printed import Printed
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.experiment.statements import Statement
from reactivate.judging.charity import contradiction, misprint
from reactivate.judging.exact import not_run
from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import Kind, Ruling, Verdict

BETWEEN_PARTS = " | "  # reasons hold colons and semicolons
WHY_NOT_RUN = {
    "data_unavailable": "its data has to be supplied, and nothing stands in for it here",
    "compute": "it does not follow from definitions",
    "underspecified": "the document does not say enough to count it",
    "quoted": "the document quotes it from another work",
}
_verdict = cache(Verdict.parse)  # thousands of rows have a few dozen different ones


@dataclass(frozen=True)
class Row:
    """A claim, what was measured for it, the verdict, and what would change it."""

    claim: str
    kind: str
    printed: str
    ours: str
    spread: str
    n: str  # replicates; empty for exact work
    cases: str  # of exact work; empty for runs
    scale: str
    protocol: str
    verdict: str
    reason: str
    effect: str  # mean over replicates, positive as stated; of a number ours minus printed
    low: str  # ends and level of its interval
    high: str
    level: str
    unlearned: str  # runs that did not learn, and are not in the mean
    size: str  # of an effect against the stated one
    counts: str  # of the cases of a list
    parts: str  # the verdict of each case, or under each reading
    choices: str  # where the document is silent
    overrides: str  # what the scale changed
    seeds_to_decide: str
    core_hours: str  # that those seeds would take
    would_change: str
    provenance: str
    beside: str  # what protocols of ours gave, which are no readings of the document
    locator: str
    document: str = ""
    metric: str = ""  # of a printed number
    unit: str = ""
    better: str = ""  # lower or higher, where one is
    own_table: str = ""  # how far the document's own numbers agree
    note: str = ""
    reply: str = ""  # of the author

    @property
    def ruling(self) -> Ruling:
        """The verdict without its detail."""
        return _verdict(self.verdict).ruling


def judged_fields(judgement: Judgement, core_hours: float | None = None) -> dict[str, str]:
    """The fields of a row that tell a judgement."""
    shown = judgement.intervals[0] if judgement.intervals else None
    size = judgement.size
    return {
        "verdict": str(judgement.verdict),
        "reason": judgement.reason,
        "effect": _number(judgement.mean),
        "low": "" if shown is None else _number(shown.low),
        "high": "" if shown is None else _number(shown.high),
        "level": "" if shown is None else f"{shown.level:g}",
        "n": "" if judgement.n is None else str(judgement.n),
        "cases": "" if judgement.cases is None else str(judgement.cases),
        "unlearned": str(judgement.unlearned or ""),
        "size": "" if size is None else f"{size.verdict}, stated {size.stated:g}",
        "counts": "" if judgement.counts is None else str(judgement.counts),
        "parts": BETWEEN_PARTS.join(
            f"{name}: {part.verdict}: {part.reason}" for name, part in judgement.parts
        ),
        "overrides": judgement.overrides,
        "seeds_to_decide": _number(judgement.seeds_to_decide),
        "core_hours": _number(core_hours),
        "would_change": judgement.would_change,
    }


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def number_rows(
    experiment: Experiment,
    paper: Paper,
    name: str,
    evidence: Evidence,
    provenance: str,
    hours: Hours = core_hours,
) -> Iterator[Row]:
    """One row per printed number of an exhibit."""
    exhibit, run = paper.tables[name], experiment.exhibit(paper.paper, name)
    table = Learning(run, evidence) if isinstance(exhibit, Trained) else None
    absent, read = experiment.absence(run), cache(metric)
    placed = by_place(evidence.cells.values())
    for row in exhibit.row_names:
        for column in filter(partial(exhibit.is_printed, row), exhibit.column_names):
            judged, beside = _protocols(paper, exhibit, row, column)
            measured = evidence.measured(row, column, judged)
            error = None if measured is None else measured.standard_error
            place = row, column
            behind = (Path(k.record) for cell in placed.get(place, ()) for k in cell.records)
            judgement = _judge(experiment, paper, name, place, evidence, judged, table, absent)
            yield Row(
                claim=f"{paper.paper}/{name}/{row}/{column}",
                kind=Kind.NUMBER,
                printed=exhibit.printed_at(row, column),
                ours="" if measured is None else repr(measured.mean),
                spread="" if error is None else repr(error),
                scale=experiment.scale,
                protocol=judged,
                provenance=provenance if measured is not None else "",
                choices=choices_text(getattr(exhibit, "choices", {})),
                beside="; ".join(_beside(exhibit, place, table, beside)),
                locator=f"{exhibit.locator}, row {row}, column {column}",
                document=paper.title,
                **judged_fields(judgement, hours(judgement, behind)),
                **vars(measure_of(paper, exhibit, row, column, read)),
            )


def _protocols(paper: Paper, exhibit: Grid, row: str, column: str) -> tuple[str, list[str]]:
    """The protocol whose number is shown first, and those of ours that are shown beside it."""
    form = paper.trained[exhibit.of] if isinstance(exhibit, Best) else exhibit
    if isinstance(exhibit, Best) or (isinstance(form, Trained) and form.is_run(row, column)):
        assert isinstance(form, Trained)
        ours = [p for p in form.protocols if paper.protocols[p].is_ours]
        return form.protocols[0], ours
    return QUOTED if isinstance(exhibit, Quoted) else COMPUTED, []


def _judge(
    experiment: Experiment,
    paper: Paper,
    name: str,
    place: tuple[str, str],
    evidence: Evidence,
    protocol: str,
    table: Learning | None,
    absent: str,
) -> Judgement:
    exhibit = paper.tables[name]
    printed = Printed.parse(exhibit.printed_at(*place))
    if isinstance(exhibit, Quoted):
        return not_run("quoted", exhibit.quotes)
    if isinstance(exhibit, Best):
        other = experiment.exhibit(paper.paper, exhibit.of)
        first = paper.trained[exhibit.of].coordinates(exhibit.over[place[0]][0], place[1])
        missing = left_out(experiment.scale, absent, first["dataset"])
        return judge_best(other, exhibit, *place, evidence, missing)
    assert isinstance(exhibit, Recomputed)
    why = exhibit.reason_not_run(*place)
    if why is not None:
        return not_run(why, WHY_NOT_RUN[why])
    if protocol == COMPUTED:
        measured = evidence.measured(*place, protocol)
        if measured is None:
            return left_out(experiment.scale, absent)
        how = evidence.how(*place)
        return judge_recomputed(exhibit, *place, printed, measured.mean, how)
    assert table is not None
    data = table.form.coordinates(*place)["dataset"]
    missing = left_out(experiment.scale, absent, data)
    return judge_trained(table, *place, printed, missing)


def left_out(scale: str, absent: str, data: str | None = None) -> Judgement:
    """Judgement on a number that was not run here: the reason for it.

    Args:
        scale: The scale of the audit.
        absent: Why the exhibit of the number was not made; empty if it was.
        data: The dataset of the number, if it has one.
    """
    if scale == PRINTED_SCALE and data is not None and is_lacking(data):
        return not_run("data_unavailable", f"{data} has to be supplied, and was not")
    if absent:
        return not_run("compute", absent)
    return not_run("compute", f"the scale {scale} leaves this cell out here")


def _beside(
    exhibit: Grid, place: tuple[str, str], table: Learning | None, protocols: list[str]
) -> Iterator[str]:
    """Remarks on what protocols of ours gave for the same number."""
    if table is None:
        return
    printed = Printed.parse(exhibit.printed_at(*place))
    for protocol in protocols:
        found = judge_protocol(table, *place, printed, protocol)
        measured = table.evidence.measured(*place, protocol)
        if found is not None:
            yield f"{protocol}: {measured} (n={found.n}): {found.reason}"


def trained_judgement(
    experiment: Experiment, paper: Paper, statement: Statement, evidence: Evidence
) -> tuple[Judgement, str]:
    """The judgement of a claim in words from a trained exhibit, and the protocol shown first."""
    assert statement.check is not None
    table = Learning(experiment.exhibit(paper.paper, str(statement.check.exhibit)), evidence)
    rows, columns = compared(table.form, statement.check)
    data = table.form.coordinates(rows[0], columns[0])["dataset"]
    missing = left_out(experiment.scale, experiment.absence(table.exhibit), data)
    judgement = judge_statement(statement, table, missing)
    return judgement, statement.check.protocol or table.form.protocols[0]


def read_judgement(statement: Statement) -> Judgement | None:
    """The judgement of a claim that takes nothing but the document; None if it takes more."""
    if statement.misprint is not None:
        return misprint(" […] ".join(statement.quote), " […] ".join(statement.misprint.quote))
    if statement.contradicts is not None:
        other = " […] ".join(statement.contradicts.quote)
        return contradiction(" […] ".join(statement.quote), other)
    assert statement.check is not None
    if statement.check.not_run is not None:
        return not_run(statement.check.not_run, str(statement.check.why))
    return None


def statement_row(
    scale: str,
    paper: Paper,
    name: str,
    judgement: Judgement,
    protocol: str = COMPUTED,
    provenance: str = "",
    own_table: str = "",
    core_hours: float | None = None,
) -> Row:
    """The row of a claim in words."""
    statement = paper.claims[name]
    reply = statement.reply
    return Row(
        claim=f"{paper.paper}/claims/{name}",
        kind=statement.kind,
        printed=statement.says,
        ours="",
        spread="",
        scale=scale,
        protocol=protocol,
        provenance=provenance,
        choices=choices_text(statement.choices),
        beside="",
        locator=statement.locator,
        document=paper.title,
        own_table=own_table,
        note=statement.note or "",
        reply="" if reply is None else f"{reply.author}, {reply.date}: {reply.says}",
        **{**judged_fields(judgement, core_hours), "would_change": statement.would_change},
    )
