"""Pictures of thesis Figures 5.4 to 5.6: pattern similarity over training, by every reading."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import look_of
from reactivate.documents.shared.replicates import first_of_each
from reactivate.documents.thesis.chapter5.pattern_readings import BREAKPOINTS, ENDINGS, SATURATED
from reactivate.experiment.labels import label

NETWORKS = {"fcnn": "FCNN", "vgg16": "VGG16"}
TITLES = {
    row + end: f"{name} {text}" for row, name in NETWORKS.items() for text, end in ENDINGS.items()
}


def similarity(numbers: pd.DataFrame) -> Figure:
    """Figures 5.4 to 5.6: a column per network, a row per set of breakpoints.

    ReLU and GELU have the one breakpoint 0 in every row. The last row is the prediction distance
    ± its deviation over pairs, which no breakpoint changes.
    """
    numbers = first_of_each(numbers)
    rows = list(dict.fromkeys(numbers["row"]))
    tried = [points for points in BREAKPOINTS if points in set(numbers["breakpoints"])]
    panels = tried or [""]  # without Sigmoid and Tanh there is one reading
    size = (4.0 * len(rows) + 0.4, 2.3 * (len(panels) + 1) + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(len(panels) + 1, len(rows), squeeze=False, sharex="col")
    for axes, row in zip(grid.T, rows, strict=True):
        own = numbers[numbers["row"] == row]
        for axis, points in zip(axes, panels, strict=False):
            chosen = ~own["column"].isin(SATURATED) | (own["breakpoints"] == points)
            _draw(axis, own[chosen], "similarity")
            axis.set_ylim(0, 1.02)
        _draw(axes[-1], own.drop_duplicates(["column", "step"]), "distance_mean")
        axes[0].set_title(TITLES.get(row) or label(row), fontsize=10)
        axes[-1].set_xlabel("training step")
    for axis, points in zip(grid[:, 0], panels, strict=False):
        breakpoints = f"\nbreakpoints {points}" if points else ""
        axis.set_ylabel(f"pattern similarity{breakpoints}", fontsize=9)
    grid[-1, 0].set_ylabel("prediction distance", fontsize=9)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return figure


def _draw(axis: Axes, numbers: pd.DataFrame, quantity: str) -> None:
    """One line per activation; a distance with its deviation over pairs around it."""
    for name, part in numbers.groupby("column", sort=False):
        look = look_of(str(name))
        marker = look.marker if len(part) < 9 else ""
        axis.plot(
            part["step"],
            part[quantity],
            marker=marker,
            markersize=4,
            label=look.label,
            **look.line,
        )
        if quantity == "distance_mean":
            spread = part["distance_variance"] ** 0.5
            low, high = part[quantity] - spread, part[quantity] + spread
            axis.fill_between(part["step"], low, high, color=look.colour, alpha=0.1)
    axis.grid(alpha=0.25)
