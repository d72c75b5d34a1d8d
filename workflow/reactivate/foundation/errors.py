"""Messages for a user's mistakes, in place of a traceback."""

import sys
from collections.abc import Callable
from functools import wraps

from reactivate.foundation.room import explained


def reports_errors(main: Callable[[], None]) -> Callable[[], None]:
    """The command, with ``ValueError`` and ``OSError`` as one printed message and exit code 1.

    These two are what the package raises for wrong input (a config, a file, a folder); anything
    else is a defect of the package and keeps its traceback.
    """

    @wraps(main)
    def command() -> None:
        try:
            main()
        except (ValueError, OSError) as error:
            told = explained(error) if isinstance(error, OSError) else error
            print(f"error: {told}", file=sys.stderr)
            sys.exit(1)

    return command
