"""Pictures of CReLU Figure 6: images from features, and ratios beside their bound."""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL

COLOURS = {"learned": "#1f6fb4", "random": "#d9822b"}
# of Tables S1 and S2: the convolution before each pooling
LAYERS = {"pool1": "conv2 (before pool1)", "pool2": "conv5 (before pool2)"}


def images(numbers: pd.DataFrame) -> Figure:
    """A row per network: the image, and its reconstructions from deeper and deeper features."""
    shown = numbers[numbers["from"] != MEAN_COLOUR]
    names, kinds = (list(dict.fromkeys(shown[key])) for key in ("network", "from"))
    figure = Figure(figsize=(2.3 * len(kinds), 2.75 * len(names)), layout="constrained")
    axes = figure.subplots(len(names), len(kinds), squeeze=False)
    for (row, name), (column, kind) in product(enumerate(names), enumerate(kinds)):
        axis = axes[row, column]
        part = shown[(shown["network"] == name) & (shown["from"] == kind)]
        axis.set_xticks([])
        axis.set_yticks([])
        if part.empty:
            axis.set_axis_off()
            continue
        axis.imshow(picture(part), interpolation="nearest")
        title = kind if kind == ORIGINAL else f"{kind}, ratio {part['ratio'].iloc[0]:.3f}"
        axis.set_title(title, fontsize=10)
        if column == 0:
            axis.set_ylabel(name)
    return figure


def picture(lines: pd.DataFrame) -> np.ndarray:
    """The pixels of a picture from its lines, ``(H, W, 3)``.

    Example:
        >>> picture(pd.DataFrame({"line": [0], "pixels": ["0000ffffffff"]})).tolist()
        [[[0, 0, 255], [255, 255, 255]]]
    """
    ordered = lines.sort_values("line")["pixels"]
    rows = [np.frombuffer(bytes.fromhex(str(text)), dtype=np.uint8) for text in ordered]
    return np.stack(rows).reshape(len(rows), -1, 3)


def beside_bound(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset and layer, a dot per image: above the line the bound fails."""
    datasets, layers = (list(dict.fromkeys(numbers[key])) for key in ("dataset", "layer"))
    panels = list(product(datasets, layers))
    figure = Figure(figsize=(3.3 * len(panels) + 0.4, 3.9), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axis, (dataset, layer) in zip(axes, panels, strict=True):
        part = numbers[(numbers["dataset"] == dataset) & (numbers["layer"] == layer)]
        _draw_ratios(axis, part)
        axis.set_title(f"{dataset}, {LAYERS.get(layer, layer)}", fontsize=10)
        axis.set_xlabel("bound of Theorem 2.2")
    ends = float(numbers["ratio"].min()), float(numbers["ratio"].max())
    room = 0.05 * (ends[1] - ends[0])
    axes[0].set_ylim(ends[0] - room, ends[1] + room)
    axes[0].set_ylabel("reconstruction ratio")
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
            label=f"{filters} filters",
        )
    axis.axline((1, 1), slope=1, color="#777777", linewidth=0.8, label="ratio = bound")
