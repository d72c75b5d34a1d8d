"""Pictures of thesis Figures 6.3 and 6.4: local Lipschitz constants, by defence."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.replicates import first_of_each
from reactivate.documents.thesis.chapter6.looks import LETTERS, looks


def distances(numbers: pd.DataFrame) -> Figure:
    """Figure 6.3: mean and variance of the prediction distance against the mean constant."""
    labels = {
        "distance_mean": "mean of the prediction distance",
        "distance_variance": "variance of the prediction distance",
    }
    return _scatters(numbers, labels)


def constants(numbers: pd.DataFrame) -> Figure:
    """Figure 6.4: variance of the constant against its mean."""
    return _scatters(numbers, {"lipschitz_variance": "variance of the local Lipschitz constant"})


def _scatters(numbers: pd.DataFrame, labels: dict[str, str]) -> Figure:
    """A panel per quantity, against the mean constant; both axes logarithmic, a dot per image."""
    numbers = first_of_each(numbers)
    figure = Figure(figsize=(4.9 * len(labels) + 1.5, 4.3), layout="constrained")
    grid = figure.subplots(1, len(labels), squeeze=False)[0]
    for axis, (quantity, label), letter in zip(grid, labels.items(), LETTERS, strict=False):
        positive = numbers[(numbers["lipschitz_mean"] > 0) & (numbers[quantity] > 0)]
        for name, look in looks(numbers["defence"]).items():
            part = positive[positive["defence"] == name]
            axis.scatter(
                part["lipschitz_mean"],
                part[quantity],
                color=look.colour,
                marker=look.marker,
                s=9,
                alpha=0.6,
                linewidths=0,
            )
        if len(positive):
            axis.set(xscale="log", yscale="log")
        axis.set_xlabel("mean of the local Lipschitz constant")
        axis.set_ylabel(label)
        axis.set_title(f"({letter})" if len(labels) > 1 else "", fontsize=10)
        axis.tick_params(which="minor", labelsize=6)
        axis.grid(alpha=0.25)
    handles = [
        Line2D([], [], color=look.colour, marker=look.marker, ls="none", label=look.label)
        for look in looks(numbers["defence"]).values()
    ]
    figure.legend(handles=handles, loc="outside right center", frameon=False)
    return figure
