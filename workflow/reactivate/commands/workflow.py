"""How far the newest run of Snakemake in this clone is, from the log that it keeps."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

KEPT = Path(".snakemake")
STEPS = re.compile(r"^(\d+) of (\d+) steps \(", re.MULTILINE)
TOTAL = re.compile(r"^total +(\d+)$", re.MULTILINE)
FAILED = re.compile(r"^Error in (?:group|rule) (\S+?):?$", re.MULTILINE)
STAMP = "%Y-%m-%dT%H%M%S.%f"
ENDED = "Complete log(s):"


@dataclass(frozen=True)
class WorkflowRun:
    """A run of Snakemake: the jobs that are done of all, those that failed, and its age."""

    done: int
    jobs: int
    failed: tuple[str, ...]  # rules, one for each failure
    seconds: float  # since it started

    @property
    def seconds_left(self) -> float | None:
        """Time that the other jobs take if they are like those that are done; None: no idea."""
        return self.seconds / self.done * (self.jobs - self.done) if self.done else None


def running_workflow(now: float, kept: Path = KEPT) -> WorkflowRun | None:
    """The run that is going on; None if none is.

    Args:
        now: Seconds of the Unix clock.
        kept: The folder in which Snakemake keeps logs and locks.
    """
    logs = sorted((kept / "log").glob("*.snakemake.log"))
    if not logs or not any((kept / "locks").glob("*")):
        return None
    text = logs[-1].read_text(encoding="utf-8", errors="replace")
    total = TOTAL.search(text)
    if ENDED in text or total is None:
        return None
    steps = STEPS.findall(text)
    done, jobs = map(int, steps[-1]) if steps else (0, int(total[1]))
    started = datetime.strptime(logs[-1].name.removesuffix(".snakemake.log"), STAMP).timestamp()
    return WorkflowRun(done, jobs, tuple(FAILED.findall(text)), now - started)
