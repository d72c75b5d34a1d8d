"""The form of a statement in words, and of how it is judged."""

from typing import Literal

from pydantic import model_validator

from reactivate.experiment.exhibits import Target
from reactivate.experiment.quotes import Quoted
from reactivate.foundation.configuration import Strict


class Check(Strict):
    """How a statement in words is judged: from a trained exhibit, or by a function."""

    exhibit: str | None = None
    best: str | None = None  # a row or a column
    where: Literal["everywhere", "most_pairs"] = "everywhere"
    rows: list[str] | None = None  # that are compared; all if none are named
    columns: list[str] | None = None
    better: Literal["lower", "higher"] | None = None  # where it is not that of the exhibit
    chance: float | None = None  # networks that do not learn stay at or below it, in percent
    chosen_lr: dict[str, float] | None = None
    protocol: str | None = None
    judge: Target | None = None  # of an analysis: takes its data frame, returns a Judgement
    function: Target | None = None  # returns a reactivate.evidence.judgement.Judgement

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "Check":
        ways = (self.best, self.chance, self.chosen_lr, self.judge, self.function)
        if sum(way is not None for way in ways) != 1:
            raise ValueError(
                "a check needs exactly one of best, chance, chosen_lr, judge and function"
            )
        if (self.exhibit is None) != (self.function is not None):
            raise ValueError(
                "best, chance, chosen_lr and judge need an exhibit, a function takes none"
            )
        return self


class Statement(Quoted):
    """A statement in words that can be checked."""

    locator: str
    check: Check
