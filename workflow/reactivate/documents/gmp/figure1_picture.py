"""Picture of GmP Figure 1: the boundary of a unit under growing perturbations."""

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.gmp.units_picture import BOUNDARY, SIDES, UNIT, draw_plane, set_plane
from reactivate.documents.shared.looks import GREY

WINDOW = 1.6  # of the perturbed units
DASHES = {"sp": "-", "wn": "--", "gmp": "-"}  # SP and WN almost coincide


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
        set_plane(axis, WINDOW)
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
    lines.append(Line2D([], [], color=GREY, ls=":", label="0 to location φ"))
    return [*lines, Line2D([], [], color=UNIT, label="u(θ)"), *SIDES]


def _draw_boundary(axis: Axes, row: Any, style: dict[str, Any], dashes: str = "-") -> None:
    """Draws the line through the location that stands on its direction."""
    x1, x2 = row.location1, row.location2
    u1, u2 = math.cos(row.theta), math.sin(row.theta)
    axis.axline((x1, x2), (x1 - u2, x2 + u1), linestyle=dashes, **style)
    axis.plot([0, x1], [0, x2], ":", **style)
    axis.plot(x1, x2, "o", color=style["color"], markersize=4, zorder=style["zorder"])
