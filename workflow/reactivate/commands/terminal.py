"""Text for people at a terminal: colours, its width, columns; and JSON for programs."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from textwrap import fill

from reactivate.foundation.files import strict_json
from reactivate.judging.verdicts import Ruling

WIDTH = 80  # of sentences where nobody tells how wide the terminal is
CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33}
GAP = "  "  # between columns
COLOURS: dict[str, str] = {  # of verdicts; the others are dim
    Ruling.CONFIRMED: "green",
    Ruling.REPRODUCED: "green",
    Ruling.HOLDS: "green",
    Ruling.REFUTED: "red",
    Ruling.SELF_CONTRADICTORY: "red",
    Ruling.DIFFERS: "red",
    Ruling.FAILS: "red",
    Ruling.MISPRINT: "yellow",
    Ruling.UNDECIDED: "yellow",
    Ruling.DEPENDS: "yellow",
}


def at_terminal() -> bool:
    """Whether a person looks at what is printed."""
    return sys.stdout.isatty()


def painted(text: str, colour: str) -> str:
    """Text in a colour, for people at a terminal that has some (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or not at_terminal() or colour not in CODES:
        return text
    return f"\033[{CODES[colour]}m{text}\033[0m"


def painted_verdict(verdict: str) -> str:
    """A verdict in its colour: green as claimed, red against it, yellow open, else dim."""
    return painted(verdict, COLOURS.get(verdict.partition("(")[0], "dim"))


def columns() -> int:
    """The width of the terminal."""
    return shutil.get_terminal_size((WIDTH, 24)).columns


def folded(line: str, indent: str = "") -> str:
    """A line as wide as the terminal; whole where no person looks, so that programs find it.

    Args:
        line: The text.
        indent: What stands before all its lines but the first.
    """
    if not at_terminal():
        return line
    return fill(
        line,
        columns(),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, each column as wide as its longest entry."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [GAP.join(map(str.ljust, line, widths)) for line in lines]


def print_aligned(lines: Sequence[Sequence[str]]) -> None:
    """Prints a table, each column as wide as its longest entry."""
    for line in aligned(lines):
        print(line.rstrip())


def print_json(value: object) -> None:
    """Prints a value for programs."""
    print(json.dumps(strict_json(value), indent=2, ensure_ascii=False, allow_nan=False))
