"""Power: what it would cost to decide a claim that is open, from recorded times."""

from collections.abc import Callable, Iterable
from pathlib import Path

from reactivate.evidence.records import Record, read_record
from reactivate.experiment.paths import RECORD
from reactivate.judging.judgement import Judgement, hours_to_decide

Hours = Callable[[Judgement, Iterable[Path]], float | None]  # as core_hours returns them


def core_hours(
    judgement: Judgement,
    records: Iterable[Path],
    read: Callable[[Path], Record] = read_record,
) -> float | None:
    """Core-hours of the replicates that an open claim lacks, as long as those that it has took.

    None for a claim that is not open.

    Args:
        judgement: What was found.
        records: Records of the runs and analyses behind it.
        read: Reads a record.
    """
    if judgement.seeds_to_decide is None:
        return None
    seconds = core_seconds_of(records, read)
    if not seconds:
        return None
    return hours_to_decide(judgement, seconds / max(1, judgement.n or 0))


def core_seconds_of(
    records: Iterable[Path], read: Callable[[Path], Record] = read_record
) -> float:
    """Core-seconds of records, and of the runs that an analysis among them read."""
    seen: dict[Path, float] = {}
    waiting = list(records)
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        record = read(path)
        seen[path] = record.times.seconds * record.environment.machine.threads
        waiting += [Path(kept.file) for kept in record.read if Path(kept.file).name == RECORD]
    return sum(seen.values())
