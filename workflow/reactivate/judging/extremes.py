"""Extremes and optima: "up to X", "always", "never", and the best value of a grid."""

from collections.abc import Mapping

from reactivate.judging.intervals import Interval, exact_share, rounding_reach
from reactivate.judging.judgement import MANY, Judgement, replicates_text
from reactivate.judging.lists import Cases, judge_all
from reactivate.judging.looks import FEWEST, SEQUENTIAL, LookPlan
from reactivate.judging.replicates import Runs
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, UNTRAINED, Verdict


def judge_up_to(runs: Runs, bound: float, half_unit: float = 0.0) -> Judgement:
    """Verdict on "up to X": one observation suffices, and its absence is undecided.

    Args:
        runs: What was observed, larger as the document states it; None: a run did not learn.
        bound: X, as it is printed.
        half_unit: Half of X's last printed digit; what rounds to X reaches it.
    """
    seen = [x for x in runs.values() if x is not None]
    unlearned = len(runs) - len(seen)
    if not seen:
        verdict = UNTRAINED if unlearned else UNDECIDED
        change = "runs in which the networks learn"
        return Judgement(verdict, "nothing was observed", unlearned=unlearned, would_change=change)
    reached = max(seen) >= bound - rounding_reach(bound, half_unit)
    return Judgement(
        HOLDS if reached else UNDECIDED,
        f"the largest of {len(seen)} observations is {max(seen):.4g}, stated is up to {bound:g}",
        mean=max(seen) - bound,
        n=len(seen),
        unlearned=unlearned,
        would_change="" if reached else f"one observation of {bound:g}",
    )


def judge_always(runs: Mapping[int, bool | None], plan: LookPlan = SEQUENTIAL) -> Judgement:
    """Verdict on "always" or "never": the share of runs that are so, exactly, against a half.

    Args:
        runs: Replicate -> whether it is as the document says; None: the networks did not learn.
        plan: When the runs are looked at, and at which levels.
    """
    ordered = [runs[replicate] for replicate in sorted(runs)]
    if plan.is_fixed:
        ordered = ordered[: plan.looks[0]] if len(ordered) >= plan.looks[0] else []
    learned = [found for found in ordered if found is not None]
    if runs and all(found is None for found in runs.values()):
        why = f"no network learned in {len(runs)} run{'s' if len(runs) > 1 else ''}"
        change = "networks that learn"
        return Judgement(UNTRAINED, why, n=0, unlearned=len(runs), would_change=change)
    ends = [len(learned)] if plan.is_fixed else [n for n in plan.looks if n <= len(learned)]
    ends = [n for n in ends if n >= FEWEST]
    unlearned = sum(found is None for found in runs.values())
    if not ends:
        n = sum(found is not None for found in runs.values())
        least = max(FEWEST, plan.looks[0])
        why = f"{n} run{'' if n == 1 else 's'}, and no look is planned at fewer than {least}"
        true = sum(found is True for found in runs.values())
        return Judgement(
            UNDECIDED,
            why,
            n=n,
            unlearned=unlearned,
            seeds_to_decide=max(least, _runs_to_decide(true, n, plan) if n else 0),
            would_change="more runs",
        )
    for n in ends:
        true = sum(learned[:n])
        verdict, intervals = _against_half(true, n, plan)
        if verdict != UNDECIDED:
            break
    needed = _runs_to_decide(true, n, plan) if verdict == UNDECIDED else None
    return Judgement(
        verdict,
        f"as stated in {true} of {n} runs; share {intervals[0]}",
        mean=true / n - 0.5,
        intervals=tuple(Interval(i.low - 0.5, i.high - 0.5, i.level) for i in intervals),
        n=n,
        unlearned=unlearned,
        seeds_to_decide=needed,
        would_change="runs with which the share's interval reaches 1/2"
        if needed is None
        else f"{replicates_text(needed)}, if the share stays as it is",
    )


def judge_optimum(rivals: Cases, plan: LookPlan = SEQUENTIAL) -> Judgement:
    """Verdict on "the optimal rate is r": r must beat every other value of the grid.

    It fails if one of m other values beats r at level 1 - 0.005 / m.

    Args:
        rivals: Other value of the grid -> effect of r over it, positive where r is better.
        plan: When replicates are looked at.
    """
    return judge_all(rivals, plan)


def _against_half(true: int, n: int, plan: LookPlan) -> tuple[Verdict, tuple[Interval, ...]]:
    narrow, wide = exact_share(true, n, plan.holds), exact_share(true, n, plan.fails)
    if narrow.low > 0.5:
        return HOLDS, (narrow, wide)
    return FAILS if wide.high < 0.5 else UNDECIDED, (narrow, wide)


def _runs_to_decide(true: int, n: int, plan: LookPlan) -> int:
    """Runs, more than there are, that would decide if the share stays as it is."""
    more = range(n + 1, MANY)
    decided = (m for m in more if _against_half(round(true * m / n), m, plan)[0] != UNDECIDED)
    return next(decided, MANY)
