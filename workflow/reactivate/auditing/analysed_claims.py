"""Comparisons judged from an analysis: what its function found, and the verdict that gets."""

import pandas as pd

from reactivate.evidence.absences import is_older, left_out
from reactivate.evidence.gates import mark_learned, unlearned_networks
from reactivate.experiment.choices import marked, unread
from reactivate.experiment.experiment import EXISTING, Experiment
from reactivate.experiment.overrides import arms_of
from reactivate.experiment.paths import VALUES
from reactivate.experiment.scales import PRINTED_SCALE
from reactivate.experiment.statements import Statement
from reactivate.foundation.registry import load_function
from reactivate.judging.exact import not_comparable, not_run
from reactivate.judging.judgement import Judgement
from reactivate.judging.prospects import Inquiry
from reactivate.judging.questions import Found, Readings, question_of
from reactivate.judging.readings import soften_by
from reactivate.judging.scale import at_scale, contrary_verdict


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
        return fitting(found, statement)
    effect = statement.effect
    told, arms = "; ".join(exhibit.overrides), arms_of(exhibit, check)
    stands_in = exhibit.stands_in(check)
    # without overrides the scale changes nothing of it
    excused = contrary_verdict(experiment.scale, stands_in=stands_in) if told else None
    question = question_of(effect, experiment.scale, excused)
    computed = found.found if isinstance(found, Readings) else ()

    def answer(found: Found | Readings) -> Judgement:
        judgement = question.answer(
            found,
            afterwards=marked(statement.choices, "afterwards"),
            on_test_split=marked(statement.choices, "on_test_split"),
        )
        judgement = soften_by(judgement, unread(statement.choices, computed), excused)
        if not told:
            return at_scale(fitting(judgement, statement), PRINTED_SCALE)
        return at_scale(
            fitting(judgement, statement),
            experiment.scale,
            is_magnitude=effect.magnitude,
            overrides=arms,
            told=told,
            stands_in=stands_in,
        )

    return Inquiry(found, answer, question.plan)


def fitting(judgement: Judgement, statement: Statement) -> Judgement:
    """The judgement, if a claim of this kind can get its verdict."""
    if not judgement.verdict.may_judge(statement.kind):
        raise ValueError(
            f"{statement.says!r} is a {statement.kind} and cannot get {judgement.verdict}; "
            "correct its kind, or what the function returns"
        )
    return judgement
