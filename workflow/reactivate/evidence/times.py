"""Times of runs that finished, here or where they were published."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

from reactivate.evidence.environment import Machine
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import PROVENANCE, read_provenance
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS

JUDGED = "claims.json"
FEWEST = 5  # runs of this clone that tell how fast its machine is
LEAST_SECONDS = 5.0  # of a run that tells it


@dataclass(frozen=True)
class Past:
    """A run that finished, here or where it was published."""

    place: str  # below results/ or published/
    seconds: float
    machine: Machine
    record: Record | None  # judgements have none of their own

    @classmethod
    def read(cls, path: Path, root: Path) -> "Past | None":
        """The time in a ``run.json``, a ``claims.json`` or a figure's ``provenance.json``.

        None for a table, which is collected in no time.
        """
        place = path.relative_to(root).as_posix()
        if path.name == JUDGED:
            judged = read_judgements(path)
            seconds = sum(looked.seconds for looked in judged.looked.values())
            return cls(place, float(seconds), judged.environment.machine, None)
        record = read_record(path) if path.name == RECORD else read_provenance(path).record
        if record is None:
            return None
        return cls(place, record.times.seconds, record.environment.machine, record)


class Pace(NamedTuple):
    """The time that this machine takes, over that of the machines of published runs.

    Attributes:
        factor: The median of runs that were made here and published with the same settings.
        runs: How many these are; of fewer than five nothing is concluded, and the factor is 1.
    """

    factor: float
    runs: int


class Times:
    """The times of all runs that finished, here or where they were published.

    Args:
        elsewhere: Folder of runs of other machines.
        here: Folder of runs of this one, which replace them; None for none.
    """

    def __init__(self, elsewhere: Path = PUBLISHED, here: Path | None = RESULTS) -> None:
        told, own = (_times_below(root) if root else {} for root in (elsewhere, here))
        self.pace = pace_of(told, own)
        paced = {
            place: past
            if past.machine.gpu is not None
            else replace(past, seconds=past.seconds * self.pace.factor)
            for place, past in told.items()
        }
        self.same = paced | own

    def recorded(self, outputs: Iterable[str]) -> Past | None:
        """The run that made the same files before, if its time was recorded.

        A time of another machine's processor is told as this one would take.
        """
        for output in outputs:
            if Path(output).is_relative_to(RESULTS):
                past = self.same.get(Path(output).relative_to(RESULTS).as_posix())
                if past is not None and past.seconds:
                    return past
        return None


def pace_of(elsewhere: dict[str, Past], here: dict[str, Past]) -> Pace:
    """How long runs take here, told by those that were made in both places on processors."""
    ratios = [
        own.seconds / told.seconds
        for place, own in here.items()
        if (told := elsewhere.get(place)) is not None and _tells_pace(told, own)
    ]
    return Pace(median(ratios) if len(ratios) >= FEWEST else 1.0, len(ratios))


def _tells_pace(told: Past, own: Past) -> bool:
    """Whether both are long runs of one thread with the same settings, on processors.

    A record that was brought here, or published from here, tells nothing.
    """
    if told.record is None or own.record is None or told.record.settings is None:
        return False
    if told.record.times == own.record.times:
        return False
    return (
        min(told.seconds, own.seconds) >= LEAST_SECONDS
        and told.record.settings == own.record.settings
        and all(p.machine.gpu is None and p.machine.threads == 1 for p in (told, own))
    )


def _times_below(root: Path) -> dict[str, Past]:
    """The times in a folder, by the place of their files."""
    kept: dict[str, Past] = {}
    for path in sorted(root.rglob("*.json")):
        if path.name in (RECORD, JUDGED) or path.name.endswith(PROVENANCE):
            past = Past.read(path, root)
            if past is not None:
                kept[past.place] = past
    return kept
