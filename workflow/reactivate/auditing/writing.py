"""The files of an audit, of one paper or of all."""

from collections.abc import Mapping, Sequence

from reactivate.auditing.chain import COLUMNS, Ledger
from reactivate.auditing.content import content, dump
from reactivate.auditing.counts import verdict_counts
from reactivate.auditing.page import page
from reactivate.auditing.rows import Row
from reactivate.experiment.experiment import Experiment
from reactivate.foundation.files import write_atomically, write_json, write_rows

AGREED = ("paper", "exhibit", "protocol", "compared", "pairs", "tau", "low", "high")
Agreed = Sequence[Mapping[str, object]]  # of each table how far its order is the printed one


def write_audit(
    experiment: Experiment, rows: list[Row], agreed: Agreed, paper: str | None = None
) -> None:
    """Writes the table, the content for programs, the page and the summaries of an audit.

    Args:
        experiment: The scale, and what this machine can run of it.
        rows: One for each claim.
        agreed: How far the order of each table is the printed one.
        paper: The paper that is audited; all if there is none.
    """
    ledger = Ledger(experiment.scale, paper=paper, made_with=experiment.reach)
    write_verdicts(experiment, rows, agreed, ledger)
    write_page(ledger)


def write_verdicts(
    experiment: Experiment, rows: list[Row], agreed: Agreed, ledger: Ledger
) -> None:
    """Writes all files of an audit but its page, which shows the verdicts of other scales too."""
    write_rows(ledger.file("csv"), [vars(row) for row in rows], COLUMNS)
    counts = verdict_counts((row.claim, row.verdict) for row in rows)
    write_json(ledger.file("verdicts.json"), counts)
    write_rows(ledger.file("agreement.csv"), agreed, AGREED)
    with write_atomically(ledger.file("json")) as part:
        part.write_text(dump(content(experiment, rows, ledger)), encoding="utf-8")


def write_page(ledger: Ledger) -> None:
    """Writes the page of an audit whose other files are there."""
    with write_atomically(ledger.file("html")) as part:
        part.write_text(page(ledger), encoding="utf-8")
