"""Print which trainings run, how far they are, and which have gone quiet."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reactivate.experiment.paths import RECORD, RESULTS

if TYPE_CHECKING:  # it imports torch, for which no other command should wait
    from reactivate.training.heartbeat import Beat

RUNS = ("*/*/runs", "*/*/observe")  # scale and paper
HEADINGS = ("scale", "paper", "dataset", "cell", "seed", "epoch", "test", "loss", "left", "news")
SHORTEST_QUIET = 120.0  # seconds without news that mean nothing, however short an epoch is


@dataclass(frozen=True)
class Running:
    """A training that has not ended: where it is, its newest news, and how old they are."""

    place: tuple[str, ...]  # scale, paper, dataset, cell, seed
    beat: "Beat"
    age: float  # seconds

    @property
    def quiet(self) -> bool:
        """Whether the training should have been heard of: news come after every epoch."""
        return self.age > max(SHORTEST_QUIET, 3 * self.beat.seconds / self.beat.epoch)

    def line(self) -> tuple[str, ...]:
        """The line of the training, under :data:`HEADINGS`."""
        beat, age = self.beat, duration(self.age)
        return (
            *self.place,
            f"{beat.epoch}/{beat.epochs}",
            f"{beat.test:.2f} %",
            f"{float(beat.train_loss):.4g}",  # JSON has no NaN: it is kept as a text
            duration(beat.seconds_left),
            f"quiet for {age} (killed?)" if self.quiet else f"{age} ago",
        )


def status() -> None:
    """Prints the image networks in training, and how many runs each scale has finished.

    A training appears after its first epoch.
    """
    running = find_running(time.time())
    if running:
        print_aligned([HEADINGS, *(run.line() for run in running)])
    else:
        print("nothing is running")
    finished = Counter(_parts(path)[0] for path in _below_runs(f"**/{RECORD}"))
    quiet = Counter(run.place[0] for run in running if run.quiet)
    alive = Counter(run.place[0] for run in running if not run.quiet)
    scales = sorted({*finished, *quiet, *alive})
    told = [
        f"{scale}: {finished[scale]} finished, {alive[scale]} running"
        + (f", {quiet[scale]} quiet" if quiet[scale] else "")
        for scale in scales
    ]
    print("; ".join(told) or "no run has finished; start some, e.g. snakemake smoke")


def find_running(now: float) -> list[Running]:
    """All trainings with a heartbeat, by place.

    Args:
        now: Seconds of the Unix clock.
    """
    from reactivate.training.heartbeat import HEARTBEAT, Beat

    running = []
    for path in _below_runs(f"*/*/seed*/{HEARTBEAT}"):
        beat = Beat.read(path)
        if beat is not None:
            scale, paper, stage, dataset, cell, seed, _ = _parts(path)
            cell += " (observed)" if stage == "observe" else ""
            place = (scale, paper, dataset, cell, seed.removeprefix("seed"))
            running.append(Running(place, beat, now - beat.updated))
    return running


def duration(seconds: float) -> str:
    """A length of time for people.

    Example:
        >>> duration(59), duration(150), duration(9000)
        ('59 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{max(0.0, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def print_aligned(lines: list[tuple[str, ...]]) -> None:
    """Prints a table, each column as wide as its longest entry."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(map(str.ljust, line, widths)).rstrip())


def _below_runs(pattern: str) -> list[Path]:
    return sorted(path for runs in RUNS for path in RESULTS.glob(f"{runs}/{pattern}"))


def _parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(RESULTS).parts
