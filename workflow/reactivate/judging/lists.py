"""Lists: claims on all, every or the best, and claims on some, among several cases."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reactivate.judging.judgement import CaseCounts, Judgement
from reactivate.judging.looks import SEQUENTIAL, LookPlan, judge
from reactivate.judging.verdicts import (
    FAILS,
    HOLDS,
    UNDECIDED,
    UNJUDGED,
    Kind,
    Verdict,
    first_applicable,
)

# name -> an effect, or what else is asked of it; a judgement: not run, or not comparable
Cases = Mapping[str, Any]
JudgeCase = Callable[[Any, LookPlan], Judgement]
FAIL_SHARE, HOLD_SHARE = 0.005, 0.0125  # of error, divided among the cases
WOULD_CHANGE = {
    HOLDS: "replicates with which the cases that show it no longer do",
    FAILS: "replicates with which the cases that contradict it no longer do",
    UNDECIDED: "more replicates of the open cases",
}


def judge_all(
    cases: Cases, plan: LookPlan = SEQUENTIAL, judge_case: JudgeCase = judge
) -> Judgement:
    """Verdict on "all", "on every benchmark", "best": each case must hold.

    It holds if each case holds, and fails if one case fails at level 1 - 0.005 / m, so that of m
    cases none fails by chance. A tie is no loss.

    Args:
        cases: Name -> effect, or the judgement of a case that cannot be judged.
        plan: When the replicates of each case are looked at.
        judge_case: How one case is judged at the levels of a plan.
    """
    found = _judged(
        cases, judge_case, plan, plan.at_levels(fails=1 - FAIL_SHARE / max(1, len(cases)))
    )
    failing = found.surely(FAILS)
    if failing:
        return found.judgement(FAILS, f"contrary: {', '.join(failing)}")
    if found.missing:
        return found.judgement(found.missing, "not every case can be judged")
    if found.counts.above == len(cases):
        return found.judgement(HOLDS, "every case")
    needed = max(found.needed, default=None)  # each case must be decided
    return found.judgement(UNDECIDED, "not every case holds, and none surely fails", needed)


def judge_some(
    cases: Cases, plan: LookPlan = SEQUENTIAL, judge_case: JudgeCase = judge
) -> Judgement:
    """Verdict on "some", "can", "at certain radii": one case suffices.

    It holds if one case holds at level 1 - 0.0125 / m, so that of m cases none holds by chance,
    and fails only if each case fails.

    Args:
        cases: Name -> effect, or the judgement of a case that cannot be judged.
        plan: When the replicates of each case are looked at.
        judge_case: How one case is judged at the levels of a plan.
    """
    found = _judged(
        cases, judge_case, plan, plan.at_levels(holds=1 - HOLD_SHARE / max(1, len(cases)))
    )
    holding = found.surely(HOLDS)
    if holding:
        return found.judgement(HOLDS, f"shown by: {', '.join(holding)}")
    if found.missing:
        return found.judgement(found.missing, "not every case can be judged")
    if found.counts.below == len(cases):
        return found.judgement(FAILS, "no case")
    needed = min(found.needed, default=None)  # one case suffices
    return found.judgement(UNDECIDED, "no case surely holds, and not each fails", needed)


def judge_most(
    cases: Cases, plan: LookPlan = SEQUENTIAL, judge_case: JudgeCase = judge
) -> Judgement:
    """Verdict on "significantly better in most cases": more than half must hold one by one.

    It fails if at least half of the cases fail, so that no more than half can hold.

    Args:
        cases: Name -> effect, or the judgement of a case that cannot be judged.
        plan: When the replicates of each case are looked at.
        judge_case: How one case is judged at the levels of a plan.
    """
    found = _judged(cases, judge_case, plan, plan)
    if 2 * found.counts.above > len(cases):
        return found.judgement(HOLDS, "more than half of the cases")
    if 2 * found.counts.below >= len(cases):
        return found.judgement(FAILS, "at least half of the cases are contrary")
    if found.missing:
        return found.judgement(found.missing, "not every case can be judged")
    needed = sorted(found.needed)  # so many more cases must be decided
    lacking = len(cases) // 2 + 1 - found.counts.above
    after = needed[min(lacking, len(needed)) - 1] if needed else None
    return found.judgement(UNDECIDED, "not more than half of the cases hold", after)


@dataclass(frozen=True)
class _Judged:
    """The cases of a list, each by itself and at the level that their number asks for."""

    alone: dict[str, Judgement]
    strict: dict[str, Judgement]

    @property
    def unjudged(self) -> list[Verdict]:
        """Verdicts of the cases that were not run or are not comparable."""
        verdicts = [judgement.verdict for judgement in self.alone.values()]
        return [verdict for verdict in verdicts if verdict.ruling in UNJUDGED]

    @property
    def missing(self) -> Verdict | None:
        """Verdict that unjudged cases impose on the list; None if there are none."""
        return first_applicable(self.unjudged, Kind.COMPARISON) if self.unjudged else None

    @property
    def counts(self) -> CaseCounts:
        """Cases above 0, open, and below 0, each at the level of a single case."""
        verdicts = [judgement.verdict for judgement in self.alone.values()]
        above, below, out = verdicts.count(HOLDS), verdicts.count(FAILS), len(self.unjudged)
        return CaseCounts(above, len(verdicts) - above - below - out, below, out)

    @property
    def needed(self) -> list[int]:
        """Replicates that would decide each open case."""
        found = [judgement.seeds_to_decide for judgement in self.strict.values()]
        return [n for n in found if n is not None]

    def surely(self, verdict: Verdict) -> list[str]:
        """Cases with this verdict at the level that their number asks for."""
        return [name for name, found in self.strict.items() if found.verdict == verdict]

    def judgement(self, verdict: Verdict, why: str, needed: int | None = None) -> Judgement:
        """The verdict on the list, with its cases."""
        ns = [part.n for part in self.alone.values() if part.n is not None]
        return Judgement(
            verdict,
            f"{why} ({self.counts})",
            n=min(ns, default=None),
            unlearned=sum(part.unlearned for part in self.alone.values()),
            counts=self.counts,
            seeds_to_decide=needed,
            would_change=WOULD_CHANGE.get(verdict, "cases that can be judged"),
            parts=tuple(self.alone.items()),
        )


def _judged(cases: Cases, judge_case: JudgeCase, plan: LookPlan, strict: LookPlan) -> _Judged:
    if not cases:
        raise ValueError("a list has no cases; accepted: one or more. Correct the claim's cases")
    judged = [
        {
            name: case if isinstance(case, Judgement) else judge_case(case, levels)
            for name, case in cases.items()
        }
        for levels in (plan, strict)
    ]
    return _Judged(*judged)
