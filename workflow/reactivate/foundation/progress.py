"""Progress of a long job: a bar on a terminal, a line now and then in a log."""

import sys
import time
from types import TracebackType

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Counts finished steps of a known total and shows loss and time left on stderr.

    Example:
        >>> with Progress("training", total=2) as progress:
        ...     progress.advance(2, loss=0.5)
    """

    def __init__(self, title: str, total: int) -> None:
        self.title = title
        self.total = total
        self.done = 0
        self.loss = float("nan")
        self._start = self._last_line = time.monotonic()
        self._bar = tqdm(total=total, desc=title, unit="epoch", disable=not sys.stderr.isatty())

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        logs = self._bar.disable  # which closing sets
        self._bar.close()
        if logs and kind is None and self.done:
            self._line()

    def advance(self, steps: int, loss: float) -> None:
        """Reports finished steps and the current loss."""
        self.done += steps
        self.loss = loss
        if not self._bar.disable:
            self._bar.set_postfix(loss=f"{loss:.4g}", refresh=False)
            self._bar.update(steps)
        elif time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._line()

    def _line(self) -> None:
        """Prints how many epochs are done, the loss, and the time left at most."""
        self._last_line = time.monotonic()
        elapsed = self._last_line - self._start
        left = elapsed * (self.total - self.done) / max(self.done, 1)
        print(
            f"{self.title}: {self.done}/{self.total} epochs, loss {self.loss:.4g}, "
            f"{elapsed:.0f} s, at most {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )
