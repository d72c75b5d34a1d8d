"""Equality: "comparable", "similar" and "around x", judged by a margin that is stated before."""

from reactivate.judging.judgement import Judgement, replicates_text
from reactivate.judging.looks import SEQUENTIAL, LookPlan, judge, seeds_to_decide
from reactivate.judging.readings import Reading, combine
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, Verdict

ALTERNATIVES = (1.0, 0.5, 2.0)  # of the margin: a verdict that they change depends on it


def around_margin(value: float, printed_unit: float) -> float:
    """Margin of "around x": one printed unit or 10 % of x, whichever is wider.

    Example:
        >>> around_margin(0.5, 0.1), around_margin(90, 1)
        (0.1, 9.0)
    """
    return max(printed_unit, abs(value) / 10)


def judge_comparable(
    effect: Effect,
    margin: float,
    plan: LookPlan = SEQUENTIAL,
    contrary_as: Verdict | None = None,
) -> Judgement:
    """Verdict on "comparable", "similar" or "around", over the margin, half and twice of it.

    Args:
        effect: The difference that the document calls none.
        margin: Largest difference that still counts as none. For "comparable" it is the smallest
            difference that the document calls an improvement.
        plan: When replicates are looked at, and at which levels.
        contrary_as: The verdict of a margin that is contrary where scale or data may be the cause.
    """
    readings = [
        Reading(f"margin {margin * factor:.4g}", judge_within(effect, margin * factor, plan))
        for factor in ALTERNATIVES
    ]
    return combine(readings, contrary_as)


def judge_within(effect: Effect, margin: float, plan: LookPlan = SEQUENTIAL) -> Judgement:
    """Verdict on equality at one margin.

    It holds if the 98.5 % interval lies inside the margin and fails if the 99.5 % interval lies
    outside. A difference that is not significant is no equality, and no look is futile.
    """
    if margin <= 0:
        raise ValueError(
            f"the margin of an equality is {margin}; accepted: a positive difference in the units "
            "of the effect. Correct the claim's margin"
        )
    looks = [seen for seen in plan.seen(effect) if seen.deviation > 0]
    if not looks:  # too few replicates, none that learned, or no spread: as for any comparison
        return judge(effect, plan)
    for seen in looks:
        verdict = _verdict(seen, margin, plan)
        if verdict != UNDECIDED:
            break
    needed = None
    change = "replicates with which the interval crosses the margin"
    if verdict == UNDECIDED:
        room = margin - abs(seen.mean)
        level = plan.holds if room > 0 else plan.fails
        needed = seeds_to_decide(room, seen.deviation, level)
        change = f"{replicates_text(needed)}, if mean and spread stay as they are"
    levels = sorted({plan.holds, plan.fails})
    shown = seen.interval(plan.fails if verdict == FAILS else plan.holds)
    return Judgement(
        verdict,
        f"difference {seen.mean:.4g}, {shown}, margin ±{margin:.4g}, n = {seen.n}",
        mean=seen.mean,
        intervals=tuple(seen.interval(level) for level in levels),
        n=seen.n,
        unlearned=seen.unlearned,
        seeds_to_decide=needed,
        would_change=change,
    )


def _verdict(seen: Effect, margin: float, plan: LookPlan) -> Verdict:
    if seen.interval(plan.holds).lies_within(-margin, margin):
        return HOLDS
    return FAILS if seen.interval(plan.fails).lies_outside(-margin, margin) else UNDECIDED
