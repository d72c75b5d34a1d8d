"""A verdict together with the evidence that it rests on."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from reactivate.judging.intervals import Interval
from reactivate.judging.verdicts import Verdict

MANY = 101  # replicates to decide a claim: more than 100


@dataclass(frozen=True)
class CaseCounts:
    """How many cases of a list lie above 0, are open, lie below 0, or cannot be judged."""

    above: int
    open: int
    below: int
    unjudged: int = 0

    def __str__(self) -> str:
        text = f"{self.above} above 0, {self.open} open, {self.below} below 0"
        return f"{text}, {self.unjudged} not judged" if self.unjudged else text


@dataclass(frozen=True)
class Size:
    """How a measured effect compares with the size that the document states or prints."""

    stated: float
    verdict: Verdict


@dataclass(frozen=True)
class Judgement:
    """A verdict, the reason for it in one line, and the evidence as numbers.

    Args:
        verdict: What is said of the claim.
        reason: Why, in one line.
        mean: Mean effect over the replicates, positive as the document states it; for a printed
            number ours minus printed.
        intervals: Intervals of this mean, from the narrowest to the widest.
        n: Replicates behind the mean.
        cases: Cases that exact work went through; it has no replicates.
        unlearned: Runs that did not learn; they are not in the mean.
        size: The size of the effect against the stated one, where it was judged.
        counts: Cases of a list above, around and below 0.
        seeds_to_decide: Replicates that would decide an open claim; ``MANY`` for more than 100.
        would_change: One sentence on what would change the verdict.
        scale: Scale of the runs that the verdict holds for.
        overrides: Settings that this scale changed, to be shown with the verdict.
        parts: The judgement of each case of a list, or under each reading, by its name.
    """

    verdict: Verdict
    reason: str
    mean: float | None = None
    intervals: tuple[Interval, ...] = ()
    n: int | None = None
    cases: int | None = None
    unlearned: int = 0
    size: Size | None = None
    counts: CaseCounts | None = None
    seeds_to_decide: int | None = None
    would_change: str = ""
    scale: str = ""
    overrides: str = ""
    parts: tuple[tuple[str, "Judgement"], ...] = ()

    def __post_init__(self) -> None:
        if not self.reason or "\n" in self.reason:
            raise ValueError(
                f"the reason of the verdict {self.verdict} is {self.reason!r}; accepted: one "
                "line of text. Correct it where the judgement is made"
            )

    def as_json(self) -> dict[str, Any]:
        """The judgement as files keep it: what is not its default, verdicts as their texts."""
        kept: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "verdict":
                kept["verdict"] = str(value)
            elif value != field.default:
                kept[field.name] = _as_json(value)
        return kept

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Judgement":
        """The judgement that a file keeps.

        Raises:
            ValueError: The file keeps something else.
        """
        try:
            given = {**kept, "verdict": Verdict.parse(kept["verdict"])}
            for name, read in _READ.items():
                if given.get(name) is not None:
                    given[name] = read(given[name])
            return cls(**given)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{kept!r} is no judgement ({error})") from None

    @property
    def sentence(self) -> str:
        """The verdict and its reason as people read them, with the claim as the subject.

        Example:
            >>> from reactivate.judging.verdicts import UNDECIDED
            >>> Judgement(UNDECIDED, "two runs say little").sentence
            'could not be decided: two runs say little'
        """
        return f"{self.verdict.sentence}: {self.reason}"


def _as_json(value: Any) -> Any:
    if isinstance(value, Size):
        return {"stated": value.stated, "verdict": str(value.verdict)}
    if isinstance(value, CaseCounts):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Interval):
        return [value.low, value.high, value.level]
    if isinstance(value, Judgement):
        return value.as_json()
    return [_as_json(part) for part in value] if isinstance(value, tuple) else value


_READ: dict[str, Callable[[Any], Any]] = {
    "intervals": lambda kept: tuple(Interval(*interval) for interval in kept),
    "size": lambda kept: Size(kept["stated"], Verdict.parse(kept["verdict"])),
    "counts": lambda kept: CaseCounts(**kept),
    "parts": lambda kept: tuple((name, Judgement.from_json(part)) for name, part in kept),
}


def replicates_text(count: int) -> str:
    """How many replicates would decide a claim, in words.

    Example:
        >>> replicates_text(17), replicates_text(MANY)
        ('17 replicates', 'more than 100 replicates')
    """
    return f"{count if count < MANY else 'more than 100'} replicates"


def hours_to_decide(judgement: Judgement, seconds_per_replicate: float) -> float | None:
    """Core-hours of the replicates that are missing for a decision; None if none are.

    For a claim that needs more than 100 replicates it is the least that it would take.

    Args:
        judgement: An open claim.
        seconds_per_replicate: Core-seconds that one replicate of every arm takes together.
    """
    if judgement.seeds_to_decide is None:
        return None
    missing = max(0, judgement.seeds_to_decide - (judgement.n or 0))
    return missing * seconds_per_replicate / 3600
