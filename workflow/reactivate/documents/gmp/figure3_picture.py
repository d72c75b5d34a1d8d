"""Picture of GmP Figure 3: paths of boundaries in the plane, their turns, and the classes."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.gmp.trials_picture import ORDER, draw_largest, scores_of_shown
from reactivate.documents.shared.looks import BLUE, DASHES, ORANGE, PALETTE

REACH = 3.0
CLASSES = BLUE, ORANGE


def figure3(frame: pd.DataFrame) -> Figure:
    """Paths of locations (a to h), largest turn (i), predictions (j to m)."""
    figure = Figure(figsize=(11.5, 12.8), layout="constrained")
    heights = [2.0, 0.8, 1.25]
    paths, turns, planes = figure.subfigures(3, 1, squeeze=False, height_ratios=heights)[:, 0]
    grid = paths.subplots(2, 4, sharex=True, sharey=True)
    letters = iter("abcdefgh")
    for row, rate in zip(grid, sorted(frame["rate"].dropna().unique(), reverse=True), strict=True):
        for axis, name in zip(row, ORDER, strict=True):
            _draw_paths(axis, frame, name, rate)
            axis.set_title(f"({next(letters)}) {LOOKS[name].label}, rate {rate:g}", fontsize=10)
    _draw_turns(turns.subplots(), frame)
    for letter, axis, name in zip("jklm", planes.subplots(1, 4, sharey=True), ORDER, strict=True):
        _draw_predictions(axis, frame, name)
        axis.set_title(f"({letter}) {_title(frame, name)}", fontsize=10)
    planes.legend(handles=_marks(), loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


def _marks() -> list[Line2D]:
    words = "class −1", "class 1"
    return [
        *(
            Line2D([], [], ls="", marker=".", color=c, label=w)
            for w, c in zip(words, CLASSES, strict=True)
        ),
        Line2D([], [], color="black", lw=2.2, label="predicted boundary of the classes"),
        Line2D([], [], ls="", marker="*", color="red", markersize=9, label="locations of units"),
    ]


def _draw_paths(axis: Axes, frame: pd.DataFrame, name: str, rate: float) -> None:
    """The path of every unit's location, a colour each, its end marked."""
    rows = frame[(frame["quantity"] == "location") & (frame["parameterization"] == name)]
    rows = rows[rows["rate"] == rate]
    for number, (_, path) in enumerate(rows.groupby("unit")):
        colour, dashes = PALETTE[number % len(PALETTE)], DASHES[number // len(PALETTE)]
        places = path["x1"], path["x2"]
        axis.plot(*places, color=colour, linestyle=dashes, linewidth=1, marker="x", markersize=3)
        axis.plot(path["x1"].iloc[-1], path["x2"].iloc[-1], "o", color=colour, markersize=5)
    _plane(axis)


def _draw_turns(axis: Axes, frame: pd.DataFrame) -> None:
    """Draws panel (i): the largest turn of a direction at each step."""
    rows = draw_largest(axis, frame, "largest_turn", lambda degrees: f"{degrees:.0f}°")
    axis.set_title(f"(i) learning rate {rows['rate'].max():g} for all", fontsize=10)
    axis.set_ylabel("largest change of a direction (°)")
    axis.set_yscale("log")
    axis.set_ylim(rows["value"].min() / 2, 300)
    axis.yaxis.set_major_formatter("{x:g}")


def _title(frame: pd.DataFrame, name: str) -> str:
    rate, accuracies, accuracy = scores_of_shown(frame, name, "prediction", "test_accuracy")
    mean = f"mean of {len(accuracies)} seeds {100 * accuracies.mean():.1f} %"
    return f"{LOOKS[name].label}, rate {rate:g}\n{100 * accuracy:.1f} %, {mean}"


def _draw_predictions(axis: Axes, frame: pd.DataFrame, name: str) -> None:
    """Probabilities in the plane, the line between the classes, data and last locations."""
    own = frame[frame["parameterization"] == name]
    rows = own[own["quantity"] == "prediction"]
    plane = rows.pivot_table(index="x2", columns="x1", values="value")
    sides = plane.columns.to_numpy(), plane.index.to_numpy(), plane.to_numpy()
    axis.contourf(*sides, levels=np.linspace(0, 1, 11), cmap="RdBu_r", alpha=0.45)
    axis.contour(*sides, levels=[0.5], colors="black", linewidths=2.2)
    data = frame[frame["quantity"] == "training"]
    for value, colour in enumerate(CLASSES):
        part = data[data["value"] == value]
        axis.plot(part["x1"], part["x2"], ".", color=colour, markersize=2)
    paths = own[(own["quantity"] == "location") & (own["rate"] == rows["rate"].iloc[0])]
    last = paths[paths["step"] == paths["step"].max()]
    axis.plot(last["x1"], last["x2"], "*", color="red", markersize=9, markeredgecolor="white")
    _plane(axis)


def _plane(axis: Axes) -> None:
    axis.set_xlim(-REACH, REACH)
    axis.set_ylim(-REACH, REACH)
    axis.set_aspect("equal")
    axis.set_xlabel("$x_1$")
    axis.set_ylabel("$x_2$")
    axis.label_outer()
