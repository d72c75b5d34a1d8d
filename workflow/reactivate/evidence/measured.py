"""Our numbers: means over seeds, their errors, and how far two means may be apart by chance."""

import math
from dataclasses import dataclass
from statistics import fmean, stdev

from reactivate.experiment.printed import NEVER
from reactivate.judging.intervals import critical


@dataclass(frozen=True)
class Measured:
    """Our number: the mean over seeds and its standard error."""

    mean: float
    standard_error: float | None  # None for a single seed
    n: int

    @classmethod
    def of(cls, values: list[float]) -> "Measured":
        """Summary of one value per seed.

        Example:
            >>> Measured.of([1.0, 2.0, 3.0])
            Measured(mean=2.0, standard_error=0.5773502691896258, n=3)
        """
        if len(values) < 2 or not all(map(math.isfinite, values)):
            return cls(fmean(values), None, len(values))
        return cls(fmean(values), stdev(values) / math.sqrt(len(values)), len(values))

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Ends of the 95 % t interval of the mean; None for a single seed.

        Example:
            >>> [round(end, 3) for end in Measured.of([1.0, 2.0, 3.0]).interval]
            [-0.484, 4.484]
        """
        if self.standard_error is None:
            return None, None
        half = critical(0.95, self.n - 1) * self.standard_error
        return self.mean - half, self.mean + half

    def __str__(self) -> str:
        if math.isinf(self.mean):
            return NEVER
        if self.standard_error is None:
            return f"{self.mean:.4g}"
        if self.standard_error == 0:
            return f"{self.mean:.4g}±0"
        digits = min(max(0, 1 - math.floor(math.log10(self.standard_error))), 6)
        return f"{self.mean:.{digits}f}±{self.standard_error:.{digits}f}"


def difference_tolerance(a: Measured, b: Measured) -> float:
    """Half width of the 95 % interval of the difference of two means (Welch's t)."""
    from scipy.stats import t  # slow to import, and the DAG is built with this module

    errors = [(m.standard_error or 0.0, m.n) for m in (a, b)]
    variance = sum(error**2 for error, _ in errors)
    if variance == 0:
        return 0.0
    spreads = sum(error**4 / (n - 1) for error, n in errors if error and n > 1)
    freedom = variance**2 / spreads if spreads else math.inf  # a ± of unknown n: as if of many
    return float(t.ppf(0.975, freedom)) * math.sqrt(variance)
