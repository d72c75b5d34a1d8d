"""Judge every claim of all papers at a scale: audit.csv, audit.json, one page, and summaries."""

from collections.abc import Iterator
from dataclasses import asdict

import pandas as pd

from reactivate.auditing.agreement import agreements
from reactivate.auditing.content import content, dump
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.page import page
from reactivate.auditing.rows import Row, checked_row, number_rows, statement_row
from reactivate.evidence.judgement import Judgement
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.experiment.paths import audit_file, checks_file, exhibit_file
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.errors import reports_errors
from reactivate.foundation.files import write_atomically, write_json


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.audit --scale S [--reach R]``."""
    audit(*named_arguments(__doc__, "scale", **REACH))


def audit(scale: str, reach: str = EVERYTHING) -> None:
    """Writes the audit of a scale: of what this machine can run of it."""
    experiment = Experiment.load(scale, reach)
    rows = [row for name in experiment.papers for row in judge(experiment, name)]
    with write_atomically(audit_file(scale, "csv")) as part:
        pd.DataFrame([asdict(row) for row in rows]).to_csv(part, index=False)
    judged = pd.read_csv(audit_file(scale, "csv"))  # as everyone else reads it
    write_json(audit_file(scale, "verdicts.json"), verdict_counts(judged))
    with write_atomically(audit_file(scale, "agreement.csv")) as part:
        agreements(judged).to_csv(part, index=False)
    with write_atomically(audit_file(scale, "json")) as part:
        part.write_text(dump(content(experiment, rows)), encoding="utf-8")
    with write_atomically(audit_file(scale, "html")) as part:
        part.write_text(page(scale), encoding="utf-8")


def judge(experiment: Experiment, name: str) -> Iterator[Row]:
    """One row per claim of a paper: its printed numbers, then its statements."""
    scale, paper = experiment.scale, experiment.paper(name)
    made = {exhibit.name for exhibit in experiment.exhibits(name)}
    evidence = {}
    for exhibit in paper.tables:
        path = exhibit_file(scale, name, exhibit, "provenance.json")
        found = Evidence.read(path) if exhibit in made else Evidence({})
        evidence[exhibit] = found, path.as_posix() if exhibit in made else ""
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
