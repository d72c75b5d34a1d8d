"""Judge every claim of a paper at a scale: audit.csv, audit.json, one page, and summaries."""

from collections.abc import Iterator

from reactivate.auditing.rows import Row, checked_row, number_rows, statement_row
from reactivate.auditing.writing import write_audit
from reactivate.evidence.judgement import Judgement
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.paths import checks_file, exhibit_file
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.errors import reports_errors


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.audit --scale S --paper P [--reach R]``."""
    audit(*named_arguments(__doc__, "scale", "paper", **REACH))


def audit(scale: str, paper: str, reach: str = EVERYTHING) -> None:
    """Writes the audit of a paper at a scale: of what this machine can run of it."""
    experiment = Experiment.load(scale, reach)
    write_audit(experiment, list(judge(experiment, paper)), paper)


def judge(experiment: Experiment, name: str) -> Iterator[Row]:
    """One row per claim of a paper: its printed numbers, then its statements."""
    scale, paper = experiment.scale, experiment.paper(name)
    made = {exhibit.name for exhibit in experiment.exhibits(name)}
    evidence = {}
    for exhibit in paper.tables:
        path = exhibit_file(scale, name, exhibit, "provenance.json")
        numbers = Evidence.read(path) if exhibit in made else Evidence({})
        evidence[exhibit] = numbers, path.as_posix() if exhibit in made else ""
        yield from number_rows(scale, paper, exhibit, *evidence[exhibit])
    checked = checks_file(scale, name)
    judged = read_judgements(checked).claims if paper.checked else {}
    for claim, statement in paper.claims.items():
        if claim in judged:
            judgement = Judgement(judged[claim].verdict, judged[claim].reason)
            yield checked_row(scale, paper, claim, judgement, checked.as_posix())
        else:
            source = evidence[str(statement.check.exhibit)]
            yield statement_row(scale, paper, claim, *source)


if __name__ == "__main__":
    main()
