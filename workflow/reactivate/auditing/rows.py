"""The audit: one row per claim, each with exactly one verdict."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial

from reactivate.auditing.numbers import judge_number, judge_recomputed
from reactivate.auditing.orders import compared, judge_best, judge_chance, judge_chosen_lr
from reactivate.auditing.quantities import measure_of
from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.evidence.measured import Measured
from reactivate.evidence.provenance import Evidence
from reactivate.evidence.tables import COMPUTED
from reactivate.experiment.catalog.catalog import dataset
from reactivate.experiment.catalog.imagesets import FolderSet
from reactivate.experiment.exhibits import Best, Grid, Quoted, Recomputed, Trained
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paper import Paper
from reactivate.experiment.printed import Printed
from reactivate.experiment.recipes import Training
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.experiment.statements import Statement
from reactivate.experiment.sweeps import SweepRecipe

QUOTED = "quoted"  # the protocol of numbers that other papers measured
WHY_NOT_RUN = {
    "data_unavailable": "its data has to be supplied, and nothing stands in for it here",
    "compute": "it does not follow from definitions",
    "underspecified": "the document does not say enough to count it",
}


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
    document: str = ""
    metric: str = ""  # of a printed number
    unit: str = ""
    better: str = ""  # lower or higher, where one is


def number_rows(
    scale: str, paper: Paper, name: str, evidence: Evidence, provenance: str
) -> Iterator[Row]:
    """One row per printed number of an exhibit."""
    exhibit = paper.tables[name]
    for row in exhibit.row_names:
        for column in filter(partial(exhibit.is_printed, row), exhibit.column_names):
            place = (row, column)
            judged, *others = _protocols(paper, exhibit, *place)
            measured = evidence.measured(*place, judged)
            judgement = _judge(scale, paper, exhibit, place, evidence, judged)
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
                document=paper.title,
                **asdict(measure_of(paper, exhibit, row, column)),
            )


def _protocols(paper: Paper, exhibit: Grid, row: str, column: str) -> list[str]:
    """The protocols by which a number is obtained; the first one is judged."""
    if isinstance(exhibit, Best):
        return paper.trained[exhibit.of].protocols
    if isinstance(exhibit, Trained) and exhibit.is_run(row, column):
        return exhibit.protocols
    return [QUOTED] if isinstance(exhibit, Quoted) else [COMPUTED]


def _judge(
    scale: str,
    paper: Paper,
    exhibit: Grid,
    place: tuple[str, str],
    evidence: Evidence,
    protocol: str,
) -> Judgement:
    printed = Printed.parse(exhibit.printed_at(*place))
    measured = evidence.measured(*place, protocol)
    if isinstance(exhibit, Best):
        other = paper.trained[exhibit.of]
        return _judge_trained(
            scale, paper, other, (exhibit.over[place[0]][0], place[1]), printed, measured, protocol
        )
    if isinstance(exhibit, Quoted):
        reason = f"{exhibit.quotes}; the document does not say how it was measured"
        return Judgement(Verdict.NOT_RUN_UNDERSPECIFIED, reason)
    assert isinstance(exhibit, Recomputed)
    why = exhibit.reason_not_run(*place)
    if why is not None:
        return Judgement(Verdict(f"not_run({why})"), WHY_NOT_RUN[why])
    if protocol == COMPUTED:
        assert measured is not None
        return judge_recomputed(printed, measured.mean, evidence.how(*place))
    assert isinstance(exhibit, Trained)
    return _judge_trained(scale, paper, exhibit, place, printed, measured, protocol)


def _judge_trained(
    scale: str,
    paper: Paper,
    exhibit: Trained,
    place: tuple[str, str],
    printed: Printed,
    measured: Measured | None,
    protocol: str,
) -> Judgement:
    axes = exhibit.coordinates(*place)
    if measured is None:
        return _left_out(scale, axes["dataset"])
    recipe = exhibit.recipe(protocol, axes, paper.recipes)
    return judge_number(
        printed,
        measured,
        exhibit.spread,
        printed_seeds=printed_seeds(paper.recipes[recipe]),
        at_paper_scale=not _is_cut(scale, paper, exhibit, place, protocol),
    )


def _is_cut(
    scale: str, paper: Paper, exhibit: Trained, place: tuple[str, str], protocol: str
) -> bool:
    """Whether the number that was run is a smaller one than the printed."""
    name = next(key for key, form in paper.trained.items() if form is exhibit)
    return Experiment.load(scale).exhibit(paper.paper, name).is_cut(*place, protocol)


def _left_out(scale: str, data: str) -> Judgement:
    """Judgement on a cell that was not run here: the reason for it."""
    if scale == PRINTED_SCALE and isinstance(dataset(data), FolderSet):
        return Judgement(Verdict.NOT_RUN_DATA, f"{data} has to be supplied, and was not")
    return Judgement(Verdict.NOT_RUN_COMPUTE, f"the scale {scale} leaves this cell out here")


def printed_seeds(recipe: SweepRecipe | Training) -> int:
    """The number of repetitions behind a printed mean."""
    return recipe.splits.seeds if isinstance(recipe, SweepRecipe) else recipe.seeds


def _others(
    scale: str,
    paper: Paper,
    exhibit: Grid,
    place: tuple[str, str],
    evidence: Evidence,
    protocols: list[str],
) -> Iterator[str]:
    """Remarks on what the other protocols gave for the same number."""
    for protocol in protocols:
        measured = evidence.measured(*place, protocol)
        if measured is not None:
            judgement = _judge(scale, paper, exhibit, place, evidence, protocol)
            ours = f"{measured} (n={measured.n})"
            yield f"{protocol}: {ours} {judgement.verdict}: {judgement.reason}"


def statement_row(scale: str, paper: Paper, name: str, evidence: Evidence, provenance: str) -> Row:
    """The row of a statement in words that is judged from a trained exhibit."""
    statement = paper.claims[name]
    exhibit = paper.trained[str(statement.check.exhibit)]
    asked = statement.check.protocol
    judged, *others = [asked] if asked else exhibit.protocols
    variants = {p: _judge_statement(scale, statement, exhibit, evidence, p) for p in others}
    rows, columns = compared(exhibit, statement.check)
    seeds = {len(evidence.values(r, c, judged) or []) for r in rows for c in columns}
    return _statement(
        scale,
        paper,
        name,
        _judge_statement(scale, statement, exhibit, evidence, judged),
        n=min(seeds),
        protocol=judged,
        provenance=provenance,
        other_protocols="; ".join(
            f"{p}: {j.verdict}: {j.reason}"
            for p, j in variants.items()
            if j.verdict not in (Verdict.NOT_RUN_COMPUTE, Verdict.NOT_RUN_DATA)
        ),
    )


def checked_row(scale: str, paper: Paper, name: str, judgement: Judgement, provenance: str) -> Row:
    """The row of a statement that a function checked."""
    return _statement(scale, paper, name, judgement, n=0, protocol=COMPUTED, provenance=provenance)


def _statement(
    scale: str,
    paper: Paper,
    name: str,
    judgement: Judgement,
    *,
    n: int,
    protocol: str,
    provenance: str,
    other_protocols: str = "",
) -> Row:
    statement = paper.claims[name]
    return Row(
        claim=f"{paper.paper}/claims/{name}",
        printed=statement.says,
        ours="",
        spread="",
        n=n,
        scale=scale,
        protocol=protocol,
        verdict=judgement.verdict,
        reason=judgement.reason,
        provenance=provenance,
        other_protocols=other_protocols,
        locator=statement.locator,
        document=paper.title,
    )


def _judge_statement(
    scale: str, statement: Statement, exhibit: Trained, evidence: Evidence, protocol: str
) -> Judgement:
    check = statement.check
    rows, columns = compared(exhibit, check)
    places = [(row, column) for row in rows for column in columns]
    missing = [place for place in places if evidence.values(*place, protocol) is None]
    for data in {exhibit.coordinates(*place)["dataset"]: None for place in missing}:
        left_out = _left_out(scale, data)
        if left_out.verdict == Verdict.NOT_RUN_DATA:
            return left_out
    if missing:
        reason = f"the scale {scale} does not run all cells under the protocol {protocol} here"
        return Judgement(Verdict.NOT_RUN_COMPUTE, reason)
    if check.chosen_lr is not None:
        return judge_chosen_lr(exhibit, evidence, check.chosen_lr, protocol)
    if check.chance is not None:
        return judge_chance(exhibit, evidence, check, protocol)
    return judge_best(exhibit, evidence, check, protocol)
