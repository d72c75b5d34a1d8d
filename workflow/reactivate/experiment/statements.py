"""The form of a claim in words, of a finding, and of how either is judged."""

import datetime
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from reactivate.experiment.cell import Name
from reactivate.experiment.choices import Choice
from reactivate.experiment.exhibits import Target
from reactivate.experiment.numbers import Count, NonNegative, Percent, Positive, Rate, Real
from reactivate.experiment.quotes import Quotation, Quoted
from reactivate.foundation.configuration import Strict, added
from reactivate.judging.asked import Asks, Which, check_asked
from reactivate.judging.verdicts import Kind, Ruling, Verdict

JUDGED_BY = ("best", "chance", "chosen_lr", "judge", "function", "not_run")


class Check(Strict):
    """How a claim in words is judged: from a trained exhibit, or by a function."""

    exhibit: str | None = None
    best: str | None = None  # a row or a column
    # columns in an order along which the lead of the best row is said to grow, series by series
    along: list[list[str]] | None = None
    rows: list[str] | None = None  # that are compared; all if none are named
    columns: list[str] | None = None
    better: Literal["lower", "higher"] | None = None  # where it is not that of the exhibit
    chance: Percent | None = None  # networks that do not learn stay at or below it, in percent
    chosen_lr: dict[Name, Rate] | None = None
    protocol: str | None = None
    judge: Target | None = None  # of an analysis: takes its data frame, returns what it found
    function: Target | None = None  # takes nothing, returns a judgement
    not_run: str | None = None  # why nobody can run it: a verdict not_run(...)
    why: str | None = None  # in a sentence, of not_run

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "Check":
        if sum(getattr(self, way) is not None for way in JUDGED_BY) != 1:
            raise ValueError(f"a check needs exactly one of {', '.join(JUDGED_BY)}")
        alone = self.function is not None or self.not_run is not None
        if (self.exhibit is None) != alone:
            raise ValueError(
                "best, chance, chosen_lr and judge need an exhibit, function and not_run take none"
            )
        if self.along is not None and (self.best is None or self.columns is not None):
            raise ValueError("along needs best, a row, and no columns: it names those it looks at")
        if (self.not_run is None) != (self.why is None):
            raise ValueError("not_run needs why, in a sentence, and why needs not_run")
        return self

    @field_validator("not_run")
    @classmethod
    def _is_a_reason(cls, reason: str | None) -> str | None:
        if reason is not None:
            Verdict(Ruling.NOT_RUN, reason)
        return reason


class EffectForm(Strict):
    """A comparison as one number per replicate, positive as stated; written before any run."""

    number: str  # of one replicate, in words
    replicate: str  # a seed, split, draw or ensemble
    shared: str | None = None  # what both arms share by construction; nothing: Welch's interval
    asks: Asks = Field(default=Asks.SIGN, strict=False)
    cases: Which | None = Field(default=None, strict=False)  # of a list: all, most or some hold
    fixed: dict[Name, Count] = Field(default_factory=dict)  # scale -> replicates fixed beforehand
    size: Positive | None = None  # that the document states; of a range its low
    margin: Positive | None = None  # of asks: comparable
    bound: Real | None = None  # of asks: up_to
    half_unit: NonNegative = 0.0  # of the bound's last printed digit
    magnitude: bool = False  # of size, rates, epochs or speed: not judged below the printed scale

    @model_validator(mode="after")
    def _asks_what_can_be_answered(self) -> "EffectForm":
        check_asked(self.asks, self.cases, self.size, self.margin, self.bound)
        return self


class Reply(Strict):
    """An author's answer to a verdict, shown beside it."""

    author: str
    date: datetime.date
    says: str


class Statement(Quoted):
    """A claim of a document in words, and how it is judged.

    A misprint and a contradiction are two quotations, and need no check.
    """

    locator: str
    kind: Kind = Field(strict=False)
    check: Check | None = None
    effect: EffectForm | None = None  # of a comparison
    choices: dict[Name, Choice] = Field(default_factory=dict)
    misprint: Quotation | None = None  # the right form, which stands elsewhere in the document
    contradicts: Quotation | None = None  # another passage that cannot be true beside this one
    own_table: Target | None = None  # says how far the document's own numbers agree with it
    note: str | None = None  # what else is fair to say of it, in a sentence
    would_change: str  # the verdict, in one sentence
    reply: Reply | None = None

    @model_validator(mode="after")
    def _is_judged_one_way(self) -> "Statement":
        ways = (self.check, self.misprint, self.contradicts)
        if sum(way is not None for way in ways) != 1:
            raise ValueError("a claim needs exactly one of check, misprint and contradicts")
        measured = self.check is not None and self.check.not_run is None
        compared = self.kind is Kind.COMPARISON
        if compared and measured and self.effect is None:
            raise ValueError("a comparison needs effect: one number per replicate")
        if not compared and self.effect is not None:
            raise ValueError(f"a {self.kind} has no effect; only a comparison has")
        return self


class Comparison(Strict):
    """A comparison of ours between rows of trained networks: for ``decide``, without a verdict.

    Every row that is said to be ahead is compared with every other one, seed by seed.
    """

    ahead: list[Name] = Field(min_length=1)  # rows of the finding's exhibit
    behind: list[Name] = Field(min_length=1)
    metric: Name  # in metrics.csv of the runs
    effect: EffectForm


class FindingForm(Strict):
    """What we found about a program, a cited work, a reading or our own choice: no verdict."""

    about: Literal["program", "cited", "choice", "reading", "text"]
    locator: str
    says: str
    quotation: Quotation | None = None  # of the document, where it says something of it
    check: Check | None = None  # whose function tells the numbers, in a sentence
    compared: Comparison | None = added(None)

    @model_validator(mode="after")
    def _compares_runs_of_an_exhibit(self) -> "FindingForm":
        if self.compared is not None and (self.check is None or self.check.judge is None):
            raise ValueError("compared needs a check of an exhibit, whose rows it compares")
        if self.compared is not None and self.compared.effect.cases is None:
            raise ValueError("compared.effect.cases is missing; accepted: all, some or most")
        return self

    @model_validator(mode="before")
    @classmethod
    def _quotes_like_a_claim(cls, given: Any) -> Any:
        """A file writes quote and lines beside the rest, as claims do."""
        if not isinstance(given, dict) or "quote" not in given:
            return given
        rest = {key: value for key, value in given.items() if key not in ("quote", "lines")}
        return {**rest, "quotation": {k: given[k] for k in ("quote", "lines") if k in given}}
