"""Join the audits of all papers at a scale to one: the same files, for all of them together."""

from reactivate.auditing.chain import Ledger
from reactivate.auditing.writing import write_audit
from reactivate.experiment.experiment import EVERYTHING, Experiment
from reactivate.foundation.arguments import REACH, named_arguments
from reactivate.foundation.errors import reports_errors


@reports_errors
def main() -> None:
    """``python -m reactivate.stages.join --scale S [--reach R]``."""
    join(*named_arguments(__doc__, "scale", **REACH))


def join(scale: str, reach: str = EVERYTHING) -> None:
    """Writes the audit of a scale from those of its papers; nothing is judged again."""
    experiment = Experiment.load(scale, reach)
    ledgers = [Ledger(scale, paper=name) for name in experiment.papers]
    rows = [row for ledger in ledgers for row in ledger.rows.values()]
    write_audit(experiment, rows, [line for ledger in ledgers for line in ledger.agreed])


if __name__ == "__main__":
    main()
