"""Questions: what a comparison asks of its replicates, and the verdict that answers it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from reactivate.judging.asked import Asks, Which, check_asked, is_among
from reactivate.judging.equality import judge_comparable
from reactivate.judging.extremes import judge_always, judge_up_to
from reactivate.judging.judgement import Judgement
from reactivate.judging.lists import judge_all, judge_most, judge_some
from reactivate.judging.looks import SEQUENTIAL, LookPlan, fixed, judge
from reactivate.judging.readings import Reading, combine
from reactivate.judging.replicates import Effect, Runs
from reactivate.judging.verdicts import Verdict

BY_LIST: dict[Which, Callable[..., Judgement]] = {
    Which.ALL: judge_all,
    Which.SOME: judge_some,
    Which.MOST: judge_most,
}
Case = Effect | Runs | Mapping[int, bool | None] | Judgement  # numbers or truths by replicate
Found = Case | Mapping[str, Case]  # of one case, or of each case of a list, by its name


@dataclass(frozen=True)
class Readings:
    """What was found under each reading of the document, or value of a choice."""

    found: Mapping[str, Found]


@dataclass(frozen=True)
class Question:
    """What a comparison asks, as it was written before any run.

    Args:
        asks: What is asked of the effect.
        cases: Of a list: whether all, most or some must be as stated; None for a single case.
        fixed: Replicates whose number was fixed beforehand; None: they are looked at in turn.
        size: Size of the effect that the document states.
        margin: Largest difference that counts as none.
        bound: What one run must reach.
        half_unit: Half of the bound's last printed digit.
        contrary_as: The verdict of a contrary reading where scale or data may be its cause.
    """

    asks: Asks = Asks.SIGN
    cases: Which | None = None
    fixed: int | None = None
    size: float | None = None
    margin: float | None = None
    bound: float | None = None
    half_unit: float = 0.0
    contrary_as: Verdict | None = None

    def __post_init__(self) -> None:
        check_asked(self.asks, self.cases, self.size, self.margin, self.bound)

    @property
    def plan(self) -> LookPlan:
        """When replicates are looked at."""
        return SEQUENTIAL if self.fixed is None else fixed(self.fixed)

    def answer(
        self,
        found: Found | Readings,
        *,
        afterwards: set[str] | None = None,
        on_test_split: set[str] | None = None,
    ) -> Judgement:
        """The verdict over all readings, before the scale of what they agree on is considered.

        Args:
            found: What was measured, under the one reading or under each.
            afterwards: Names of readings, or of choices they are made of, that were added when
                results were known.
            on_test_split: Names of those that select on the test split.
        """
        if not isinstance(found, Readings):
            return self._of_reading(found)
        return combine(
            [
                Reading(
                    name,
                    self._of_reading(each),
                    on_test_split=is_among(name, on_test_split or ()),
                    afterwards=is_among(name, afterwards or ()),
                )
                for name, each in found.found.items()
            ],
            self.contrary_as,
        )

    def _of_reading(self, found: Found) -> Judgement:
        if isinstance(found, Judgement):
            return found
        is_list = isinstance(found, Mapping) and any(isinstance(key, str) for key in found)
        if is_list != (self.cases is not None):
            raise ValueError(
                f"the effect has cases {self.cases}, and the function found "
                f"{'a list' if is_list else 'one case'}; correct one of them"
            )
        if self.cases is None:
            return self._of_case(found, self.plan)  # type: ignore[arg-type]  # no list
        return BY_LIST[self.cases](found, self.plan, self._of_case)

    def _of_case(self, case: Case, plan: LookPlan) -> Judgement:
        """Verdict on one case, at the levels of a plan."""
        if isinstance(case, Judgement):
            return case
        if self.asks is Asks.UP_TO:
            assert self.bound is not None
            return judge_up_to(_runs(case), self.bound, self.half_unit)
        if self.asks is Asks.ALWAYS:
            truths = {k: None if x is None else bool(x) for k, x in _runs(case).items()}
            return judge_always(truths, plan)
        if not isinstance(case, Effect):
            raise ValueError(
                f"the function found {case!r}; accepted: an Effect where the effect asks "
                f"{self.asks}, runs by replicate where it asks up_to or always"
            )
        if self.asks is Asks.COMPARABLE:
            assert self.margin is not None
            excused = None if self.cases else self.contrary_as  # cases of a list are counted
            return judge_comparable(case, self.margin, plan, excused)
        return judge(case, plan, self.size)


def _runs(case: Case) -> Mapping[int, bool | float | None]:
    if isinstance(case, Effect | Judgement):
        raise ValueError(
            "the function found an Effect; accepted: numbers (up_to) or truths (always) by "
            "replicate, {0: True, 1: None}"
        )
    return case


class Asked(Protocol):
    """A comparison as a file writes it."""

    asks: Asks
    cases: Which | None
    fixed: dict[str, int]  # scale -> replicates fixed beforehand
    size: float | None
    margin: float | None
    bound: float | None
    half_unit: float


def question_of(asked: Asked, scale: str, contrary_as: Verdict | None = None) -> Question:
    """What a comparison asks of the runs of a scale."""
    return Question(
        asks=asked.asks,
        cases=asked.cases,
        fixed=asked.fixed.get(scale),
        size=asked.size,
        margin=asked.margin,
        bound=asked.bound,
        half_unit=asked.half_unit,
        contrary_as=contrary_as,
    )
