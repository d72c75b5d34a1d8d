"""The audit: one row per claim, each with exactly one verdict."""

from collections.abc import Iterator
from dataclasses import dataclass

from reactivate.auditing.evidence import Evidence
from reactivate.auditing.orders import judge_best, judge_chosen_lr
from reactivate.claims import Judgement, Measured, Printed, Verdict, judge_number
from reactivate.schema import Exhibit, Paper, Statement

PRINTED_SCALE = "paper"


@dataclass(frozen=True)
class Row:
    """A claim, what was measured for it, and the verdict."""

    claim: str
    printed: str
    ours: str
    spread: str
    n: int
    scale: str
    protocol: str
    verdict: str
    reason: str
    provenance: str
    other_protocols: str
    locator: str


def number_rows(
    scale: str, paper: Paper, name: str, evidence: Evidence, provenance: str
) -> Iterator[Row]:
    """One row per printed number of an exhibit."""
    exhibit = paper.exhibits[name]
    judged, *others = exhibit.protocols
    for row in exhibit.row_names:
        for column in exhibit.column_names:
            place = (row, column)
            measured = evidence.measured(*place, judged)
            judgement = _judge(scale, paper, exhibit, place, measured, judged)
            yield Row(
                claim=f"{paper.paper}/{name}/{row}/{column}",
                printed=exhibit.printed_at(row, column),
                ours="" if measured is None else repr(measured.mean),
                spread=""
                if measured is None or measured.standard_error is None
                else repr(measured.standard_error),
                n=0 if measured is None else measured.n,
                scale=scale,
                protocol=judged,
                verdict=judgement.verdict,
                reason=judgement.reason,
                provenance=provenance if measured is not None else "",
                other_protocols="; ".join(_others(scale, paper, exhibit, place, evidence, others)),
                locator=f"{exhibit.locator}, row {row}, column {column}",
            )


def _judge(
    scale: str,
    paper: Paper,
    exhibit: Exhibit,
    place: tuple[str, str],
    measured: Measured | None,
    protocol: str,
) -> Judgement:
    if measured is None:
        return Judgement(Verdict.NOT_RUN_COMPUTE, f"the scale {scale} leaves this cell out")
    return judge_number(
        Printed.parse(exhibit.printed_at(*place)),
        measured,
        exhibit.spread,
        printed_seeds=paper.recipes[protocol].splits.seeds,
        at_paper_scale=scale == PRINTED_SCALE,
    )


def _others(
    scale: str,
    paper: Paper,
    exhibit: Exhibit,
    place: tuple[str, str],
    evidence: Evidence,
    protocols: list[str],
) -> Iterator[str]:
    """What the named variants gave for the same number."""
    for protocol in protocols:
        measured = evidence.measured(*place, protocol)
        if measured is not None:
            judgement = _judge(scale, paper, exhibit, place, measured, protocol)
            ours = f"{measured} (n={measured.n})"
            yield f"{protocol}: {ours} {judgement.verdict}: {judgement.reason}"


def statement_row(scale: str, paper: Paper, name: str, evidence: Evidence, provenance: str) -> Row:
    """The row of a statement in words."""
    statement = paper.claims[name]
    exhibit = paper.exhibits[statement.check.exhibit]
    asked = statement.check.protocol
    judged, *others = [asked] if asked else exhibit.protocols
    judgement = _judge_statement(scale, statement, exhibit, evidence, judged)
    variants = {p: _judge_statement(scale, statement, exhibit, evidence, p) for p in others}
    columns, rows = exhibit.column_names, exhibit.row_names
    seeds = {len(evidence.values(r, c, judged) or []) for r in rows for c in columns}
    return Row(
        claim=f"{paper.paper}/claims/{name}",
        printed=statement.says,
        ours="",
        spread="",
        n=min(seeds),
        scale=scale,
        protocol=judged,
        verdict=judgement.verdict,
        reason=judgement.reason,
        provenance=provenance,
        other_protocols="; ".join(
            f"{p}: {j.verdict}: {j.reason}"
            for p, j in variants.items()
            if j.verdict != Verdict.NOT_RUN_COMPUTE
        ),
        locator=statement.locator,
    )


def _judge_statement(
    scale: str, statement: Statement, exhibit: Exhibit, evidence: Evidence, protocol: str
) -> Judgement:
    if not evidence.covers(exhibit.row_names, exhibit.column_names, protocol):
        reason = f"the scale {scale} does not run all cells under the protocol {protocol}"
        return Judgement(Verdict.NOT_RUN_COMPUTE, reason)
    check = statement.check
    if check.chosen_lr is not None:
        return judge_chosen_lr(exhibit, evidence, check.chosen_lr, protocol)
    assert check.best is not None
    return judge_best(exhibit, evidence, check.best, check.where, protocol)
