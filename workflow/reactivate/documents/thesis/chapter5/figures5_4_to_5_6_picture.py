"""Pictures of thesis Figures 5.4 to 5.6: pattern similarity over training."""

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import look_of

DASHED = {"tanh": "--", "gelu": "--"}  # they may lie on Sigmoid's and ReLU's lines
NETWORKS = {"fcnn": "FCNN", "vgg16": "VGG16", "resnet34": "ResNet34"}


def similarity(numbers: pd.DataFrame) -> Figure:
    """Figures 5.4 to 5.6: a column per network; below, the distance ± its deviation over pairs."""
    networks = list(dict.fromkeys(numbers["row"]))
    figure = Figure(figsize=(5.4 * len(networks) + 0.4, 6.2), layout="constrained")
    grid = figure.subplots(2, len(networks), squeeze=False, sharex="col")
    for axes, network in zip(grid.T, networks, strict=True):
        for name, part in numbers[numbers["row"] == network].groupby("column", sort=False):
            look, style = look_of(str(name)), DASHED.get(str(name), "-")
            drawn = {"color": look.colour, "ls": style, "marker": "." if len(part) < 9 else ""}
            axes[0].plot(part["step"], part["similarity"], label=look.label, **drawn)
            mean, spread = part["distance_mean"], part["distance_variance"] ** 0.5
            axes[1].plot(part["step"], mean, **drawn)
            axes[1].fill_between(
                part["step"], mean - spread, mean + spread, color=look.colour, alpha=0.1
            )
        axes[0].set_title(NETWORKS.get(network, network), fontsize=10)
        axes[0].set_ylim(0, 1.02)
        axes[1].set_xlabel("training step")
    grid[0, 0].set_ylabel("pattern similarity")
    grid[1, 0].set_ylabel("prediction distance")
    for axis in grid.flat:
        axis.grid(alpha=0.25)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return figure
