"""Plan, follow, show, explain, verify, publish and share results of reactivate.

Every command has its own module in ``reactivate.commands``, which declares the command's arguments
and is imported when the command is named.
"""

import argparse
import os
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from textwrap import fill

from reactivate.commands.parsing import Parser, fitted, require_clone
from reactivate.foundation.errors import reports_errors

COMMANDS = {  # in the order of --help; each is a module of reactivate.commands
    "show": "print an exhibit, and where the audit is",
    "why": "print everything a claim or an exhibit rests on",
    "compare": "set results beside the published ones",
    "agreement": "print how far each table's order is the printed one",
    "learned": "print which networks have learned, and at what price",
    "headlines": "print what was found of promises, and at what price",
    "plan": "print what it takes to make targets",
    "decide": "run more seeds where they decide claims",
    "status": "print how far the running trainings are",
    "verify": "make everything above measurements again",
    "judge": "judge every claim again from published evidence",
    "publish": "copy verified results to published/",
    "sign": "sign what was published with an SSH key",
    "export": "write a publication as a RO-Crate",
    "freeze": "version results with DVC, and push them",
    "restore": "bring back frozen results, and check them",
    "cluster": "print what a scale asks a cluster for",
    "calibrate": "measure this machine for the cost model",
    "count": "count the work of networks for the cost model",
    "new": "write a commented skeleton to fill in",
}
WIDTH = 80  # of descriptions
SHELLS = ("bash", "zsh")


def command_parser() -> tuple[Parser, list[Parser]]:
    """The parser of ``reactivate``, and those of its commands, which know no arguments yet."""
    parser = Parser(prog="reactivate", description=str(__doc__).partition("\n")[0])
    parser.examples(
        "reactivate show gmp/table3           # a table beside the printed numbers",
        "reactivate why gmp/table3/gmp/boston # where one number comes from",
        "reactivate status --watch            # trainings that run, with time left",
        "reactivate COMMAND --help            # arguments and examples of a command",
    )
    parser.add_argument("--version", action="version", version=f"reactivate {installed()}")
    added = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands = [
        added.add_parser(name, help=says, declare=_declare) for name, says in COMMANDS.items()
    ]
    completion = added.add_parser("completion", help="print what completes commands in a shell")
    completion.add_argument("shell", choices=SHELLS, help=", ".join(SHELLS))
    completion.examples('eval "$(reactivate completion bash)"   # in ~/.bashrc')
    completion.set_defaults(run=lambda a: print(_completion(parser, commands, a.shell)))
    return parser, commands


def _declare(parser: Parser) -> None:
    """Imports the module of a command, which declares its arguments."""
    name = parser.prog.split()[-1]
    try:
        module = import_module(f"reactivate.commands.{name}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith("reactivate"):
            raise
        raise ValueError(
            f"the command {name} needs the package {error.name}, which the library does not; "
            "install it with: pip install 'reactivate[workflow]'"
        ) from None
    parser.description = fill(str(module.__doc__).partition("\n\n")[0], WIDTH)
    module.declare(parser)


def _completion(parser: Parser, commands: list[Parser], shell: str) -> str:
    """The text that a shell reads to complete commands."""
    import shtab

    for command in commands:
        command.declared()
    return str(shtab.complete(parser, shell=shell))


def installed() -> str:
    """The version of the installed package; pyproject.toml is the one place that has it."""
    try:
        return version("reactivate")
    except PackageNotFoundError:
        return "that is not installed"


@reports_errors
def main() -> None:
    """Entry point of the ``reactivate`` command."""
    try:
        _run(command_parser()[0].parse_args())
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has seen enough, as `| head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)  # as a program that SIGPIPE ended
    except ValueError as error:
        raise ValueError(fitted(str(error))) from error


def _run(arguments: argparse.Namespace) -> None:
    if arguments.command != "completion":
        require_clone()
        _finish()
    arguments.run(arguments)


def _finish() -> None:
    """Goes on with what a publish that was killed has left to do."""
    from reactivate.artifacts.replacing import finish

    finish()


if __name__ == "__main__":
    main()
