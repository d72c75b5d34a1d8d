"""The ``reactivate`` command: plan, follow, show, explain, verify, publish and share results."""

import argparse
from pathlib import Path

from reactivate.artifacts.replacing import finish
from reactivate.commands.agreement import agreement
from reactivate.commands.calibrate import calibrate
from reactivate.commands.cluster import cluster
from reactivate.commands.compare import compare
from reactivate.commands.count import count
from reactivate.commands.decide import decide
from reactivate.commands.export import export
from reactivate.commands.freeze import freeze
from reactivate.commands.judge import judge
from reactivate.commands.new import new_activation, new_dataset, new_exhibit, new_paper
from reactivate.commands.plan import plan
from reactivate.commands.publish import publish
from reactivate.commands.restore import restore
from reactivate.commands.show import show
from reactivate.commands.sign import sign
from reactivate.commands.status import status
from reactivate.commands.verify import verify
from reactivate.commands.why import why
from reactivate.experiment.costs.machines import CALIBRATED
from reactivate.foundation.errors import reports_errors


@reports_errors
def main() -> None:
    """Entry point of the ``reactivate`` command."""
    parser = argparse.ArgumentParser(prog="reactivate", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("show", help="print an exhibit and where the audit is")
    command.add_argument("exhibit", help="paper/exhibit, e.g. gmp/table3")
    command.add_argument("--scale", default="laptop")
    command.set_defaults(run=lambda a: show(a.scale, a.exhibit))

    command = commands.add_parser("publish", help="copy verified results to published/")
    command.add_argument("--scale", required=True)
    command.set_defaults(run=lambda a: publish(a.scale))

    command = commands.add_parser("compare", help="set results beside the published ones")
    command.add_argument("--scale", default="laptop")
    command.set_defaults(run=lambda a: compare(a.scale))

    command = commands.add_parser(
        "judge", help="judge every claim again from published evidence, running nothing"
    )
    command.add_argument("--scale", required=True)
    command.set_defaults(run=lambda a: judge(a.scale))

    command = commands.add_parser("export", help="write a publication as a RO-Crate")
    command.add_argument("--scale", required=True)
    command.set_defaults(run=lambda a: export(a.scale))

    command = commands.add_parser(
        "agreement", help="print how far each table's order is the printed one"
    )
    command.set_defaults(run=lambda _: agreement())

    command = commands.add_parser("freeze", help="version results with DVC, and push them")
    command.add_argument("--scale", action="append", default=[], help="default: all with results")
    command.add_argument("--no-commit", action="store_true", help="do not commit the pointers")
    command.set_defaults(run=lambda a: freeze(a.scale, commit=not a.no_commit))

    command = commands.add_parser("restore", help="bring back frozen results, and check them")
    command.add_argument("--scale", action="append", default=[], help="default: all frozen")
    command.set_defaults(run=lambda a: restore(a.scale))

    command = commands.add_parser("plan", help="print what it takes to make targets")
    command.add_argument("target", nargs="+", help="for Snakemake: files, or a scale")
    command.add_argument("--config", action="append", default=[], help="e.g. reach=cpu")
    command.add_argument("--machine", help="in config/machines, or a file, e.g. a100")
    command.set_defaults(run=lambda a: plan(a.target, a.config, a.machine))

    command = commands.add_parser("decide", help="run more seeds where they decide claims")
    command.add_argument("claim", nargs="*", help="or a paper, e.g. psc; default: all")
    command.add_argument("--scale", default="laptop")
    command.add_argument("--hours", type=float, required=True, help="core-hours to spend at most")
    command.add_argument("--cores", default="all", help="for Snakemake")
    command.add_argument("--profile", help="of Snakemake, e.g. profiles/slurm")
    command.add_argument("--dry-run", action="store_true", help="print the plan, run nothing")
    command.set_defaults(
        run=lambda a: decide(a.claim, a.scale, a.hours, a.cores, a.profile, only_plan=a.dry_run)
    )

    command = commands.add_parser("calibrate", help="measure this machine for the cost model")
    command.add_argument("--out", type=Path, default=CALIBRATED, help="folder of the profile")
    command.add_argument("--seconds", type=float, default=60.0)
    command.set_defaults(run=lambda a: calibrate(a.out, a.seconds))

    command = commands.add_parser("count", help="count the work of networks for the cost model")
    command.add_argument("--all", action="store_true", help="also those that are counted")
    command.set_defaults(run=lambda a: count(a.all))

    command = commands.add_parser("cluster", help="print what a scale asks a cluster for")
    command.add_argument("--scale", default="paper")
    command.set_defaults(run=lambda a: cluster(a.scale))

    command = commands.add_parser("why", help="print everything a claim or an exhibit rests on")
    command.add_argument("claim", help="e.g. gmp/table3/gmp/boston, gmp/claims/..., gmp/figure2")
    command.add_argument("--scale", default="laptop")
    command.set_defaults(run=lambda a: why(a.claim, a.scale))

    command = commands.add_parser("verify", help="make everything above measurements again")
    command.add_argument("--scale", action="append", default=[], help="default: all there are")
    command.add_argument("--published", action="store_true", help="published/ only")
    command.add_argument("--strict", action="store_true", help="fail for what is stale too")
    command.add_argument("--rerun", type=_count, default=0, help="train so many runs again")
    command.add_argument("--signers", type=Path, help="who may sign: names and public SSH keys")
    command.set_defaults(run=lambda a: verify(a.scale, a.published, a.strict, a.rerun, a.signers))

    command = commands.add_parser("sign", help="sign what was published with an SSH key")
    command.add_argument("--scale", action="append", default=[], help="default: all published")
    command.add_argument("--key", type=Path, required=True, help="e.g. ~/.ssh/id_ed25519")
    command.set_defaults(run=lambda a: sign(a.scale, a.key.expanduser()))

    command = commands.add_parser("status", help="print how far the running trainings are")
    command.set_defaults(run=lambda _: status())

    _add_new(commands.add_parser("new", help="write a commented skeleton to fill in"))

    arguments = parser.parse_args()
    finish()  # what a publish that was killed has left to do
    arguments.run(arguments)


def _add_new(command: argparse.ArgumentParser) -> None:
    """``reactivate new paper|exhibit|activation|dataset``; prints the files that were written."""
    kinds = command.add_subparsers(dest="kind", required=True)
    paper = kinds.add_parser("paper", help="the folders of a document")
    paper.add_argument("key", help="its name in paths, e.g. prelu")
    paper.set_defaults(run=lambda a: _tell(new_paper(a.key)))
    exhibit = kinds.add_parser("exhibit", help="a trained table, or a figure")
    exhibit.add_argument("place", help="paper/name, e.g. prelu/table1 or prelu/figure2")
    exhibit.set_defaults(run=lambda a: _tell(new_exhibit(a.place)))
    activation = kinds.add_parser("activation", help="an activation of a document")
    activation.add_argument("place", help="paper/name, e.g. prelu/channelwise")
    activation.set_defaults(run=lambda a: _tell(new_activation(a.place)))
    dataset = kinds.add_parser("dataset", help="a table of numbers, with its checksums")
    dataset.add_argument("place", help="paper/name, e.g. prelu/houses")
    dataset.add_argument("table", type=Path, help="a CSV file whose last column is the target")
    dataset.set_defaults(run=lambda a: _tell(new_dataset(a.place, a.table)))


def _count(text: str) -> int:
    """A number of runs from the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; accepted: a whole number from 1 on")
    return int(text)


def _tell(paths: list[Path]) -> None:
    for path in paths:
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
