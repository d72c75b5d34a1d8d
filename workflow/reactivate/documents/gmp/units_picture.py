"""One ReLU unit drawn: its activation, boundary, location, direction and sides."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import BLUE, GREEN, PURPLE, RED

BOUNDARY, UNIT, ACTIVE, INACTIVE = PURPLE, BLUE, GREEN, RED
REACH = 2.6  # inputs that are shown
SIDES = [
    Line2D([], [], color=ACTIVE, lw=2, label="active side"),
    Line2D([], [], color=INACTIVE, lw=2, label="inactive side"),
]


def draw_line(axis: Axes, x: pd.Series, z: pd.Series, location: float, theta: float) -> None:
    """Activation of a unit with one input, its boundary and its two sides."""
    axis.plot(x, z, color=UNIT, linewidth=2)
    axis.axvline(location, color=BOUNDARY, linewidth=2)
    axis.plot(location, 0, "o", color=BOUNDARY, markersize=6, zorder=4)
    axis.plot([0, location], [0, 0], ":", color=BOUNDARY, linewidth=3, zorder=4)
    place = 4 if location < 0 else -66  # towards 0
    label = "φ = −λu(θ)"
    axis.annotate(label, (location, 0), (place, -14), textcoords="offset points", fontsize=9)
    towards = math.cos(theta)
    for sign, colour in ((towards, ACTIVE), (-towards, INACTIVE)):
        _arrow(axis, (location, 1.2), (location + sign, 1.2), colour)
    axis.axhline(0, color="#999999", linewidth=0.8)
    axis.axvline(0, color="#999999", linewidth=0.8)
    axis.set_xlim(-REACH, REACH)
    axis.set_ylim(-0.7, 3.2)
    axis.set_xlabel("input x")
    axis.set_ylabel("activation z")


def draw_plane(axis: Axes, unit: pd.Series) -> None:
    """Boundary of a unit with two inputs, its location, direction and two sides.

    Args:
        axis: Where.
        unit: Angle ``theta`` and the location's coordinates.
    """
    u1, u2 = math.cos(unit["theta"]), math.sin(unit["theta"])
    x1, x2 = unit["location1"], unit["location2"]
    axis.axline((x1, x2), (x1 - u2, x2 + u1), color=BOUNDARY, linewidth=2)
    axis.plot([0, x1], [0, x2], ":", color=BOUNDARY, linewidth=2.5)
    axis.plot(x1, x2, "o", color=BOUNDARY, markersize=6)
    away = 16 * math.copysign(u1, x1) - 4, 16 * math.copysign(u2, x2) - 4
    axis.annotate("φ", (x1, x2), away, textcoords="offset points", fontsize=11)
    for shift in (-1.3, 1.3):
        foot = x1 - shift * u2, x2 + shift * u1
        for sign, colour in ((0.8, ACTIVE), (-0.8, INACTIVE)):
            _arrow(axis, foot, (foot[0] + sign * u1, foot[1] + sign * u2), colour)
    _arrow(axis, (0, 0), (u1, u2), UNIT)
    axis.plot(0, 0, "o", color="black", markersize=4)
    set_plane(axis, REACH)


def set_plane(axis: Axes, reach: float) -> None:
    axis.set_xlim(-reach, reach)
    axis.set_ylim(-reach, reach)
    axis.set_aspect("equal")
    axis.set_xlabel("$x_1$")
    axis.set_ylabel("$x_2$", labelpad=0)
    axis.grid(alpha=0.25)


def _arrow(axis: Axes, tail: tuple[float, float], head: tuple[float, float], colour: str) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", head, tail, arrowprops=style)
