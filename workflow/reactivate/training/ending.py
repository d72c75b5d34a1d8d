"""Notice that a process is to end: SLURM sends SIGTERM some time before it kills."""

import signal
import sys
from types import FrameType
from typing import Any, NoReturn

EXIT_CODE = 128 + signal.SIGTERM  # as of a process that the signal ended: Snakemake tries again


class Ending:
    """A context that remembers SIGTERM, instead of ending at once; call it to ask.

    Example:
        >>> with Ending() as ending:
        ...     before = ending()
        ...     signal.raise_signal(signal.SIGTERM)
        ...     before, ending()
        (False, True)
    """

    def __init__(self) -> None:
        self.asked = False
        self.before: Any = signal.SIG_DFL

    def __call__(self) -> bool:
        """Whether the process was asked to end."""
        return self.asked

    def __enter__(self) -> "Ending":
        self.before = signal.signal(signal.SIGTERM, self._remember)
        return self

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGTERM, self.before)

    def _remember(self, number: int, frame: FrameType | None) -> None:
        self.asked = True


def end(where: str) -> NoReturn:
    """Ends the program so that whoever started it tries again.

    Args:
        where: How far the work is.
    """
    print(f"SIGTERM: the state {where} is kept; start again to go on from it", file=sys.stderr)
    raise SystemExit(EXIT_CODE)
