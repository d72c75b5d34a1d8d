"""Print which trainings run, how far they are, and which have gone quiet."""

import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reactivate.commands.parsing import Parser, whole_number
from reactivate.commands.terminal import columns, painted, print_aligned, print_json
from reactivate.commands.workflow import WorkflowRun, running_workflow
from reactivate.experiment.paths import RECORD, RESULTS

if TYPE_CHECKING:  # it imports torch, for which no other command should wait
    from reactivate.training.heartbeat import Beat

RUNS = ("*/*/runs", "*/*/observe")  # scale and paper
HEADINGS = ("scale", "paper", "dataset", "cell", "seed", "epoch", "test", "loss", "left", "news")
BAR = 20  # characters
CLEAR = "\033[H\033[J"  # the terminal, from its first line on
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
        test = float(beat.test)  # JSON has no NaN: it is kept as a text
        return (
            *self.place,
            f"{beat.epoch}/{beat.epochs}",
            "-" if math.isnan(test) else f"{test:.2f} %",
            f"{float(beat.train_loss):.4g}",
            duration(beat.seconds_left),
            f"quiet for {age} (killed?)" if self.quiet else f"{age} ago",
        )


def declare(parser: Parser) -> None:
    """The arguments of ``reactivate status``."""
    parser.add_argument("--watch", action="store_true", help="go on, with bars and time left")
    parser.add_argument(
        "--every", type=whole_number, default=5, metavar="SECONDS", help="of --watch; default: 5"
    )
    parser.add_json()
    parser.examples("reactivate status", "reactivate status --watch", "reactivate status --json")
    parser.set_defaults(run=lambda a: watch(a.every) if a.watch else status(a.json))


def watch(every: float) -> None:
    """Shows how far everything is, again and again, until Ctrl-C.

    Args:
        every: Seconds between two looks.
    """
    start = CLEAR if sys.stdout.isatty() else ""
    try:
        while True:
            now = time.time()
            bars = list(bar_lines(running_workflow(now), find_running(now), columns()))
            print(start + "\n".join([*bars, _summary(find_running(now))]), flush=True)
            time.sleep(every)
    except KeyboardInterrupt:
        print()


def bar_lines(run: WorkflowRun | None, running: list[Running], width: int) -> Iterator[str]:
    """A bar for the run of Snakemake and one for every training, each in one line.

    Args:
        run: The run; None if none is going on.
        running: The trainings.
        width: Characters that fit into a line; names are cut.
    """
    if run is not None:
        left = "" if run.seconds_left is None else f"about {duration(run.seconds_left)} left"
        yield _bar_line(run.done, run.jobs, left, "all jobs", width)
        for rule, count in Counter(run.failed).items():
            yield painted(f"failed: {count} of rule {rule}; Snakemake prints the log", "red")
    for each in running:
        left = f"quiet {duration(each.age)}" if each.quiet else duration(each.beat.seconds_left)
        name = " ".join((*each.place[1:4], f"seed {each.place[4]}"))
        line = _bar_line(each.beat.epoch, each.beat.epochs, left, name, width)
        yield painted(line, "yellow") if each.quiet else line
    if run is None and not running:
        yield "nothing is running"


def _bar_line(done: int, whole: int, left: str, name: str, width: int) -> str:
    filled = round(BAR * done / max(1, whole))
    bar = "#" * filled + "." * (BAR - filled)
    return f"[{bar}] {f'{done}/{whole}':>9} {left:>16}  {name}"[:width]


def status(as_json: bool = False) -> None:
    """Prints the image networks in training, and how many runs each scale has finished.

    A training appears after its first epoch.

    Args:
        as_json: Whether to print for programs.
    """
    now = time.time()
    running = find_running(now)
    if as_json:
        run = running_workflow(now)
        told = [
            dict(zip(HEADINGS[:5], each.place, strict=True))
            | asdict(each.beat)
            | {"age": each.age, "quiet": each.quiet}
            for each in running
        ]
        workflow = None if run is None else asdict(run) | {"seconds_left": run.seconds_left}
        print_json({"workflow": workflow, "running": told, "finished": _finished()})
        return
    if running:
        print_aligned([HEADINGS, *(run.line() for run in running)])
    else:
        print("nothing is running")
    print(_summary(running))


def _finished() -> Counter[str]:
    """The number of runs that ended, by scale."""
    return Counter(_parts(path)[0] for path in _below_runs(f"**/{RECORD}"))


def _summary(running: list[Running]) -> str:
    """A line on the runs of every scale."""
    finished = _finished()
    quiet = Counter(run.place[0] for run in running if run.quiet)
    alive = Counter(run.place[0] for run in running if not run.quiet)
    scales = sorted({*finished, *quiet, *alive})
    told = [
        f"{scale}: {finished[scale]} finished, {alive[scale]} running"
        + (f", {quiet[scale]} quiet" if quiet[scale] else "")
        for scale in scales
    ]
    return "; ".join(told) or "no run has finished; start some, e.g. snakemake smoke"


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


def _below_runs(pattern: str) -> list[Path]:
    return sorted(path for runs in RUNS for path in RESULTS.glob(f"{runs}/{pattern}"))


def _parts(path: Path) -> tuple[str, ...]:
    return path.relative_to(RESULTS).parts
