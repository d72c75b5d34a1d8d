"""The files of an audit, of one paper or of all."""

import pandas as pd

from reactivate.auditing.agreement import agreements
from reactivate.auditing.chain import Ledger
from reactivate.auditing.content import content, dump
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.page import page
from reactivate.auditing.rows import Row
from reactivate.experiment.experiment import Experiment
from reactivate.foundation.files import write_atomically, write_json


def write_audit(experiment: Experiment, rows: list[Row], paper: str | None = None) -> None:
    """Writes the table, the content for programs, the page and the summaries of an audit.

    Args:
        experiment: The scale, and what this machine can run of it.
        rows: One for each claim.
        paper: The paper that is audited; all if there is none.
    """
    ledger = Ledger(experiment.scale, paper=paper, made_with=experiment.reach)
    write_verdicts(experiment, rows, ledger)
    write_page(ledger)


def write_verdicts(experiment: Experiment, rows: list[Row], ledger: Ledger) -> None:
    """Writes all files of an audit but its page, which shows the verdicts of other scales too."""
    with write_atomically(ledger.file("csv")) as part:
        pd.DataFrame([vars(row) for row in rows]).to_csv(part, index=False)
    judged = pd.read_csv(ledger.file("csv"))  # as everyone else reads it
    counts = verdict_counts((row.claim, row.verdict) for row in rows)
    write_json(ledger.file("verdicts.json"), counts)
    with write_atomically(ledger.file("agreement.csv")) as part:
        agreements(judged).to_csv(part, index=False)
    with write_atomically(ledger.file("json")) as part:
        part.write_text(dump(content(experiment, rows, ledger)), encoding="utf-8")


def write_page(ledger: Ledger) -> None:
    """Writes the page of an audit whose other files are there."""
    with write_atomically(ledger.file("html")) as part:
        part.write_text(page(ledger), encoding="utf-8")
