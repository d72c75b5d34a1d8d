"""Picture of thesis Figure 5.2: pairs of images as networks see them."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import BLUE, GREY, RED, Look, look_of
from reactivate.documents.shared.replicates import first_of_each

MANY = 200  # pairs, from which on their dots are small
LABELS = {True: ("same label", RED, "^"), False: ("different labels", BLUE, "o")}


def pairs(numbers: pd.DataFrame) -> Figure:
    """A space per activation as printed, and where it was counted, the estimate's error."""
    numbers = first_of_each(numbers)
    names = list(dict.fromkeys(numbers["activation"]))
    counted = numbers.dropna(subset=["transitions_exact"])
    spaces = -(-len(names) // 2)
    heights = [4.2] * spaces + [3.6] * bool(len(counted))
    figure = Figure(figsize=(11.4, sum(heights) + 0.5))
    figure.subplots_adjust(left=0.08, right=0.97, top=0.98, bottom=1 / sum(heights), hspace=0.14)
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights)
    for place, name in enumerate(names):
        space = figure.add_subplot(grid[place // 2, place % 2], projection="3d")
        _draw_space(space, numbers[numbers["activation"] == name], look_of(name))
    if len(counted):
        _draw_counts(figure.add_subplot(grid[spaces, 0]), counted)
        _draw_flips(figure.add_subplot(grid[spaces, 1]), counted)
    handles = [
        Line2D([], [], color=colour, marker=marker, linestyle="none", label=label)
        for label, colour, marker in LABELS.values()
    ]
    figure.legend(handles=handles, loc="lower center", ncols=2, frameon=False)
    return figure


def _draw_space(space: Any, part: pd.DataFrame, look: Look) -> None:
    many = len(part) > MANY
    for same, (_, colour, marker) in LABELS.items():
        chosen = part[part["same_label"] == same]
        space.scatter(
            chosen["distance"],
            chosen["similarity"],
            chosen["transitions_printed"],
            color=colour,
            marker=marker,
            s=5 if many else 16,
            alpha=0.4 if many and not same else 0.9,
            depthshade=False,
            linewidths=0,
        )
    space.set_xlabel("prediction distance")
    space.set_ylabel("pattern similarity")
    space.set_zlabel("transition density (printed)")
    space.tick_params(labelsize=8)
    space.set_title(f"{look.label}, {len(part)} pairs", fontsize=10, y=0.99)
    space.view_init(elev=16, azim=-62)
    space.set_box_aspect((1.25, 1.25, 0.9), zoom=1.12)


def _draw_counts(axis: Axes, counted: pd.DataFrame) -> None:
    """Draws estimated against exact transitions; an estimate cannot exceed its steps."""
    _scatter(axis, counted, "transitions_exact", "transitions_printed")
    axis.set_xlabel("regions crossed, counted exactly")
    axis.set_ylabel("counted at the printed points")
    axis.set_title(f"{_named(counted)}: changes of the pattern", fontsize=10)


def _draw_flips(axis: Axes, counted: pd.DataFrame) -> None:
    _scatter(axis, counted, "flips_exact", "flips_sampled")
    longest = counted["flips_exact"].max()
    axis.plot([0, longest], [0, longest], color=GREY, linewidth=0.8, zorder=0)
    axis.set_xlabel("flips, counted exactly")
    axis.set_ylabel("counted at the printed points")
    axis.set_title(f"{_named(counted)}: changes of single neurons", fontsize=10)


def _scatter(axis: Axes, part: pd.DataFrame, x: str, y: str) -> None:
    for same, (_, colour, marker) in LABELS.items():
        chosen = part[part["same_label"] == same]
        axis.scatter(
            chosen[x], chosen[y], color=colour, marker=marker, s=6, alpha=0.5, linewidths=0
        )
    axis.set_xlim(left=0)
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.25)


def _named(part: pd.DataFrame) -> str:
    return ", ".join(look_of(name).label for name in part["activation"].unique())
