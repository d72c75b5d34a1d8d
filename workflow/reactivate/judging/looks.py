"""Looks and levels: when replicates are looked at, and how sure a verdict must be."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reactivate.judging.intervals import critical
from reactivate.judging.judgement import MANY, Judgement, replicates_text
from reactivate.judging.replicates import Effect
from reactivate.judging.size import NARROW, WIDE, is_too_small, judge_size
from reactivate.judging.verdicts import FAILS, HOLDS, UNDECIDED, UNTRAINED, Verdict

FEWEST = 3  # replicates below which nothing is decided


@dataclass(frozen=True)
class LookPlan:
    """When replicates are looked at, and how far from 0 their interval must lie.

    An accusation needs more than a confirmation: ``fails`` has the higher level.

    Args:
        looks: Numbers of replicates at which a verdict may be reached; none between.
        holds: Level of the interval that must lie above 0.
        fails: Level of the interval that must lie below 0.
        futility: Look -> |t| below which more replicates are not worth their time.
        is_fixed: Whether the number of replicates was fixed before the first was run.
    """

    looks: tuple[int, ...] = (3, 5, 8, 13)
    holds: float = NARROW
    fails: float = WIDE
    futility: Mapping[int, float] = field(default_factory=lambda: {5: 0.5, 8: 1.0})
    is_fixed: bool = False

    def seen(self, effect: Effect) -> list[Effect]:
        """The effect as it was at each look that the replicates suffice for, the first first."""
        if self.is_fixed:
            planned = self.looks[0]
            whole = effect.until(planned)
            return [whole] if whole.attempted == planned and whole.n >= FEWEST else []
        return [effect.first(n) for n in self.looks if n <= effect.n]

    def at_levels(self, *, holds: float | None = None, fails: float | None = None) -> "LookPlan":
        """The plan with other levels, as a list of cases needs them."""
        return replace(self, holds=holds or self.holds, fails=fails or self.fails)


SEQUENTIAL = LookPlan()


def fixed(replicates: int) -> LookPlan:
    """Plan for a number of replicates that was fixed beforehand (ten printed splits): one look.

    It holds if the 95 % interval lies above 0 and fails if the 98 % interval lies below.
    """
    return LookPlan((replicates,), holds=0.95, fails=0.98, futility={}, is_fixed=True)


def judge(effect: Effect, plan: LookPlan = SEQUENTIAL, stated: float | None = None) -> Judgement:
    """Verdict on a comparison: of the first look that decides it, or of the last one.

    Under the null, and for normal differences, the default plan says ``holds`` in 2.4 % and
    ``fails`` in 0.9 % of all cases.

    Args:
        effect: The replicates, positive as stated.
        plan: When they are looked at.
        stated: Size that the document states for the effect, if it does. At the last look, or
            where more replicates are futile, a direction also fails if the effect is surely
            below half of it.
    """
    if effect.attempted and not effect.n:
        return Judgement(
            UNTRAINED,
            "in the one replicate not all networks have learned"
            if effect.attempted == 1
            else f"in none of {effect.attempted} replicates have all networks learned",
            n=0,
            unlearned=effect.unlearned,
            would_change="networks that learn at this scale",
        )
    looks = plan.seen(effect)
    for seen in looks:
        if seen.deviation == 0:
            continue
        verdict = _verdict(seen, plan)
        is_futile = abs(seen.t) < plan.futility.get(seen.n, 0.0)
        is_last = plan.is_fixed or seen.n == plan.looks[-1]
        too_small = stated is not None and is_too_small(seen, stated)
        if verdict == UNDECIDED and (is_futile or is_last) and too_small:
            return _judgement(seen, plan, FAILS, stated, "far below the stated size: ")
        if verdict != UNDECIDED or is_futile or is_last:
            return _judgement(seen, plan, verdict, stated, "")
    return _open(effect, looks, plan, stated)


def seeds_to_decide(mean: float, deviation: float, level: float = NARROW) -> int:
    """Replicates that would decide an effect of this size: the smallest n with t·sd/√n < |mean|.

    ``MANY`` stands for more than 100.

    Example:
        >>> seeds_to_decide(1.0, 1.0), seeds_to_decide(0.1, 1.0) == MANY
        (10, True)
    """
    for n in range(2, MANY):
        if critical(level, n - 1) * deviation / math.sqrt(n) < abs(mean):
            return n
    return MANY


def _verdict(seen: Effect, plan: LookPlan) -> Verdict:
    if seen.interval(plan.holds).is_above_zero:
        return HOLDS
    return FAILS if seen.interval(plan.fails).is_below_zero else UNDECIDED


def _judgement(
    seen: Effect, plan: LookPlan, verdict: Verdict, stated: float | None, why: str
) -> Judgement:
    """Judgement of one look, with the evidence of this look."""
    levels = {plan.holds, plan.fails} | ({NARROW, WIDE} if stated is not None else set())
    shown = seen.interval(plan.fails if verdict == FAILS else plan.holds)
    needed = None
    change = f"replicates with which the {100 * shown.level:g} % interval reaches 0"
    if why:
        change = "replicates with which the 99.5 % interval reaches half of the stated size"
    if verdict == UNDECIDED:
        level = max(plan.fails, WIDE) if seen.mean < 0 else max(plan.holds, NARROW)
        needed = seeds_to_decide(seen.mean, seen.deviation, level)
        change = f"{replicates_text(needed)}, if mean and spread stay as they are"
    return Judgement(
        verdict,
        f"{why}effect {seen.mean:.4g}, {shown}, n = {seen.n}",
        mean=seen.mean,
        intervals=tuple(seen.interval(level) for level in sorted(levels)),
        n=seen.n,
        unlearned=seen.unlearned,
        size=None if stated is None else judge_size(seen, stated),
        seeds_to_decide=needed,
        would_change=change,
    )


def _open(effect: Effect, looks: list[Effect], plan: LookPlan, stated: float | None) -> Judgement:
    """Judgement before a decision: that of the last look, or why none could be taken."""
    if looks and looks[-1].deviation > 0:
        return _judgement(looks[-1], plan, UNDECIDED, stated, "")
    needed = None
    if looks:
        why = f"{effect.n} replicates do not differ at all: zero spread is no proof"
        change = "the grain of the number (one test image), or replicates that differ"
    else:
        least = needed = plan.looks[0] if plan.is_fixed and effect.n >= FEWEST else FEWEST
        why = f"{effect.n} of at least {least} replicates, which say nothing of chance"
        change = f"{least} replicates or more in which every network learned"
    mean = effect.mean if effect.n else None
    return Judgement(
        UNDECIDED,
        why,
        mean,
        n=effect.n,
        unlearned=effect.unlearned,
        seeds_to_decide=needed,
        would_change=change,
    )
