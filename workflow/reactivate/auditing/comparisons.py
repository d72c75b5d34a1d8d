"""Comparisons judged from a trained table: who is best, who learns, which rate is chosen."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any

from reactivate.auditing.learning import Learning
from reactivate.experiment.choices import MARKS, unread
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.metrics import metric
from reactivate.experiment.overrides import arms_of
from reactivate.experiment.paper import Paper
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.experiment.statements import Check, EffectForm, Statement
from reactivate.judging.effects import difference, log_difference, share, trend
from reactivate.judging.judgement import Judgement
from reactivate.judging.learned import Control, judge_no_convergence
from reactivate.judging.prospects import Inquiry
from reactivate.judging.questions import Found, Readings, question_of
from reactivate.judging.readings import soften_by
from reactivate.judging.replicates import Effect
from reactivate.judging.scale import at_scale, contrary_verdict
from reactivate.judging.verdicts import UNDECIDED

Cases = dict[str, Effect | Judgement | dict[int, bool]]


def compared(exhibit: Trained, check: Check) -> tuple[list[str], list[str]]:
    """The rows and columns that a statement speaks of: all, or those it names."""
    rows = check.rows or exhibit.row_names
    columns = check.columns or exhibit.column_names
    return rows, columns


def judge_statement(statement: Statement, table: Learning, left_out: Judgement) -> Judgement:
    """The verdict on a comparison from a trained table, over all protocols that read the document.

    Args:
        statement: The claim; its effect says what is compared.
        table: The numbers of the table, and which runs have learned.
        left_out: The judgement of what was not run.
    """
    inquiry = inquire(statement, table, left_out)
    return left_out if inquiry is None else inquiry.judgement


def inquire(statement: Statement, table: Learning, left_out: Judgement) -> Inquiry | None:
    """What was found of a comparison in a trained table, and how it is judged; None if not run.

    See :func:`judge_statement`.
    """
    check, effect = statement.check, statement.effect
    assert check is not None
    assert effect is not None
    paper, scale = table.exhibit.paper, table.exhibit.scale
    protocols = [check.protocol] if check.protocol else readings_of(paper, table.form.protocols)
    found = {p: _found(check, effect, table, p, left_out) for p in protocols}
    run = {p: each for p, each in found.items() if not _is_missing(each)}
    if not run:
        return None
    arms = arms_of(table.exhibit, check)
    told, stands_in = "; ".join(table.exhibit.overrides), table.exhibit.stands_in(check)
    excused = contrary_verdict(scale, stands_in=stands_in) if any(arms.values()) else None
    question = question_of(effect, scale, excused)
    marks = {name: {p for p in run if getattr(paper.protocols[p], name)} for name in MARKS}
    open_choices = unread({**table.form.choices, **statement.choices}, protocols)

    def answer(found: Found | Readings) -> Judgement:
        if check.chance is not None:
            found = _convergence(found, check, table)
        judgement = soften_by(question.answer(found, **marks), open_choices, excused)
        if not any(arms.values()):
            return at_scale(judgement, PRINTED_SCALE)
        return at_scale(
            judgement,
            scale,
            is_magnitude=effect.magnitude,
            overrides=arms,
            told=told,
            stands_in=stands_in,
        )

    return Inquiry(Readings(run), answer, question.plan)


def readings_of(paper: Paper, protocols: list[str]) -> list[str]:
    """Protocols that are readings of the document; those of ours stand beside the verdict."""
    return [p for p in protocols if not paper.protocols[p].is_ours]


def _is_missing(found: Found) -> bool:
    cases = found.values() if isinstance(found, Mapping) else [found]
    return all(isinstance(case, Judgement) and case.verdict.ruling == "not_run" for case in cases)


def _found(
    check: Check, effect: EffectForm, table: Learning, protocol: str, left_out: Judgement
) -> Found:
    if check.chosen_lr is not None:
        return _chosen(check.chosen_lr, table, protocol, left_out)
    if check.chance is not None:
        return _unlearned(check, table, protocol, left_out)
    if check.along is not None:
        cases = _leads(check, table, protocol, left_out)
    else:
        cases = _pairs(check, effect, table, protocol, left_out)
    if effect.cases is None and len(cases) == 1:
        return next(iter(cases.values()))
    return cases


def _pairs(
    check: Check, effect: EffectForm, table: Learning, protocol: str, left_out: Judgement
) -> Cases:
    """The one that is said to be best against each rival in each place."""
    cases: Cases = {}
    for place, rival, ours, other in _opponents(check, table.form):
        runs = table.runs(*ours, protocol), table.runs(*other, protocol)
        name = f"{place}: {rival}" if place else rival
        if runs[0] is None or runs[1] is None:
            cases[name] = left_out
            continue
        if any(x is not None and math.isinf(x) for arm in runs for x in (arm or {}).values()):
            why = "a run never reaches it, and never is no number"
            cases[name] = Judgement(UNDECIDED, why, would_change="runs that all reach it")
            continue
        measured = metric(table.place(*ours, protocol).metric)
        between = log_difference if measured.logs else difference
        cases[name] = between(
            runs[0],
            runs[1],
            paired=effect.shared is not None,
            lower_is_better=(check.better or measured.better) == "lower",
            grain=0.0 if measured.logs else table.grain(*ours, protocol),
        )
    return cases


def _leads(check: Check, table: Learning, protocol: str, left_out: Judgement) -> Cases:
    """For each series of columns how the best row's lead over the mean of its rivals grows."""
    rows = [str(check.best), *(row for row in compared(table.form, check)[0] if row != check.best)]
    cases: Cases = {}
    for series in check.along or []:
        leads = [_lead(rows, column, table, protocol) for column in series]
        known = [lead for lead in leads if lead is not None]
        name = f"{series[0]} to {series[-1]}"
        if len(known) < len(series):
            cases[name] = left_out
            continue
        curves = {n: _whole([lead[n] for lead in known]) for n in _shared(known)}
        cases[name] = trend(range(len(series)), curves)
    return cases


def _lead(
    rows: list[str], column: str, table: Learning, protocol: str
) -> dict[int, float | None] | None:
    """By replicate how far the first row is ahead of the mean of the others; None if not all run.

    The lead of a replicate is None where one of its networks has not learned.
    """
    arms = [arm for row in rows if (arm := table.runs(row, column, protocol)) is not None]
    if len(arms) < len(rows):
        return None
    sign = -1.0 if metric(table.place(rows[0], column, protocol).metric).better == "lower" else 1.0
    leads: dict[int, float | None] = {}
    for replicate in _shared(arms):
        numbers = _whole([arm[replicate] for arm in arms])
        leads[replicate] = None if numbers is None else sign * (numbers[0] - fmean(numbers[1:]))
    return leads


def _shared(arms: Sequence[Mapping[int, float | None]]) -> list[int]:
    """Replicates that every arm has."""
    return sorted(set.intersection(*map(set, arms)))


def _whole(numbers: Sequence[float | None]) -> list[float] | None:
    """The numbers, or None if one of them is missing."""
    there = [x for x in numbers if x is not None]
    return there if len(there) == len(numbers) else None


def _opponents(
    check: Check, form: Trained
) -> list[tuple[str, str, tuple[str, str], tuple[str, str]]]:
    """Name of a place, of a rival, where the best stands there, and where the rival does."""
    rows, columns = compared(form, check)
    best = str(check.best)
    among_rows = best in rows
    rivals, places = (rows, columns) if among_rows else (columns, rows)

    def where(name: str, place: str) -> tuple[str, str]:
        return (name, place) if among_rows else (place, name)

    return [
        (place if len(places) > 1 else "", rival, where(best, place), where(rival, place))
        for place in places
        for rival in rivals
        if rival != best
    ]


def _unlearned(check: Check, table: Learning, protocol: str, left_out: Judgement) -> Cases:
    """For each place which of its networks have learned, by replicate."""
    rows, columns = compared(table.form, check)
    return {
        f"{row}: {column}": dict(enumerate(table.learned(row, column, protocol)))
        if (row, column, protocol) in table.evidence.cells
        else left_out
        for row in rows
        for column in columns
    }


def _convergence(found: Found | Readings, check: Check, table: Learning) -> Readings:
    """For each place whether its networks fail to learn where others, beside it, do learn."""
    rows, columns = compared(table.form, check)
    assert isinstance(found, Readings)
    judged: dict[str, Found] = {}
    for protocol, cases in found.found.items():
        assert isinstance(cases, Mapping)
        of_cases: dict[str, Judgement] = {}
        for row, column in product(rows, columns):
            name = f"{row}: {column}"
            case: Any = cases[name]  # type: ignore[index]  # by the names of cases
            controls = _controls(table, rows, column, protocol)
            of_cases[name] = (
                case
                if isinstance(case, Judgement)
                else judge_no_convergence(case, controls, table.exhibit.scale)
            )
        judged[protocol] = of_cases
    return Readings(judged)


def _controls(table: Learning, rows: list[str], column: str, protocol: str) -> list[Control]:
    """The other networks of a column."""
    return [
        Control(
            other,
            table.exhibit.scale,
            table.is_printed_to_learn(other, column),
            tuple(table.learned(other, column, protocol)),
        )
        for other in table.form.row_names
        if other not in rows and (other, column, protocol) in table.evidence.cells
    ]


def _chosen(
    printed: dict[str, float], table: Learning, protocol: str, left_out: Judgement
) -> Cases:
    """For each row, by replicate, the share of columns with the printed rate, minus a half."""
    cases: Cases = {}
    for row in table.form.row_names:
        expected = printed.get(row, printed["default"])
        agree: dict[int, list[bool]] = {}
        for column in table.form.column_names:
            for replicate, rate in enumerate(
                table.evidence.chosen_lrs(row, column, protocol) or []
            ):
                agree.setdefault(replicate, []).append(rate == expected)
        cases[row] = share(agree) if agree else left_out
    return cases
