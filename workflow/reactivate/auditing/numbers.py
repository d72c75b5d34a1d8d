"""Judgements on printed numbers: reproduced by runs, or recomputed from the definitions."""

import math
from dataclasses import replace

from reactivate.auditing.comparisons import readings_of
from reactivate.auditing.learning import Learning
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.choices import MARKS, unread
from reactivate.experiment.exhibits import Best, Grid, Trained
from reactivate.experiment.measurements import Certification, certified_metric
from reactivate.experiment.printed import Printed
from reactivate.experiment.recipes import Training
from reactivate.experiment.run_exhibit import RunExhibit
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.experiment.sweeps import SweepRecipe
from reactivate.judging.charity import Plea, could_print, refute
from reactivate.judging.exact import checked
from reactivate.judging.extremes import judge_always
from reactivate.judging.judgement import Judgement
from reactivate.judging.numbers import PrintedNumber, Spread, judge_number
from reactivate.judging.reach import beyond_reach, radius_cap
from reactivate.judging.readings import Reading, combine, soften_by
from reactivate.judging.replicates import Runs
from reactivate.judging.scale import at_scale, contrary_verdict
from reactivate.judging.verdicts import (
    DIFFERS,
    FAILS,
    HOLDS,
    REPRODUCED,
    UNDECIDED,
    Kind,
    Verdict,
)

MEANINGS = {
    "standard_error": Spread.STANDARD_ERROR,
    "standard_deviation": Spread.DEVIATION,
    "unstated": Spread.UNSTATED,
}
OF_EPOCHS = {HOLDS: REPRODUCED, FAILS: DIFFERS, UNDECIDED: UNDECIDED}


def judge_trained(
    table: Learning, row: str, column: str, printed: Printed, left_out: Judgement
) -> Judgement:
    """The verdict on a printed number from runs, over all protocols that read the document.

    Args:
        table: The numbers of the table, and which runs have learned.
        row: The row of the number.
        column: The column of the number.
        printed: The number in the document.
        left_out: The judgement of a number that was not run.
    """
    found = {
        protocol: judgement
        for protocol in readings_of(table.exhibit.paper, table.form.protocols)
        if (judgement := judge_protocol(table, row, column, printed, protocol)) is not None
    }
    return _over_readings(table.exhibit, row, column, found) if found else left_out


def judge_best(
    other: RunExhibit, form: Best, row: str, column: str, evidence: Evidence, left_out: Judgement
) -> Judgement:
    """The verdict on the best of several rows of another table, over all protocols of that one.

    Args:
        other: The table whose rows are meant.
        form: The table of the best ones.
        row: The row of the number.
        column: The column of the number.
        evidence: Our numbers of the table of the best ones.
        left_out: The judgement of a number that was not run.
    """
    assert isinstance(other.form, Trained)
    printed = Printed.parse(form.printed_at(row, column))
    beside = [
        Printed.parse(form.printed_at(name, column)).value
        for name in form.row_names
        if form.is_printed(name, column)
    ]
    asked = PrintedNumber(printed.value, printed.half_unit)
    found = {
        protocol: judge_number(dict(enumerate(values)), asked, beside)
        for protocol in readings_of(other.paper, other.form.protocols)
        if (values := evidence.values(row, column, protocol)) is not None
    }
    if not found:
        return left_out
    printed_there = (name for name in form.over[row] if other.form.is_printed(name, column))
    return _over_readings(other, next(printed_there), column, found)


def _over_readings(
    exhibit: RunExhibit, row: str, column: str, found: dict[str, Judgement]
) -> Judgement:
    """The verdict over what was found under each protocol, as the scale of the runs allows it."""
    form, protocols = exhibit.form, exhibit.paper.protocols
    assert isinstance(form, Trained)
    readings = [
        Reading(name, judgement, **{mark: getattr(protocols[name], mark) for mark in MARKS})
        for name, judgement in found.items()
    ]
    changed = _changed(exhibit, row, column, readings[0].name)
    excused = _excused(exhibit, changed)
    judgement = combine(readings, excused)
    judgement = soften_by(judgement, unread(form.choices, form.protocols), excused)
    if changed is None:
        return at_scale(judgement, PRINTED_SCALE)
    told = "; ".join(f"{name} = {value}" for name, value in changed.items())
    stands_in = "dataset" in changed
    return at_scale(judgement, exhibit.scale, is_magnitude=True, told=told, stands_in=stands_in)


def _changed(exhibit: RunExhibit, *where: str) -> dict[str, str] | None:
    """What the scale changes of the runs of a place; None if they are the printed ones."""
    if not exhibit.is_cut(*where):
        return None
    return exhibit.overrides_of(exhibit.place(*where))


def _excused(exhibit: RunExhibit, changed: dict[str, str] | None) -> Verdict | None:
    """The verdict of contrary readings, if the scale changed something of their runs."""
    if changed is None:
        return None
    return contrary_verdict(exhibit.scale, stands_in="dataset" in changed)


def judge_protocol(
    table: Learning, row: str, column: str, printed: Printed, protocol: str
) -> Judgement | None:
    """The verdict on a printed number from the runs of one protocol; None if there are none."""
    runs = table.runs(row, column, protocol)
    if runs is None:
        return None
    paper, form = table.exhibit.paper, table.form
    if math.isinf(printed.value) or any(x is not None and math.isinf(x) for x in runs.values()):
        return _judge_epochs(runs, printed)
    recipe = paper.recipes[form.recipe(protocol, form.coordinates(row, column), paper.recipes)]
    return _unreachable(table, row, column, protocol) or judge_number(
        runs,
        PrintedNumber(
            printed.value,
            printed.half_unit,
            printed.spread,
            MEANINGS[form.spread],
            None if printed.spread is None else max(2, printed_seeds(recipe)),
        ),
        table.column(row, column),
        grain=table.grain(row, column, protocol),
        contrary_as=_excused(table.exhibit, _changed(table.exhibit, row, column, protocol)),
    )


def printed_seeds(recipe: SweepRecipe | Training) -> int:
    """The number of repetitions behind a printed mean."""
    return recipe.splits.seeds if isinstance(recipe, SweepRecipe) else recipe.seeds


def _judge_epochs(runs: Runs, printed: Printed) -> Judgement:
    """The verdict on an epoch that is never reached, in the document or in a run."""
    never = {seed: None if x is None else math.isinf(x) for seed, x in runs.items()}
    if math.isinf(printed.value):
        found = judge_always(never)
        return replace(found, verdict=OF_EPOCHS.get(found.verdict, found.verdict))
    count = sum(bool(x) for x in never.values())
    return Judgement(
        UNDECIDED,
        f"{count} of {len(runs)} run{'s' if len(runs) > 1 else ''} never reach it, printed is "
        f"{printed.show(printed.value)}",
        n=len(runs),
        would_change="runs that all reach it, or never do",
    )


def _unreachable(table: Learning, row: str, column: str, protocol: str) -> Judgement | None:
    """The judgement of a certified accuracy at a radius that the draws cannot certify."""
    place = table.place(row, column, protocol)
    if place.measurement is None:
        return None
    asked = table.exhibit.cell(place).measurement(place.measurement)
    if not isinstance(asked, Certification):
        return None
    radius = {certified_metric(radius): radius for radius in asked.radii}.get(place.metric)
    cap = radius_cap(asked.n, asked.alpha, asked.sigma)
    return None if radius is None else beyond_reach(radius, cap, "the radius")


def judge_recomputed(
    form: Grid, row: str, column: str, printed: Printed, value: float, how: str
) -> Judgement:
    """The verdict on a number that follows from definitions: it rounds to the printed one or not.

    Where it does not, but would under a convention that the document may mean, it depends on it.
    """
    reason = f"recomputed {printed.show(value)}; {how}"
    if could_print(value, value, printed.value, printed.half_unit):
        return checked(True, reason, cases=1)
    conventions: dict[str, str] = getattr(form, "conventions", {})
    plea = Plea(assumption="", convention=conventions.get(f"{row}/{column}", ""), right_form="")
    found = refute(Kind.NUMBER, form.printed_at(row, column), reason, plea, cases=1)
    assert found is not None  # only a damaged or excused number is left without a verdict
    return found
