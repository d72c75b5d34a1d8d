"""Picture of reconstruction ratios beside the bound of Theorem 2.2."""

from itertools import product

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import BLUE, GREY, ORANGE
from reactivate.documents.shared.overlays import mark_at_end, printed_key
from reactivate.documents.shared.printed import printed_numbers
from reactivate.experiment.labels import label

COLOURS = {"learned": BLUE, "random": ORANGE}
MARKS = {"learned": "o", "random": "^"}
PRINTED = {"pool1": "conv2", "pool2": "conv5"}  # rows of Table 6: the convolutions before them


def beside_bound(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset and layer, a dot per image: above the line the bound fails.

    Crosses are the means that Table 6 prints; those of CIFAR-100 are not in the text.
    """
    datasets, layers = (list(dict.fromkeys(numbers[key])) for key in ("dataset", "layer"))
    panels = list(product(datasets, layers))
    figure = Figure(figsize=(3.3 * len(panels) + 0.4, 3.9), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    seen = [float(numbers["ratio"].min()), float(numbers["ratio"].max())]
    for axis, (dataset, layer) in zip(axes, panels, strict=True):
        part = numbers[(numbers["dataset"] == dataset) & (numbers["layer"] == layer)]
        _draw_ratios(axis, part)
        axis.set_title(f"{label(dataset)}, {label(layer)}", fontsize=10)
        axis.set_xlabel("bound of Theorem 2.2 (ratio of l2 norms)")
        means = _printed_means(dataset, layer)
        mark_at_end(axis, means, COLOURS)
        seen += means.values()
    ends = min(seen), max(seen)
    room = 0.05 * (ends[1] - ends[0])
    axes[0].set_ylim(ends[0] - room, ends[1] + room)
    axes[0].set_ylabel("reconstruction ratio (of l2 norms)")
    handles = [*axes[0].get_legend_handles_labels()[0], printed_key("mean of Table 6")]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def _printed_means(dataset: str, layer: str) -> dict[str, float]:
    """Means of a dataset before a pooling, by filters, as far as they can be read."""
    cells = printed_numbers("crelu", "table6")[PRINTED[layer]]
    named = {filters: f"{dataset}_{filters}" for filters in COLOURS}
    return {filters: cells[name] for filters, name in named.items() if name in cells}


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
