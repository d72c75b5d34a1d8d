"""Prospects: what more replicates may say of an open comparison, tried by the rules themselves.

Nothing here knows of looks, levels, lists or readings: replicates are made up as the present ones
are spread, and judged as real ones would be.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, stdev
from typing import Protocol

from reactivate.judging.judgement import Judgement
from reactivate.judging.looks import FEWEST, LookPlan
from reactivate.judging.questions import Case, Found, Readings
from reactivate.judging.replicates import Effect
from reactivate.judging.verdicts import UNDECIDED

TRIES = 100  # made-up continuations behind a probability
# replicates that speak as clearly as they can: so many deviations beyond the mean
CLEAR = (0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 32.0, 1e3, 1e6)
Arm = tuple[float | None, ...]


class Continuation(Protocol):
    """A way to make up replicates that are not there yet."""

    def numbers(self, arm: Arm, n: int, grain: float, assumed: float) -> Arm:
        """An arm with ``n`` replicates.

        Args:
            arm: The replicates that are there.
            n: How many there will be, more than there are.
            grain: The smallest step of a number.
            assumed: The mean, in deviations, where too few are there to tell.
        """

    def truths(self, known: list[bool], count: int) -> list[bool]:
        """So many more truths beside those that are known."""


@dataclass(frozen=True)
class Inquiry:
    """A comparison: what was found so far, and the verdict that any such finding would get."""

    found: Found | Readings
    answer: Callable[[Found | Readings], Judgement]
    plan: LookPlan

    @property
    def judgement(self) -> Judgement:
        """The verdict on what was found so far."""
        return self.answer(self.found)

    @property
    def attempted(self) -> int:
        """Replicates of the case that has the fewest, whether networks learned or not."""
        return min((_attempted(case) for case in _cases(self.found)), default=0)

    @property
    def next_look(self) -> int | None:
        """The next number of replicates that is looked at; None after the last."""
        return next((look for look in self.plan.looks if look > self.attempted), None)


def is_open(inquiry: Inquiry) -> bool:
    """Whether more replicates are worth a look: it is undecided, and some could decide it."""
    if inquiry.judgement.verdict != UNDECIDED or inquiry.next_look is None:
        return False
    return can_be_decided(inquiry)


def chance_to_decide(inquiry: Inquiry, look: int, seed: str, tries: int = TRIES) -> float:
    """Probability that an open comparison is decided when so many replicates are there.

    Mean and deviation are drawn as the present replicates allow them (Student's t), then new
    replicates around them, for each case apart from the others. Of fewer than three replicates
    nothing is known: an effect of one deviation is assumed.

    Args:
        inquiry: The comparison.
        look: Replicates that every case will have.
        seed: Decides what is drawn.
        tries: Continuations that are made up.
    """
    drawn = _Drawn(Random(seed))
    decided = sum(
        inquiry.answer(_continued(inquiry.found, look, drawn)).verdict != UNDECIDED
        for _ in range(tries)
    )
    return decided / tries


def can_be_decided(inquiry: Inquiry) -> bool:
    """Whether any replicates up to the last look could decide an open comparison.

    None can after futility and after the last look.
    """
    last = inquiry.plan.looks[-1]
    tried = (_Clear(sign * reach) for sign in (1.0, -1.0) for reach in CLEAR)
    return any(
        inquiry.answer(_continued(inquiry.found, last, clear)).verdict != UNDECIDED
        for clear in tried
    )


def _cases(found: Found | Readings) -> list[Case]:
    """Every case that has replicates, under every reading."""
    if isinstance(found, Readings):
        return [case for each in found.found.values() for case in _cases(each)]
    if isinstance(found, Judgement):
        return []
    if _is_list(found):
        assert isinstance(found, Mapping)
        return [case for each in found.values() for case in _cases(each)]  # type: ignore[arg-type]
    return [found]  # type: ignore[list-item]  # no list


def _is_list(found: Found) -> bool:
    return isinstance(found, Mapping) and any(isinstance(key, str) for key in found)


def _attempted(case: Case) -> int:
    assert not isinstance(case, Judgement)
    return case.attempted if isinstance(case, Effect) else len(case)


def _continued(found: Found | Readings, n: int, by: Continuation) -> Found | Readings:
    """What was found, with replicates up to ``n`` in every case."""
    if isinstance(found, Readings):
        each = {name: _continued(one, n, by) for name, one in found.found.items()}
        return Readings(each)  # type: ignore[arg-type]  # no readings inside readings
    if isinstance(found, Judgement):
        return found
    if isinstance(found, Effect):
        return _continued_effect(found, n, by)
    if _is_list(found):
        return {name: _continued(one, n, by) for name, one in found.items()}  # type: ignore
    return _continued_runs(found, n, by)  # type: ignore[arg-type]  # no list


def _continued_effect(effect: Effect, n: int, by: Continuation) -> Effect:
    """An effect with more replicates; pairs become their differences."""
    if effect.attempted >= n:
        return effect
    grain = effect.grain
    if effect.other is None:
        return replace(effect, stated=by.numbers(effect.stated, n, grain, 1.0))
    if effect.paired:
        pairs = zip(effect.stated, effect.other, strict=True)
        between = tuple(None if x is None or y is None else x - y for x, y in pairs)
        return replace(effect, stated=by.numbers(between, n, grain, 1.0), other=None)
    ahead = by.numbers(effect.stated, n, grain, math.sqrt(2.0))  # a deviation of the difference
    behind = by.numbers(_negative(effect.other), n, grain, 0.0)
    return replace(effect, stated=ahead, other=_negative(behind))


def _negative(arm: Arm) -> Arm:
    return tuple(None if x is None else -x for x in arm)


def _continued_runs(
    runs: Mapping[int, bool | float | None], n: int, by: Continuation
) -> dict[int, bool | float | None]:
    """Truths or numbers by replicate, with more of them."""
    kept = dict(runs)
    known = [x for x in kept.values() if x is not None]
    first = max(kept, default=-1) + 1
    new = range(first, first + max(0, n - len(kept)))
    if all(isinstance(x, bool) for x in known):
        return kept | dict(zip(new, by.truths([bool(x) for x in known], len(new)), strict=True))
    longer = by.numbers(tuple(kept.values()), len(kept) + len(new), 0.0, 1.0)
    return kept | dict(zip(new, longer[len(kept) :], strict=True))


def _spread(arm: Arm, grain: float) -> tuple[list[float], float]:
    """Numbers of the runs that learned, and their deviation, which is not below the grain's."""
    known = [x for x in arm if x is not None]
    return known, max(stdev(known) if len(known) > 1 else 0.0, grain / math.sqrt(6.0))


@dataclass(frozen=True)
class _Drawn:
    """Replicates that are drawn as those that are there are spread."""

    chance: Random

    def numbers(self, arm: Arm, n: int, grain: float, assumed: float) -> Arm:
        known, deviation = _spread(arm, grain)
        chance = self.chance
        if len(known) < FEWEST:
            unit = 100 * grain or 1.0
            return tuple(unit * chance.gauss(assumed, 1.0) for _ in range(n))
        if deviation == 0:
            return arm + (known[0],) * (n - len(arm))
        freedom = len(known) - 1
        drawn = deviation * math.sqrt(freedom / chance.gammavariate(freedom / 2, 2.0))
        mean = chance.gauss(fmean(known), drawn / math.sqrt(len(known)))
        lost = arm.count(None) / len(arm)
        return arm + tuple(
            None if chance.random() < lost else chance.gauss(mean, drawn)
            for _ in range(n - len(arm))
        )

    def truths(self, known: list[bool], count: int) -> list[bool]:
        true = sum(known)
        share = self.chance.betavariate(true + 0.5, len(known) - true + 0.5)
        return [self.chance.random() < share for _ in range(count)]


@dataclass(frozen=True)
class _Clear:
    """Replicates that speak clearly: all lie so many deviations beyond the mean, or below."""

    by: float

    def numbers(self, arm: Arm, n: int, grain: float, assumed: float) -> Arm:
        del assumed
        known, deviation = _spread(arm, grain)
        deviation = deviation or 1.0
        value = (fmean(known) if known else 0.0) + self.by * deviation
        wiggle = 0.01 * deviation  # numbers that are all the same would be no proof
        return arm + tuple(value + wiggle * (-1) ** k for k in range(n - len(arm)))

    def truths(self, known: list[bool], count: int) -> list[bool]:
        del known
        return [self.by > 0] * count
