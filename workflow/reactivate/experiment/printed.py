"""Numbers printed in the papers, kept exactly as printed."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

PRINTED = re.compile(r"(?P<value>-?\d+(?:\.\d+)?)(?:±(?P<spread>\d+(?:\.\d+)?))?(?P<unit>[KMG%]?)")
UNITS = {"": 1.0, "%": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
FRACTION = re.compile(r"-?\d+/[1-9]\d*")
EXACT = 1e-12  # what rounding may take from an exact number
TICKS = {"✓": 1.0, "×": 0.0}
NEVER = "–"  # an epoch that is not reached


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
        """Another value as text, in the unit of the printed number and with two digits more.

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
