"""Look into the claims and findings of a paper that functions check, alone or from an analysis."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from reactivate.evidence.absences import is_older, left_out
from reactivate.evidence.environment import present_environment
from reactivate.evidence.gates import mark_learned, unlearned_networks
from reactivate.evidence.judgements import Judged, Judgements, Looked, Told
from reactivate.evidence.records import watched
from reactivate.experiment.choices import marked, unread
from reactivate.experiment.experiment import EVERYTHING, EXISTING, Experiment, printed_digests
from reactivate.experiment.overrides import arms_of
from reactivate.experiment.paths import VALUES, checks_file
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.experiment.statements import Statement
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.digests import code_digest, loaded_modules
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_json
from reactivate.foundation.registry import load_function
from reactivate.judging.exact import not_comparable, not_run
from reactivate.judging.judgement import Judgement
from reactivate.judging.prospects import Inquiry
from reactivate.judging.questions import Found, Readings, question_of
from reactivate.judging.readings import soften_by
from reactivate.judging.scale import at_scale


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.check --scale S --paper P [--reach R]``."""
    check(*named_arguments(__doc__, "scale", "paper", **REACH))


def check(scale: str, paper: str, reach: str = EVERYTHING) -> None:
    """Writes the judgement of every checked claim, every finding, and what made them."""
    experiment = Experiment.load(scale, reach)
    source = experiment.paper(paper)
    claims, findings, own_tables = {}, {}, {}
    for name, target in source.checked.items():
        if name in source.claims:
            look = partial(judge, experiment, paper, source.claims[name])
            judgement, looked = _look(paper, target, look)
            claims[name] = Judged(judgement=judgement.as_json(), **looked)
        else:
            says, looked = _look(paper, target, partial(_found, experiment, paper, name))
            findings[name] = Told(says=says, **looked)
    for name, target in source.own_tables.items():
        says, looked = _look(paper, target, load_function(target))
        own_tables[name] = Told(says=says, **looked)
    judgements = Judgements(
        paper=paper,
        scale=scale,
        environment=present_environment(),
        modules=loaded_modules(),
        claims=claims,
        findings=findings,
        own_tables=own_tables,
    )
    write_json(checks_file(scale, paper), judgements.model_dump())


def judge(experiment: Experiment, paper: str, statement: Statement) -> Judgement:
    """The verdict on a claim that a function looks into, as the runs of a scale allow it."""
    check = statement.check
    assert check is not None
    if check.judge is None:
        return _fitting(load_function(str(check.function))(), statement)
    found = inquire(experiment, paper, statement)
    return found.judgement if isinstance(found, Inquiry) else found


def inquire(experiment: Experiment, paper: str, statement: Statement) -> Inquiry | Judgement:
    """What an analysis found of a comparison, and how it is judged; or a verdict without it."""
    check = statement.check
    assert check is not None
    assert check.judge is not None
    exhibit = experiment.exhibit(paper, str(check.exhibit))
    if (missing := left_out(experiment, exhibit, check)) is not None:
        return missing
    if statement.effect is not None and (unlearned := unlearned_networks(exhibit, check)):
        names = ", ".join(unlearned)
        return not_comparable("untrained", f"networks that it needs have not learned: {names}")
    values = pd.read_csv(exhibit.analysis_folder / VALUES)
    try:
        found = load_function(check.judge)(mark_learned(values, exhibit))
    except KeyError as lacking:
        if experiment.reach != EXISTING or not is_older(exhibit):
            raise
        why = f"older code made the values of {exhibit.name}, without {lacking}"
        return not_run("compute", why)
    if statement.effect is None:
        return _fitting(found, statement)
    effect = statement.effect
    question = question_of(effect, experiment.scale)
    computed = found.found if isinstance(found, Readings) else ()
    told, arms = "; ".join(exhibit.overrides), arms_of(exhibit, check)

    def answer(found: Found | Readings) -> Judgement:
        judgement = question.answer(
            found,
            afterwards=marked(statement.choices, "afterwards"),
            on_test_split=marked(statement.choices, "on_test_split"),
        )
        judgement = soften_by(judgement, unread(statement.choices, computed))
        if not told:  # the scale changes nothing of it
            return at_scale(_fitting(judgement, statement), PRINTED_SCALE)
        return at_scale(
            _fitting(judgement, statement),
            experiment.scale,
            is_magnitude=effect.magnitude,
            overrides=arms,
            told=told,
            stands_in=exhibit.stands_in(check),
        )

    return Inquiry(found, answer, question.plan)


def _fitting(judgement: Judgement, statement: Statement) -> Judgement:
    """The judgement, if a claim of this kind can get its verdict."""
    if not judgement.verdict.may_judge(statement.kind):
        raise ValueError(
            f"{statement.says!r} is a {statement.kind} and cannot get {judgement.verdict}; "
            "correct its kind, or what the function returns"
        )
    return judgement


def _found(experiment: Experiment, paper: str, name: str) -> str:
    """A finding, in a sentence."""
    check = experiment.paper(paper).findings[name].check
    assert check is not None
    if check.judge is None:
        return str(load_function(str(check.function))())
    exhibit = experiment.exhibit(paper, str(check.exhibit))
    if (missing := left_out(experiment, exhibit, check)) is not None:
        return missing.reason
    return str(load_function(check.judge)(pd.read_csv(exhibit.analysis_folder / VALUES)))


def _look(paper: str, target: str, look: Callable[[], Any]) -> tuple[Any, dict[str, Any]]:
    """What a function returns, and how that went: the fields of a ``Looked``."""
    with watched() as watch:
        found = look()
    looked = Looked(
        function=target,
        code=code_digest("reactivate.stages.check", target),
        printed=printed_digests(paper, target),
        seconds=round(watch.seconds, 3),
        warnings=watch.warnings,
    )
    return found, looked.model_dump()


if __name__ == "__main__":
    main()
