"""A user's mistake ends in one clear message, never in a traceback."""

import sys
from collections.abc import Callable
from functools import wraps


def reports_errors(main: Callable[[], None]) -> Callable[[], None]:
    """Wraps a command: ``ValueError`` and ``OSError`` become one printed message, exit code 1.

    These two are what the package raises for wrong input (a config, a file, a folder); anything
    else is a defect of the package and keeps its traceback.
    """

    @wraps(main)
    def command() -> None:
        try:
            main()
        except (ValueError, OSError) as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(1)

    return command
