"""The parser of the command line: arguments when they are needed, mistakes with near names."""

import argparse
import shutil
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

DEFAULT_SCALE = "laptop"
NEAREST = 3  # names that are offered for one nobody knows
ERROR = "error: "  # what stands before a message


class Parser(argparse.ArgumentParser):
    """A parser that declares its arguments when it is first used, and tells what may be meant.

    Args:
        declare: Adds the arguments; called once, before the first use.
    """

    def __init__(self, declare: "Callable[[Parser], None] | None" = None, **named: Any) -> None:
        layout = partial(argparse.RawDescriptionHelpFormatter, max_help_position=28)
        super().__init__(allow_abbrev=False, formatter_class=layout, **named)
        self._declare = declare

    def declared(self) -> "Parser":
        """The parser with its arguments."""
        if self._declare is not None:
            declare, self._declare = self._declare, None
            declare(self)
        return self

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """What argparse understands of some words; see the base class."""
        self.declared()
        return super().parse_known_args(args, namespace)

    def examples(self, *lines: str) -> None:
        """Shows commands that one may type below the help."""
        self.epilog = "\n".join(["examples:", *(f"  {line}" for line in lines)])

    def add_scale(self) -> None:
        """``--scale``: one scale, with the default that all commands share."""
        told = f"{_listed(_scales())}; default: {DEFAULT_SCALE}"
        self.add_argument(
            "--scale", default=DEFAULT_SCALE, choices=_scales(), metavar="SCALE", help=told
        )

    def add_scales(self, default: str) -> None:
        """``--scale``, as often as one likes.

        Args:
            default: The scales that count if none is named, in words.
        """
        told = f"{_listed(_scales())}; may be repeated; default: {default}"
        self.add_argument(
            "--scale", action="append", default=[], choices=_scales(), metavar="SCALE", help=told
        )

    def add_json(self) -> None:
        """``--json``: the same for programs."""
        self.add_argument("--json", action="store_true", help="print JSON, for programs")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            raise argparse.ArgumentError(None, unknown(action.dest, str(value), known))

    def error(self, message: str) -> NoReturn:
        """Ends the program with one line on what is wrong, and where to look."""
        self.exit(2, f"{ERROR}{fitted(message)}\nsee: {self.prog} --help\n")


def fitted(message: str) -> str:
    """A message that stands behind ``error:``, in lines as wide as a terminal that shows it.

    Where nobody looks at errors it stays as it is, so that programs find it.
    """
    if not sys.stderr.isatty():
        return message
    width = shutil.get_terminal_size().columns
    lines = [
        fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in (ERROR + message).splitlines()
    ]
    return "\n".join(lines).removeprefix(ERROR)


def unknown(kind: str, name: str, known: list[str]) -> str:
    """A sentence on a name that nobody knows: the nearest ones, and all.

    Example:
        >>> unknown("command", "shwo", ["show", "status", "plan"])
        "unknown command 'shwo'; did you mean show? Accepted: show, status, plan"
    """
    near = get_close_matches(name, known, NEAREST)
    hint = f" did you mean {' or '.join(near)}?" if near else ""
    return f"unknown {kind} {name!r};{hint} Accepted: {', '.join(known)}"


def whole_number(text: str) -> int:
    """A number from 1 on, from the command line.

    Raises:
        ArgumentTypeError: It is something else.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; accepted: a whole number from 1 on")
    return int(text)


def require_clone() -> None:
    """Stops where the project's configuration is not in the folder that one is in.

    Raises:
        ValueError: The folder is no clone.
    """
    from reactivate.foundation.workplace import of_project

    papers = Path("config/papers")
    if of_project(papers).is_dir():
        return
    here = Path.cwd()
    above = next((folder for folder in here.parents if (folder / papers).is_dir()), None)
    way = f"cd {above}" if above else "change to the folder of your clone, or clone it first"
    raise ValueError(f"{here} is not the top folder of a clone of reactivate; {way}")


def _scales() -> list[str] | None:
    """The scales of the configuration; None where it cannot be read: then its reader tells."""
    from reactivate.experiment.loading import load_scales

    try:
        return list(load_scales())
    except (ValueError, OSError):
        return None


def _listed(scales: list[str] | None) -> str:
    return ", ".join(scales or ["a scale of config/scales.yaml"])
