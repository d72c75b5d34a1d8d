"""Picture of reconstruction ratios beside the bound of Theorem 2.2."""

from itertools import product

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import BLUE, GREY, ORANGE
from reactivate.experiment.labels import label

COLOURS = {"learned": BLUE, "random": ORANGE}
MARKS = {"learned": "o", "random": "^"}


def beside_bound(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset and layer, a dot per image: above the line the bound fails."""
    datasets, layers = (list(dict.fromkeys(numbers[key])) for key in ("dataset", "layer"))
    panels = list(product(datasets, layers))
    figure = Figure(figsize=(3.3 * len(panels) + 0.4, 3.9), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axis, (dataset, layer) in zip(axes, panels, strict=True):
        part = numbers[(numbers["dataset"] == dataset) & (numbers["layer"] == layer)]
        _draw_ratios(axis, part)
        axis.set_title(f"{label(dataset)}, {label(layer)}", fontsize=10)
        axis.set_xlabel("bound of Theorem 2.2 (ratio of l2 norms)")
    ends = float(numbers["ratio"].min()), float(numbers["ratio"].max())
    room = 0.05 * (ends[1] - ends[0])
    axes[0].set_ylim(ends[0] - room, ends[1] + room)
    axes[0].set_ylabel("reconstruction ratio (of l2 norms)")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def _draw_ratios(axis: Axes, part: pd.DataFrame) -> None:
    for filters, dots in part.groupby("filters"):
        axis.scatter(
            dots["bound"],
            dots["ratio"],
            s=7,
            alpha=0.6,
            linewidths=0,
            color=COLOURS.get(str(filters)),
            marker=MARKS.get(str(filters)),
            label=f"{filters} filters",
        )
    axis.axline((1, 1), slope=1, color=GREY, linewidth=0.8, label="ratio = bound")
