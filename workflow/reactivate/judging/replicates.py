"""Replicates of a comparison, and the interval of their mean effect."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from reactivate.judging.intervals import Interval, spread_of, t_interval, welch_freedom

Runs = Mapping[int, float | None]  # replicate (a seed, split, draw) -> its number; None: unlearned


@dataclass(frozen=True)
class Effect:
    """Replicates of a comparison: of one quantity, of pairs, or of two independent arms.

    Runs that did not learn are None: they leave the mean, and are counted.

    Args:
        stated: Numbers of the arm that the document puts ahead, by replicate.
        other: Numbers of the other arm; None where a replicate is one number by itself.
        paired: Whether both arms share a split, data or a network by construction. A seed's
            number alone is nothing shared: then the interval is Welch's.
        grain: The smallest step of an effect (one test image, one case of a share), so that
            numbers that happen to be equal are no proof: the deviation of differences is at
            least grain / sqrt(6), that of two numbers rounded to the grain.
    """

    stated: tuple[float | None, ...]
    other: tuple[float | None, ...] | None = None
    paired: bool = True
    grain: float = 0.0

    def __post_init__(self) -> None:
        numbers = self._numbers
        if not all(map(math.isfinite, numbers)):
            raise ValueError(
                f"a replicate is {next(x for x in numbers if not math.isfinite(x))}; accepted: "
                "finite numbers, and None for a run that did not learn. Correct what is measured"
            )
        if self.other is not None and self.paired and len(self.stated) != len(self.other):
            raise ValueError(
                f"{len(self.stated)} and {len(self.other)} replicates cannot be paired; accepted: "
                "as many in both arms. Pair them by number, as difference() does"
            )

    @property
    def samples(self) -> list[list[float]]:
        """Numbers whose mean is taken: one list of numbers or differences; of Welch's arms two."""
        if self.other is None:
            return [[x for x in self.stated if x is not None]]
        if not self.paired:
            return [[x for x in arm if x is not None] for arm in (self.stated, self.other)]
        pairs = zip(self.stated, self.other, strict=True)
        return [[x - y for x, y in pairs if x is not None and y is not None]]

    @property
    def n(self) -> int:
        """Replicates that count: those in which every network learned."""
        return min(map(len, self.samples))

    @property
    def attempted(self) -> int:
        """Replicates that were run, whether the networks learned or not."""
        return min(map(len, self._arms))

    @property
    def unlearned(self) -> int:
        """Runs that did not learn, of all arms."""
        return sum(x is None for arm in self._arms for x in arm)

    @property
    def mean(self) -> float:
        """Mean effect of the runs that learned."""
        means = [fmean(sample) for sample in self.samples]
        return means[0] - sum(means[1:])

    @property
    def deviation(self) -> float:
        """Standard deviation of a difference between runs; 0 if there is no spread to speak of."""
        return math.sqrt(sum(spread for spread, _ in self._parts))

    def interval(self, level: float) -> Interval:
        """Student's interval of the mean effect; Welch's where the arms share nothing."""
        return t_interval(self.mean, self._error, welch_freedom(self._parts), level)

    @property
    def t(self) -> float:
        """Mean effect in units of its standard error."""
        return self.mean / self._error

    def first(self, n: int) -> "Effect":
        """The effect as it was when ``n`` replicates that learned were there, and no more."""
        if self.other is None or self.paired:
            enough = next(end for end in range(n, self.attempted + 1) if self.until(end).n == n)
            return self.until(enough)
        arms = []
        for arm in (self.stated, self.other):
            learned = [place for place, x in enumerate(arm) if x is not None]
            arms.append(arm[: learned[n - 1] + 1])
        return replace(self, stated=arms[0], other=arms[1])

    def until(self, attempted: int) -> "Effect":
        """The effect of the first replicates that were run, whether they learned or not."""
        other = None if self.other is None else self.other[:attempted]
        return replace(self, stated=self.stated[:attempted], other=other)

    @property
    def _arms(self) -> list[tuple[float | None, ...]]:
        return [self.stated] if self.other is None else [self.stated, self.other]

    @property
    def _numbers(self) -> list[float]:
        return [x for arm in self._arms for x in arm if x is not None]

    @property
    def _parts(self) -> list[tuple[float, int]]:
        """Variance and number of runs of each sample, the variance not below the grain's."""
        samples = self.samples
        least = self.grain**2 / (6 * len(samples))
        magnitude = max(map(abs, self._numbers))
        return [(max(spread_of(x, magnitude), least), len(x)) for x in samples]

    @property
    def _error(self) -> float:
        return math.sqrt(sum(spread / n for spread, n in self._parts))
