"""Intervals of means, of single runs and of shares, at a two-sided level."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

ROUNDING = 1e-12  # spread of this share of the numbers themselves is the machine's, not theirs


@dataclass(frozen=True)
class Interval:
    """Range in which a quantity lies with probability ``level``, both ends alike."""

    low: float
    high: float
    level: float

    @property
    def is_above_zero(self) -> bool:
        """Whether every value of the interval is positive."""
        return self.low > 0

    @property
    def is_below_zero(self) -> bool:
        """Whether every value of the interval is negative."""
        return self.high < 0

    def lies_within(self, low: float, high: float) -> bool:
        """Whether the whole interval lies between two values."""
        return low <= self.low and self.high <= high

    def lies_outside(self, low: float, high: float) -> bool:
        """Whether the interval and the values from ``low`` to ``high`` have none in common."""
        return self.high < low or self.low > high

    def widened(self, by: float) -> "Interval":
        """The interval with both ends moved outwards."""
        return Interval(self.low - by, self.high + by, self.level)

    def __str__(self) -> str:
        return f"{self.low:.4g} to {self.high:.4g} ({100 * self.level:g} %)"


def spread_of(values: Sequence[float], magnitude: float) -> float:
    """Variance of a sample; 0 if it is only the machine's rounding.

    Args:
        values: Two numbers or more.
        magnitude: Largest absolute number that the values were computed from.
    """
    mean = fmean(values)
    found = math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1)
    return found if math.sqrt(found) > ROUNDING * magnitude else 0.0


def critical(level: float, freedom: float) -> float:
    """Student's t that an interval of this level reaches to on either side.

    Example:
        >>> round(critical(0.985, 2), 2), round(critical(0.995, 12), 2)
        (8.07, 3.43)
    """
    from scipy.special import stdtrit  # not needed by those who only read verdicts

    return float(stdtrit(freedom, (1 + level) / 2))


def t_interval(mean: float, error: float, freedom: float, level: float) -> Interval:
    """Student's t interval of a mean whose standard error is estimated."""
    reach = critical(level, freedom) * error
    return Interval(mean - reach, mean + reach, level)


def welch_freedom(parts: list[tuple[float, int]]) -> float:
    """Degrees of freedom of a difference of means (Welch and Satterthwaite).

    Args:
        parts: Variance and number of runs of each mean.
    """
    errors = [(variance / n, n) for variance, n in parts]
    spread = sum(error**2 / (n - 1) for error, n in errors)
    return sum(error for error, _ in errors) ** 2 / spread if spread else math.inf


def exact_share(successes: int, cases: int, level: float) -> Interval:
    """Exact (Clopper-Pearson) interval of a probability; it holds for every number of cases.

    Example:
        >>> print(exact_share(3, 3, 0.95))
        0.2924 to 1 (95 %)
    """
    from scipy.special import betaincinv  # not needed by those who only read verdicts

    if not 0 <= successes <= cases or cases < 1:
        raise ValueError(
            f"{successes} successes in {cases} cases; accepted: at least one case, and no more "
            "successes than cases. Correct the counts that are judged"
        )
    tail = (1 - level) / 2
    low = betaincinv(successes, cases - successes + 1, tail) if successes else 0.0
    high = betaincinv(successes + 1, cases - successes, 1 - tail) if successes < cases else 1.0
    return Interval(float(low), float(high), level)


def rounding_reach(value: float, half_unit: float) -> float:
    """How far a number may be from a printed one that it rounds to: half of the last digit.

    A little is added, since 0.125 is not exactly half a digit from 0.12 in binary.

    Example:
        >>> abs(0.125 - 0.12) <= 0.005, abs(0.125 - 0.12) <= rounding_reach(0.12, 0.005)
        (False, True)
    """
    return half_unit + 1e-9 * max(abs(value), half_unit)
