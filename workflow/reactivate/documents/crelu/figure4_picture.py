"""Picture of CReLU Figure 4: invariance scores by convolution."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import BLUE, GREY, ORANGE, PURPLE, RED
from reactivate.documents.shared.replicates import first_of_each
from reactivate.experiment.labels import label

LOOKS = {
    "relu": ("ReLU", BLUE, "o-"),
    "crelu": ("CReLU", RED, "s-"),
    "crelu_half": ("CReLU (half)", ORANGE, "^--"),
    "crelu_all": ("CReLU (all, halved)", PURPLE, "^--"),
}


def invariances(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset, a line per network; dotted where a max-pooling lies between layers."""
    numbers = first_of_each(numbers)
    names = list(dict.fromkeys(numbers["dataset"]))
    figure = Figure(figsize=(4.1 * len(names) + 0.3, 3.7), layout="constrained")
    panels = figure.subplots(1, len(names), squeeze=False)[0]
    for axis, name in zip(panels, names, strict=True):
        part = numbers[numbers["dataset"] == name]
        for network, own in part.groupby("network", sort=False):
            words, colour, style = LOOKS[str(network).removeprefix(f"{name}_")]
            axis.plot(own["layer"], own["score"], style, color=colour, markersize=4, label=words)
        _mark_pools(axis, part)
        data = part["data"].iloc[0]
        title = label(str(name))
        axis.set_title(
            title if data == name else f"{title} (stand-in: {label(str(data))})", fontsize=10
        )
        layers = sorted(set(part["layer"]))
        axis.set_xticks(layers, [f"conv{layer}" for layer in layers], fontsize=7.5)
        axis.set_ylim(0, 1.12 * part["score"].max())
        axis.grid(axis="y", alpha=0.25)
        axis.legend(frameon=False, fontsize=8)
    panels[0].set_ylabel("invariance score")
    return figure


def _mark_pools(axis: Axes, part: pd.DataFrame) -> None:
    first = part.groupby("pools")["layer"].min()
    for layer in first[first.index > 0]:
        axis.axvline(layer - 0.5, color=GREY, linestyle=":", linewidth=1, zorder=0)
