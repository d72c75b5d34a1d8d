"""A recomputed number of an exhibit."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """A number that was recomputed for one place of an exhibit."""

    row: str
    column: str
    value: float  # in base units: 25557032, not 25.6 (M); a tick is 1, a cross 0
    how: str  # how it was computed or counted, in a few words
