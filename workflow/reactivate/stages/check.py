"""Judge the statements of a paper that a function can check without training."""

from dataclasses import asdict

from reactivate.arguments import named_arguments
from reactivate.errors import reports_errors
from reactivate.files import write_json
from reactivate.papers import checks
from reactivate.provenance import code_digest
from reactivate.records import environment, watched
from reactivate.runs import checks_file
from reactivate.stages.analyse import load_function


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.check --scale S --paper P``."""
    check(*named_arguments(__doc__, "scale", "paper"))


def check(scale: str, paper: str) -> None:
    """Writes the judgement of every checked statement, and what made it."""
    judged = {}
    for claim, target in checks(paper).items():
        with watched() as watch:
            judgement = load_function(target)()
        judged[claim] = {
            **asdict(judgement),
            "function": target,
            "code": code_digest(target),
            "seconds": round(watch.seconds, 3),
            "warnings": watch.warnings,
        }
    write_json(checks_file(scale, paper), {**environment(), "claims": judged})


if __name__ == "__main__":
    main()
