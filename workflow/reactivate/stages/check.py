"""Judge the statements of a paper that a function checks, alone or from an analysis."""

import pandas as pd

from reactivate.evidence.environment import present_environment
from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.evidence.judgements import Judged, Judgements
from reactivate.evidence.records import watched
from reactivate.experiment.experiment import EVERYTHING, Experiment, printed_digests
from reactivate.experiment.paths import VALUES, checks_file
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.digests import code_digest, loaded_modules
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_json
from reactivate.stages.analyse import load_function

STAGE = "reactivate.stages.check"


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.check --scale S --paper P [--reach R]``."""
    check(*named_arguments(__doc__, "scale", "paper", **REACH))


def check(scale: str, paper: str, reach: str = EVERYTHING) -> None:
    """Writes the judgement of every checked statement, and what made it."""
    experiment, judged = Experiment.load(scale, reach), {}
    source = experiment.paper(paper)
    for claim, target in source.checked.items():
        asked = source.claims[claim].check
        with watched() as watch:
            if asked.judge is None:
                judgement = load_function(target)()
            elif (exhibit := experiment.exhibit(paper, str(asked.exhibit))).judges(asked):
                judgement = load_function(target)(pd.read_csv(exhibit.analysis_folder / VALUES))
            else:
                reason = f"the scale {scale} does not run all it speaks of here"
                judgement = Judgement(Verdict.NOT_RUN_COMPUTE, reason)
        judged[claim] = Judged(
            verdict=judgement.verdict,
            reason=judgement.reason,
            function=target,
            code=code_digest(STAGE, target),
            printed=printed_digests(paper, target),
            seconds=round(watch.seconds, 3),
            warnings=watch.warnings,
        )
    judgements = Judgements(
        paper=paper,
        scale=scale,
        environment=present_environment(),
        modules=loaded_modules(),
        claims=judged,
    )
    write_json(checks_file(scale, paper), judgements.model_dump())


if __name__ == "__main__":
    main()
