"""Numbers printed in the papers, kept exactly as printed, and what ours say about them."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from statistics import fmean, stdev

PRINTED = re.compile(r"(?P<value>-?\d+(?:\.\d+)?)(?:±(?P<spread>\d+(?:\.\d+)?))?(?P<unit>[KMG%]?)")
UNITS = {"": 1.0, "%": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
FRACTION = re.compile(r"-?\d+/[1-9]\d*")
EXACT = 1e-12  # what rounding may take from an exact number
TICKS = {"✓": 1.0, "×": 0.0}
NEVER = "–"  # an epoch that is not reached


class Verdict(StrEnum):
    """What the audit can say of a claim."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    ORDER_HOLDS = "order_holds"
    ORDER_FAILS = "order_fails"
    NOT_COMPARABLE = "not_comparable"
    RECOMPUTED_OK = "recomputed_ok"
    INCONSISTENT = "inconsistent"
    NOT_RUN_DATA = "not_run(data_unavailable)"
    NOT_RUN_COMPUTE = "not_run(compute)"
    NOT_RUN_UNDERSPECIFIED = "not_run(underspecified)"


@dataclass(frozen=True)
class Printed:
    """A number as a paper prints it; trailing zeros carry its precision."""

    value: float
    spread: float | None
    half_unit: float
    unit: str = ""

    @classmethod
    def parse(cls, text: str) -> "Printed":
        """Reads a printed number or tick.

        Example:
            >>> Printed.parse("92.60±0.12")
            Printed(value=92.6, spread=0.12, half_unit=0.005, unit='')
            >>> Printed.parse("25.6M").value
            25600000.0
            >>> Printed.parse("✓").value, Printed.parse("2/5").value
            (1.0, 0.4)
        """
        if text in TICKS:
            return cls(TICKS[text], None, 0.0, "✓")
        if text == NEVER:
            return cls(math.inf, None, 0.0, NEVER)
        if FRACTION.fullmatch(text):
            return cls(float(Fraction(text)), None, EXACT, "/")
        match = PRINTED.fullmatch(text)
        if match is None:
            raise ValueError(
                f"cannot read {text!r} as a printed number; write it as the paper prints it, "
                "e.g. '92.60±0.12'"
            )
        exponent = Decimal(match["value"]).as_tuple().exponent
        assert isinstance(exponent, int)
        scale = UNITS[match["unit"]]
        spread = float(match["spread"]) * scale if match["spread"] else None
        half_unit = 0.5 * 10.0**exponent * scale
        return cls(float(match["value"]) * scale, spread, half_unit, match["unit"])

    def show(self, value: float) -> str:
        """Another value in the same unit, with two digits more.

        Example:
            >>> Printed.parse("25.6M").show(25557032)
            '25.557M'
        """
        if self.unit == "✓":
            return "✓" if value else "×"
        if self.unit == NEVER or math.isinf(value):
            return NEVER if math.isinf(value) else f"{value:g}"
        if self.unit == "/":
            return str(Fraction(value).limit_denominator(10**6))
        scale = UNITS[self.unit]
        digits = 2 - math.floor(math.log10(2 * self.half_unit / scale) + 0.5)
        return f"{value / scale:.{max(digits, 0)}f}{self.unit}"


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

    def __str__(self) -> str:
        if math.isinf(self.mean):
            return NEVER
        if self.standard_error is None:
            return f"{self.mean:.4g}"
        if self.standard_error == 0:
            return f"{self.mean:.4g}±0"
        digits = min(max(0, 1 - math.floor(math.log10(self.standard_error))), 6)
        return f"{self.mean:.{digits}f}±{self.standard_error:.{digits}f}"


@dataclass(frozen=True)
class Judgement:
    """A verdict and the reason for it, in one line."""

    verdict: Verdict
    reason: str


def judge_number(
    printed: Printed, ours: Measured, spread: str, printed_seeds: int, at_paper_scale: bool
) -> Judgement:
    """Compares a printed mean with ours.

    The tolerance is half a unit of the last printed digit plus the half width of the 95 %
    interval of the difference of the two means (Welch's t, so few seeds widen it). A number
    printed without ± is read as one run, which may differ from our mean as one of ours may.

    Args:
        printed: The number in the document.
        ours: Our mean over seeds.
        spread: What the printed ± is; ``unstated`` is read as a standard error, which is the wider
            tolerance: a deviation over splits would be several times what is printed.
        printed_seeds: Repetitions behind the printed mean.
        at_paper_scale: Whether ours follows the printed protocol in full; if not there is no
            judgement.
    """
    if math.inf in (ours.mean, printed.value):
        said = f"ours {ours}, printed {printed.show(printed.value)}"
        if not at_paper_scale:
            return Judgement(Verdict.NOT_COMPARABLE, f"smaller scale; {said}")
        same = ours.mean == printed.value
        return Judgement(Verdict.REPRODUCED if same else Verdict.DIFFERS, said)
    difference = ours.mean - printed.value
    if not at_paper_scale:
        return Judgement(
            Verdict.NOT_COMPARABLE, f"smaller scale; ours - printed = {difference:+.3g}"
        )
    if printed.spread is None:
        tolerance = printed.half_unit + prediction_tolerance(ours)
        note = f"; printed as one run, {ours.n} of ours"
    else:
        deviation = spread == "standard_deviation"
        printed_error = printed.spread / math.sqrt(printed_seeds) if deviation else printed.spread
        theirs = Measured(printed.value, printed_error, printed_seeds)
        tolerance = printed.half_unit + difference_tolerance(ours, theirs)
        note = "; printed ± read as standard error" if spread == "unstated" else ""
    verdict = Verdict.REPRODUCED if abs(difference) <= tolerance else Verdict.DIFFERS
    return Judgement(
        verdict, f"ours - printed = {difference:+.3g}, tolerance {tolerance:.3g}{note}"
    )


def judge_recomputed(printed: Printed, value: float, how: str) -> Judgement:
    """Whether a number that follows from definitions rounds to the printed one."""
    agrees = abs(value - printed.value) <= printed.half_unit * (1 + 1e-9)
    verdict = Verdict.RECOMPUTED_OK if agrees else Verdict.INCONSISTENT
    return Judgement(verdict, f"recomputed {printed.show(value)}; {how}")


def prediction_tolerance(ours: Measured) -> float:
    """Half width of the 95 % interval for one more run, from the spread of ours (Student's t).

    Example:
        >>> round(prediction_tolerance(Measured.of([1.0, 2.0, 3.0])), 2)
        4.97
    """
    from scipy.stats import t  # slow to import, and the DAG is built with this module

    if ours.standard_error is None:
        return 0.0
    deviation = ours.standard_error * math.sqrt(ours.n)
    return float(t.ppf(0.975, ours.n - 1)) * deviation * math.sqrt(1 + 1 / ours.n)


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
