"""Times of runs that finished, here or where they were published."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reactivate.evidence.environment import Machine
from reactivate.evidence.judgements import read_judgements
from reactivate.evidence.provenance import PROVENANCE, read_provenance
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.paths import PUBLISHED, RECORD, RESULTS

JUDGED = "claims.json"


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


class Times:
    """The times of all runs that finished."""

    def __init__(self, roots: Iterable[Path] = (PUBLISHED, RESULTS)) -> None:
        self.same: dict[str, Past] = {}
        for root in roots:  # a run of this clone replaces the published one
            for path in sorted(root.rglob("*.json")):
                if path.name in (RECORD, JUDGED) or path.name.endswith(PROVENANCE):
                    past = Past.read(path, root)
                    if past is not None:
                        self.same[past.place] = past

    def recorded(self, outputs: Iterable[str]) -> Past | None:
        """The run that made the same files before, if its time was recorded."""
        for output in outputs:
            if Path(output).is_relative_to(RESULTS):
                past = self.same.get(Path(output).relative_to(RESULTS).as_posix())
                if past is not None and past.seconds:
                    return past
        return None
