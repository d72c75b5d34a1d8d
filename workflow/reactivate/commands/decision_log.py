"""What a ``reactivate decide`` has begun, on disk, so that a killed one goes on."""

import json
from pathlib import Path
from typing import Literal

from pydantic import Field

from reactivate.commands.look_costs import core_seconds
from reactivate.experiment.numbers import Positive, SeedCount
from reactivate.experiment.paths import RESULTS
from reactivate.foundation.configuration import Strict, validate
from reactivate.foundation.files import write_json


class Look(Strict):
    """A look that was begun: the claim, the seeds of its cells, and the records that it makes."""

    claim: str
    seeds: SeedCount
    cells: list[str]  # dataset/stem
    records: list[str]  # that were missing when it was begun
    targets: list[str]
    done: bool = False

    @property
    def hours(self) -> float:
        """Core-hours of those of its records that are there by now."""
        made = [Path(record) for record in self.records if Path(record).exists()]
        return sum(core_seconds(record) for record in made) / 3600


class DecisionLog(Strict):
    """A request to decide claims, and the looks that were begun for it."""

    version: Literal[1] = 1
    asked: list[str]
    hours: Positive
    looks: list[Look] = Field(default_factory=list)
    finished: bool = False

    @property
    def spent(self) -> float:
        """Core-hours of the runs that were made for the request."""
        return sum(look.hours for look in self.looks)

    @property
    def unfinished(self) -> Look | None:
        """The look that was begun and not completed, if there is one."""
        return next((look for look in self.looks if not look.done), None)

    def begin(self, look: Look) -> "DecisionLog":
        """The log with one more look."""
        return self.model_copy(update={"looks": [*self.looks, look]})

    def complete(self) -> "DecisionLog":
        """The log with the last look completed."""
        *before, last = self.looks
        done = last.model_copy(update={"done": True})
        return self.model_copy(update={"looks": [*before, done]})


def log_file(scale: str) -> Path:
    """File of the log of a scale."""
    return RESULTS / scale / "decide.json"


def write_log(scale: str, log: DecisionLog) -> None:
    """Replaces the log of a scale as a whole."""
    write_json(log_file(scale), log.model_dump())


def resumed(scale: str, asked: list[str], hours: float) -> DecisionLog:
    """The log of the same request if it was not finished, or a new one.

    Raises:
        ValueError: Another request was left unfinished in the middle of a look, or the file is
            not one that this command wrote.
    """
    path = log_file(scale)
    fresh = DecisionLog(asked=asked, hours=hours)
    if not path.exists():
        return fresh
    remedy = f"remove {path}; what was run stays"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no JSON ({error}); {remedy}") from None
    log = validate(DecisionLog, content, path)
    if log.finished:
        return fresh
    if (log.asked, log.hours) == (asked, hours):
        return log
    if log.unfinished is not None:
        before = " ".join(log.asked)
        raise ValueError(
            f"{path}: a look at {log.unfinished.claim} was begun by another request; accepted: "
            f"reactivate decide {before} --scale {scale} --hours {log.hours:g}, which goes on "
            f"with it, or {remedy}"
        )
    return fresh
