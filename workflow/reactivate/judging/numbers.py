"""Printed numbers: whether our runs agree with them, differ, or are too imprecise to tell."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from reactivate.judging.equality import around_margin
from reactivate.judging.intervals import (
    Interval,
    rounding_reach,
    spread_of,
    t_interval,
    welch_freedom,
)
from reactivate.judging.judgement import MANY, Judgement
from reactivate.judging.looks import FEWEST
from reactivate.judging.readings import Reading, combine
from reactivate.judging.replicates import Runs
from reactivate.judging.verdicts import DIFFERS, REPRODUCED, UNDECIDED, UNTRAINED, Verdict

AGREE, ACCUSE = 0.95, 0.995  # levels of the intervals that decide
PRECISION = "runs precise enough to tell the printed number from the others of its column"


class Spread(StrEnum):
    """Meanings of a printed ±."""

    DEVIATION = "deviation"
    STANDARD_ERROR = "standard error"
    UNSTATED = "unstated"


@dataclass(frozen=True)
class PrintedNumber:
    """A number as a document prints it.

    Args:
        value: The number.
        half_unit: Half of its last printed digit.
        spread: The number after ±; None where there is none.
        meaning: What ± means, if the document says so.
        runs: Runs behind the ±. Where they are not printed, their number is a choice with
            alternatives, to be combined as readings are.
    """

    value: float
    half_unit: float
    spread: float | None = None
    meaning: Spread = Spread.UNSTATED
    runs: int | None = None

    def __post_init__(self) -> None:
        if self.spread is not None and (self.runs is None or self.runs < 2):
            raise ValueError(
                f"{self.value}±{self.spread} is printed of {self.runs} runs; accepted: two or "
                "more. Where the document does not say how many, list the number as a choice"
            )

    @property
    def reach(self) -> float:
        """How far a number may be from this one and still be printed so."""
        return rounding_reach(self.value, self.half_unit)


def judge_number(
    ours: Runs,
    printed: PrintedNumber,
    column: Sequence[float],
    *,
    grain: float = 0.0,
    redrawn: float = 0.0,
    contrary_as: Verdict | None = None,
) -> Judgement:
    """Verdict on a printed number, from runs at the printed protocol.

    The interval of ours minus printed is Welch's where ± is printed (an unstated ± is read both
    as deviation and as standard error) and that of the prediction of one run where it is not,
    plus half a printed unit. Reproduced: 0 is inside the 95 % interval, and the tolerance is at
    most half of the printed column's range. Differs: 0 is outside the 99.5 % interval, and the
    printed number is outside the range of our runs.

    Args:
        ours: Replicate -> our number; None: the network did not learn.
        printed: The printed number.
        column: All printed numbers of its column, this one included.
        grain: The smallest step of our number, such as one test image.
        redrawn: Deviation that sources which are redrawn between theirs and ours, but not among
            ours (such as test images), add to the difference.
        contrary_as: The verdict of a contrary reading of ± where scale or data may be its cause.
    """
    if printed.spread is None or printed.meaning is not Spread.UNSTATED:
        return _judge(ours, printed, printed.meaning, column, grain, redrawn)
    meanings = (Spread.DEVIATION, Spread.STANDARD_ERROR)
    return combine(
        [
            Reading(f"± is a {meaning}", _judge(ours, printed, meaning, column, grain, redrawn))
            for meaning in meanings
        ],
        contrary_as,
    )


def largest_tolerance(printed: PrintedNumber, column: Sequence[float]) -> float:
    """Tolerance up to which an agreement says something: half the range of the printed column.

    A number that stands alone in its column is held to the margin of "around x".
    """
    reach = max(column, default=0.0) - min(column, default=0.0)
    return reach / 2 if reach > 0 else around_margin(printed.value, 2 * printed.half_unit)


def decide(narrow: Interval, wide: Interval, is_within_runs: bool, largest: float) -> Verdict:
    """Verdict on ours minus printed, from its 95 % and 99.5 % intervals, half a unit included.

    Args:
        narrow: The interval whose inside is an agreement.
        wide: The interval whose outside is a difference.
        is_within_runs: Whether the printed number lies in the range of our runs.
        largest: Tolerance up to which an agreement says something.
    """
    if narrow.low <= 0 <= narrow.high:
        tolerance = (narrow.high - narrow.low) / 2
        return REPRODUCED if tolerance <= largest else UNDECIDED
    return DIFFERS if wide.lies_outside(0.0, 0.0) and not is_within_runs else UNDECIDED


def _judge(
    ours: Runs,
    printed: PrintedNumber,
    meaning: Spread,
    column: Sequence[float],
    grain: float,
    redrawn: float,
) -> Judgement:
    runs = [x for x in ours.values() if x is not None]
    unlearned = len(ours) - len(runs)
    if ours and not runs:
        why = (
            "the one run did not learn" if len(ours) == 1 else f"none of {len(ours)} runs learned"
        )
        return Judgement(UNTRAINED, why, n=0, unlearned=unlearned, would_change=PRECISION)
    if len(runs) < FEWEST:
        said = "1 run says" if len(runs) == 1 else f"{len(runs)} runs say"
        why = f"{said} nothing of chance; {FEWEST} are the least"
        change = f"{FEWEST} runs or more"
        return Judgement(
            UNDECIDED,
            why,
            mean=fmean(runs) - printed.value if runs else None,
            n=len(runs),
            unlearned=unlearned,
            seeds_to_decide=FEWEST,
            would_change=change,
        )
    spread = max(spread_of(runs, max(map(abs, runs))), grain**2 / 12)
    error, freedom = _error(spread, len(runs), printed, meaning)
    mean, error = fmean(runs) - printed.value, math.hypot(error, redrawn)
    narrow, wide = (
        t_interval(mean, error, freedom, level).widened(printed.reach) for level in (AGREE, ACCUSE)
    )
    within = min(runs) <= printed.value + printed.reach
    within = within and max(runs) >= printed.value - printed.reach
    largest = largest_tolerance(printed, column)
    # without any spread there is no interval, and a difference is no proof
    verdict = decide(narrow, wide, within or error == 0, largest)
    tolerance = (narrow.high - narrow.low) / 2
    imprecise = verdict == UNDECIDED and narrow.low <= 0 <= narrow.high
    needed = None
    if verdict == UNDECIDED:
        needed = _runs_to_decide(
            len(runs), mean, spread, within, printed, meaning, largest, redrawn
        )
    return Judgement(
        verdict,
        f"ours minus printed {mean:.4g}, {narrow}, n = {len(runs)}"
        + (
            f"; too imprecise to tell: ±{tolerance:.4g} is more than {largest:.4g}"
            if imprecise
            else ""
        ),
        mean=mean,
        intervals=(narrow, wide),
        n=len(runs),
        unlearned=unlearned,
        seeds_to_decide=needed,
        would_change=PRECISION if imprecise else "runs with which 0 crosses the interval's end",
    )


def _runs_to_decide(
    runs: int,
    mean: float,
    spread: float,
    is_within_runs: bool,
    printed: PrintedNumber,
    meaning: Spread,
    largest: float,
    redrawn: float,
) -> int:
    """Runs of ours, more than there are, that would decide if mean and spread stay as they are."""
    for n in range(runs + 1, MANY):
        error, freedom = _error(spread, n, printed, meaning)
        error = math.hypot(error, redrawn)
        narrow, wide = (
            t_interval(mean, error, freedom, level).widened(printed.reach)
            for level in (AGREE, ACCUSE)
        )
        if error and decide(narrow, wide, is_within_runs, largest) != UNDECIDED:
            return n
    return MANY


def _error(spread: float, n: int, printed: PrintedNumber, meaning: Spread) -> tuple[float, float]:
    """Standard error of ours minus printed, and its degrees of freedom."""
    if printed.spread is None or printed.runs is None:
        return math.sqrt(spread * (1 + 1 / n)), n - 1
    theirs = printed.spread**2 * (1 if meaning is Spread.DEVIATION else printed.runs)
    parts = [(spread, n), (theirs, printed.runs)]
    return math.sqrt(spread / n + theirs / printed.runs), welch_freedom(parts)
