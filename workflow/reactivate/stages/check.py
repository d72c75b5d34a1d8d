"""Look into the claims and findings of a paper that functions check, alone or from an analysis."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from reactivate.auditing.analysed_claims import fitting, inquire
from reactivate.evidence.absences import left_out
from reactivate.evidence.environment import present_environment
from reactivate.evidence.judgements import Judged, Judgements, Looked, Told
from reactivate.evidence.records import watched
from reactivate.experiment.experiment import EVERYTHING, Experiment, printed_digests
from reactivate.experiment.paths import VALUES, checks_file
from reactivate.experiment.statements import Statement
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.compact_json import write_compact_json
from reactivate.foundation.digests import code_digest, loaded_modules
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.registry import load_function
from reactivate.judging.judgement import Judgement
from reactivate.judging.prospects import Inquiry


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
    write_compact_json(checks_file(scale, paper), judgements.model_dump())


def judge(experiment: Experiment, paper: str, statement: Statement) -> Judgement:
    """The verdict on a claim that a function looks into, as the runs of a scale allow it."""
    check = statement.check
    assert check is not None
    if check.judge is None:
        return fitting(load_function(str(check.function))(), statement)
    found = inquire(experiment, paper, statement)
    return found.judgement if isinstance(found, Inquiry) else found


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
