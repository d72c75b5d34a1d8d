"""Accuracy and loss over epochs: means over seeds, and panels of lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from reactivate.documents.shared.looks import LOOKS, Look, look_of
from reactivate.experiment.labels import label

PLACE = ["row", "column", "protocol"]
FEW_EPOCHS = 10  # up to which every epoch is marked


@dataclass(frozen=True)
class Panel:
    """Lines that are drawn on one pair of axes."""

    title: str
    y_label: str
    numbers: pd.DataFrame
    by: str  # the column that tells lines apart
    dashes: dict[str, str]  # the quantities that are drawn, and the line style of each


def means(histories: pd.DataFrame, quantities: list[str]) -> pd.DataFrame:
    """Mean over seeds and standard error (``_se``) of quantities, by cell and epoch.

    A run that ended before others of its cell keeps its last values: its network is what it was.
    The mean of values that are not all finite is empty, as is the standard error of one seed.

    Args:
        histories: Epochs of all runs: row, column, protocol, seed, epoch and the quantities.
        quantities: Columns to average.
    """
    parts = []
    for place, cell in histories.groupby(PLACE, sort=False):
        epochs = pd.Index(sorted(cell["epoch"].unique()))
        runs = [
            run.set_index("epoch")[quantities].reindex(epochs, method="ffill")
            for _, run in cell.groupby("seed")
        ]
        values = np.stack(runs)  # (seeds, epochs, quantities)
        values[~np.isfinite(values)] = np.nan
        errors = np.full_like(values[0], np.nan)
        if len(runs) > 1:
            errors = values.std(axis=0, ddof=1) / sqrt(len(runs))
        columns = {**dict(zip(PLACE, place, strict=True)), "seeds": len(runs), "epoch": epochs}
        for name, mean, error in zip(quantities, values.mean(axis=0).T, errors.T, strict=True):
            columns |= {name: mean, f"{name}_se": error}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def panels_by_network(
    numbers: pd.DataFrame, titles: Mapping[str, str], y_label: str, dashes: dict[str, str]
) -> list[Panel]:
    """A panel for each network, the rows of the exhibit, with a line for each of its columns.

    Args:
        numbers: Means by row, column and epoch.
        titles: What is written above the panel of a network, by its name.
        y_label: What is measured.
        dashes: The quantities that are drawn, and the line style of each.
    """
    parts = numbers.groupby("row", sort=False)
    return [
        Panel(titles.get(str(row)) or label(str(row)), y_label, part, "column", dashes)
        for row, part in parts
    ]


def draw(panels: list[list[Panel]], looks: Mapping[str, Look] = LOOKS) -> Figure:
    """A figure of panels; all share the epochs, and those of a row what is measured.

    Args:
        panels: Rows of panels.
        looks: How the lines are drawn, by their names.
    """
    height, width = len(panels), len(panels[0])
    figure = Figure(figsize=(4.3 * width, 3.0 * height + 0.8), layout="constrained")
    grid = figure.subplots(height, width, squeeze=False, sharex=True, sharey="row")
    lengths = [max(int(panel.numbers["epoch"].max()) for panel in row) for row in panels]
    for axes, row, longest in zip(grid, panels, lengths, strict=True):
        for axis, panel in zip(axes, row, strict=True):
            for quantity in panel.dashes:
                _draw_lines(axis, panel, quantity, looks, longest)
            axis.grid(alpha=0.25)
        axes[0].set_ylabel(row[0].y_label)
    for axis, panel in zip(grid[0], panels[0], strict=True):
        axis.set_title(panel.title, fontsize=10)
    for axis in grid[-1]:
        axis.set_xlabel("epoch")
    axis.set_xlim(0, 1.03 * max(lengths))
    axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    return figure


def _draw_lines(
    axis: Axes, panel: Panel, quantity: str, looks: Mapping[str, Look], longest: int
) -> None:
    """Draws a line per name, one standard error around it, and a cross where it ends early."""
    for name, line in panel.numbers.groupby(panel.by, sort=False):
        look = look_of(str(name), looks)
        ended_early = len(line) < longest
        marked = range(len(line) if longest <= FEW_EPOCHS else 0)
        epochs, mean, error = (line[key] for key in ("epoch", quantity, f"{quantity}_se"))
        # where a panel has one quantity, dashes tell lines apart; else they tell quantities apart
        dashes = look.dashes if len(panel.dashes) == 1 else panel.dashes[quantity]
        axis.plot(
            epochs,
            mean,
            linestyle=dashes,
            color=look.colour,
            linewidth=look.width,
            zorder=2 + look.width,  # the emphasised ones above the others
            marker="X" if ended_early else look.marker,
            markersize=7 if ended_early else 2 + look.width,
            markevery=[len(line) - 1] if ended_early else list(marked),
            label=look.label,
        )
        if error.notna().any():
            axis.fill_between(
                epochs, mean - error, mean + error, color=look.colour, alpha=0.2, linewidth=0
            )


def add_legend(figure: Figure, further: Iterable[Line2D] = ()) -> None:
    """Adds a legend below the panels, with an entry per line that is drawn and further ones."""
    lines = {line.get_label(): line for axis in figure.axes for line in axis.get_lines()}
    handles = [
        Line2D([], [], color=s.get_color(), lw=s.get_linewidth(), ls=s.get_linestyle(), label=t)
        for t, s in lines.items()
    ]
    entries = [*handles, *further]
    most = int(figure.get_size_inches()[0] / 1.4)
    rows = ceil(len(entries) / most)
    figure.legend(
        handles=entries,
        loc="outside lower center",
        ncols=ceil(len(entries) / rows),  # rows of about the same length
        fontsize=9,
        frameon=False,
    )
