"""GmP Figures 5 and 6: one ReLU unit on a line and in the plane, by angle and offset."""

import math

import pandas as pd

from reactivate.documents.gmp.units import units_in_the_plane, units_on_a_line

# The conditions are not printed: both signs of the radius, and for each direction of the line,
# or two of the plane, one angle.
ON_A_LINE = tuple((theta, offset) for offset in (-1.5, 1.5) for theta in (0.0, math.pi))
IN_THE_PLANE = tuple(
    (theta, offset) for offset in (-1.5, 1.5) for theta in (math.pi / 4, 3 * math.pi / 4)
)


def figure5() -> pd.DataFrame:
    """A unit with one input under different conditions of its radius and angle."""
    return units_on_a_line(ON_A_LINE)


def figure6() -> pd.DataFrame:
    """A unit with two inputs under different conditions of its radius and angle."""
    return units_in_the_plane(IN_THE_PLANE)
