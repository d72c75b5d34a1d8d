"""Draw networks with different defences: thesis Figures 6.1 to 6.4 and 6.6."""

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

from reactivate.documents.thesis.chapter6.looks import FIXED, FLOAT, looks

PATHS = {"fixed": FIXED, "float": FLOAT}
WORDS = {"document": "paths of Definition 8", "authors_code": "as in the author's program"}
BINS = 40
LETTERS = "abcdefgh"  # of panels
HALF = 0.36  # width of half a violin


def path_changes(numbers: pd.DataFrame) -> Figure:
    """Figure 6.1: cosine similarity to the label and length, by defence; a row per protocol."""
    protocols = list(dict.fromkeys(numbers["protocol"]))
    figure = Figure(figsize=(11.4, 3.6 * len(protocols) + 0.4), layout="constrained")
    grid = figure.subplots(len(protocols), 2, squeeze=False)
    for (direction, scale), protocol in zip(grid, protocols, strict=True):
        part = numbers[numbers["protocol"] == protocol]
        _draw_violins(direction, part, "cosine", np.linspace(-1, 1, BINS + 1))
        lengths = part[["norm_fixed", "norm_float"]].to_numpy()
        shortest = np.quantile(lengths[lengths > 0], 0.01) if (lengths > 0).any() else 0.1
        edges = np.geomspace(min(shortest, 0.1), max(lengths.max(), 1), BINS + 1)
        _draw_violins(scale, part, "norm", edges)
        scale.set_yscale("log")
        scale.axhline(1, color="#777777", linewidth=0.8, zorder=0)
        title = WORDS.get(protocol, protocol)
        direction.set_title(f"(a) cosine similarity to the label, {title}", fontsize=10)
        scale.set_title(f"(b) length of the change, {title}", fontsize=10)
    handles: list[Artist] = [
        Patch(color=colour, label=f"{name} paths") for name, colour in PATHS.items()
    ]
    handles.append(Line2D([], [], color="black", marker="_", ls="none", label="median"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return figure


def _draw_violins(
    axis: Axes, part: pd.DataFrame, quantity: str, edges: NDArray[np.float64]
) -> None:
    """For each defence the images by value: fixed paths to the left, float paths to the right."""
    named = looks(part["defence"])
    for place, defence in enumerate(named):
        own = part[part["defence"] == defence]
        for (name, colour), side in zip(PATHS.items(), (-1, 1), strict=True):
            values = own[f"{quantity}_{name}"].dropna()
            counts, _ = np.histogram(values.clip(edges[0], edges[-1]), edges)
            width = side * HALF * counts / max(1, counts.max())
            axis.stairs(
                place + width,
                edges,
                baseline=place,
                orientation="horizontal",
                fill=True,
                color=colour,
                alpha=0.75,
            )
            if len(values):
                ends = (place, place + side * HALF)
                axis.plot(ends, [values.median()] * 2, color="black", linewidth=1.4)
    axis.set_xticks(range(len(named)), [look.label for look in named.values()], fontsize=8)
    axis.set_ylim(edges[0], edges[-1])
    axis.grid(axis="y", alpha=0.25)


def float_by_layer(numbers: pd.DataFrame) -> Figure:
    """Figure 6.2: share of float neurons by layer, a line per defence."""
    figure = Figure(figsize=(8.2, 4.2), layout="constrained")
    axis = figure.subplots()
    for name, look in looks(numbers["defence"]).items():
        line = numbers[numbers["defence"] == name]
        axis.plot(
            line["layer"],
            line["float_share"],
            color=look.colour,
            label=look.label,
            marker="o",
            markersize=3.5,
            linewidth=1.4,
        )
    axis.set(xlabel="layer", ylabel="float neurons", ylim=(0, None))
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axis.grid(alpha=0.25)
    figure.legend(loc="outside right center", frameon=False)
    return figure


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
        Line2D([], [], color=look.colour, marker="o", ls="none", markersize=5, label=look.label)
        for look in looks(numbers["defence"]).values()
    ]
    figure.legend(handles=handles, loc="outside right center", frameon=False)
    return figure


def fixed_under_noise(numbers: pd.DataFrame) -> Figure:
    """Figure 6.6: images by their share of fixed neurons, a panel per noise."""
    sigmas = sorted(numbers["sigma"].unique())
    named = looks(numbers["defence"])
    figure = Figure(figsize=(4.9 * len(sigmas) + 1.7, 3.8), layout="constrained")
    grid = figure.subplots(1, len(sigmas), squeeze=False, sharex=True, sharey=True)[0]
    edges = np.linspace(min(0.5, float(numbers["fixed_share"].min())), 1, BINS + 1)
    for axis, sigma, letter in zip(grid, sigmas, LETTERS, strict=False):
        for name, look in named.items():
            own = numbers[(numbers["defence"] == name) & (numbers["sigma"] == sigma)]
            counts, _ = np.histogram(own["fixed_share"], edges)
            axis.stairs(counts / max(1, len(own)), edges, color=look.colour, fill=True, alpha=0.3)
            axis.stairs(counts / max(1, len(own)), edges, color=look.colour, linewidth=1.4)
            axis.axvline(own["fixed_share"].mean(), color=look.colour, linestyle=":")
        axis.set_title(f"({letter}) ε with standard deviation {sigma:g}", fontsize=10)
        axis.set_xlabel("fixed neurons")
        axis.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axis.grid(alpha=0.25)
    grid[0].set_ylabel("share of images")
    grid[0].yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    handles: list[Artist] = [Patch(color=look.colour, label=look.label) for look in named.values()]
    handles.append(Line2D([], [], color="#777777", linestyle=":", label="mean"))
    figure.legend(handles=handles, loc="outside right center", frameon=False)
    return figure
