"""Pictures of GmP Figures 5 and 6: one ReLU unit on a line and in the plane."""

import math

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.gmp.units_picture import BOUNDARY, SIDES, UNIT, draw_line, draw_plane

ANGLES = {0.0: "0", 1.0: "π", 0.25: "π/4", 0.75: "3π/4"}  # by multiples of pi


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
