"""Pictures of GmP Figures 1, 5 and 6: characteristic boundaries of single ReLU units."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.curves import LOOKS

BOUNDARY, UNIT, ACTIVE, INACTIVE = "#a0622d", "#1f6fb4", "#2a9d62", "#c8443c"
REACH = 2.6  # inputs that are shown
WINDOW = 1.6  # of the perturbed units
DASHES = {"sp": "-", "wn": "--", "gmp": "-"}  # SP and WN almost coincide
SIDES = [
    Line2D([], [], color=ACTIVE, lw=2, label="active side"),
    Line2D([], [], color=INACTIVE, lw=2, label="inactive side"),
]
ANGLES = {0.0: "0", 1.0: "π", 0.25: "π/4", 0.75: "3π/4"}  # by multiples of pi


def figure1(frame: pd.DataFrame) -> Figure:
    """A unit in the plane, and how its boundary moves under growing perturbations."""
    figure = Figure(figsize=(11.5, 2.95), layout="constrained")
    grid = figure.subplots(1, 5)
    draw_plane(grid[0], frame[frame["panel"] == "a"].iloc[0])
    grid[0].set_title("(a) boundary and location", fontsize=10)
    shown = frame[frame["draw"] == 0]
    before = shown[shown["parameterization"] == "unperturbed"].iloc[0]
    parts = list(shown[shown["epsilon"] > 0].groupby("epsilon"))
    for axis, letter, (epsilon, part) in zip(grid[1:], "bcde", parts, strict=True):
        _draw_boundary(
            axis, before, {"color": BOUNDARY, "linewidth": 5, "alpha": 0.6, "zorder": 1}
        )
        for row in part.itertuples():
            look = LOOKS[str(row.parameterization)]
            style = {"color": look.colour, "linewidth": 1.6, "zorder": 3}
            _draw_boundary(axis, row, style, DASHES[str(row.parameterization)])
        axis.plot(0, 0, "o", color="black", markersize=4)
        _plane(axis, WINDOW)
        axis.set_title(f"({letter}) ε = {epsilon:g}", fontsize=10)
    figure.legend(handles=_lines(), loc="outside lower center", ncols=8, frameon=False, fontsize=8)
    return figure


def _lines() -> list[Line2D]:
    lines = [Line2D([], [], color=BOUNDARY, lw=5, alpha=0.6, label="boundary before")]
    for name, dashes in DASHES.items():
        look = LOOKS[name]
        lines.append(
            Line2D([], [], color=look.colour, ls=dashes, label=f"{look.label}, perturbed")
        )
    lines.append(Line2D([], [], color="#777777", ls=":", label="0 to location φ"))
    return [*lines, Line2D([], [], color=UNIT, label="u(θ)"), *SIDES]


def _draw_boundary(axis: Axes, row: Any, style: dict[str, Any], dashes: str = "-") -> None:
    """The line through the location that stands on its direction."""
    x1, x2 = row.location1, row.location2
    u1, u2 = math.cos(row.theta), math.sin(row.theta)
    axis.axline((x1, x2), (x1 - u2, x2 + u1), linestyle=dashes, **style)
    axis.plot([0, x1], [0, x2], ":", **style)
    axis.plot(x1, x2, "o", color=style["color"], markersize=4, zorder=style["zorder"])


def figure5(frame: pd.DataFrame) -> Figure:
    """A unit with one input, by radius and angle."""
    figure = Figure(figsize=(7.6, 5.6), layout="constrained")
    grid = figure.subplots(2, 2, sharex=True, sharey=True).flat
    parts = frame.groupby(["offset", "theta"], sort=True)
    for axis, letter, (_, part) in zip(grid, "abcd", parts, strict=True):
        unit = part.iloc[0]
        draw_line(axis, part["x"], part["activation"], unit["location"], unit["theta"])
        condition = _condition(unit["theta"], unit["offset"])
        axis.set_title(f"({letter}) {condition}", fontsize=10)
    for axis in figure.axes:
        axis.label_outer()
    _legend(figure, Line2D([], [], color=UNIT, lw=2, label="z = ReLU(u(θ) x + λ)"))
    return figure


def figure6(frame: pd.DataFrame) -> Figure:
    """A unit with two inputs, by radius and angle."""
    figure = Figure(figsize=(6.4, 6.8), layout="constrained")
    grid = figure.subplots(2, 2, sharex=True, sharey=True).flat
    for axis, letter, (_, unit) in zip(grid, "abcd", frame.iterrows(), strict=True):
        draw_plane(axis, unit)
        condition = _condition(unit["theta"], unit["offset"])
        axis.set_title(f"({letter}) {condition}", fontsize=10)
    _legend(figure, Line2D([], [], color=UNIT, lw=1.4, label="u(θ)"))
    return figure


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
    _plane(axis, REACH)


def _plane(axis: Axes, reach: float) -> None:
    axis.set_xlim(-reach, reach)
    axis.set_ylim(-reach, reach)
    axis.set_aspect("equal")
    axis.set_xlabel("$x_1$")
    axis.set_ylabel("$x_2$", labelpad=0)
    axis.grid(alpha=0.25)


def _arrow(axis: Axes, tail: tuple[float, float], head: tuple[float, float], colour: str) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", head, tail, arrowprops=style)


def _condition(theta: float, offset: float) -> str:
    return f"θ = {ANGLES[round(theta / math.pi, 6)]}, λ = {offset:g}".replace("-", "−")


def _legend(figure: Figure, unit: Line2D) -> None:
    lines = [
        Line2D([], [], color=BOUNDARY, lw=2, label="boundary"),
        Line2D([], [], color=BOUNDARY, ls=":", lw=2.5, marker="o", label="0 to location φ"),
        unit,
        *SIDES,
    ]
    figure.legend(handles=lines, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
