"""Pictures of CReLU Figures 1, 2 and 5: filters in pairs, and how opposite pairs are."""

from math import ceil, floor, isqrt

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from numpy.typing import NDArray

from reactivate.documents.shared.looks import BLUE, RED
from reactivate.documents.shared.replicates import first_of_each
from reactivate.experiment.labels import label

TRAINED, RANDOM = BLUE, RED  # blue and red, as printed
BIN = 0.02  # of correlations
PAIRS_IN_A_ROW = 8
SPACE = 0.12  # between the two filters of a pair, in filters
PITCH = (2.6, 1.4)  # from pair to pair, across and down
INCH = 0.55  # of a filter
NAMES = {
    "baseline": "All-CNN, ReLU",
    "crelu_conv1_4": "All-CNN, CReLU\nin conv1–4",
    "crelu_all": "All-CNN, CReLU\neverywhere",
    "convpool": "ConvPool, ReLU",
    "convpool_crelu_half": "ConvPool, CReLU\n(half)",
}


def figure1(numbers: pd.DataFrame) -> Figure:
    """Each filter and its pairing filter next to each other, the most opposite pairs first.

    A filter is shown by its own largest entry: 0 is grey.
    """
    entries = numbers.drop(columns=["filter", "partner", "mu"]).to_numpy()
    side = isqrt(entries.shape[1] // 3)
    tiles = np.moveaxis(entries.reshape(len(entries), 3, side, side), 1, -1)
    tiles = 0.5 + 0.5 * tiles / np.abs(tiles).max(axis=(1, 2, 3), keepdims=True)
    across, down = PAIRS_IN_A_ROW * PITCH[0], ceil(len(numbers) / PAIRS_IN_A_ROW) * PITCH[1]
    figure = Figure(figsize=(INCH * across, INCH * down + 0.4), layout="constrained")
    axis = figure.subplots()
    ordered = numbers.sort_values("mu", kind="stable")
    for place, pair in enumerate(ordered[["filter", "partner", "mu"]].itertuples(index=False)):
        row, column = divmod(place, PAIRS_IN_A_ROW)
        _draw_pair(axis, column * PITCH[0], row * PITCH[1], tiles, pair)
    axis.set_xlim(-0.1, across)
    axis.set_ylim(down, -0.1)
    axis.set_aspect("equal")
    axis.axis("off")
    figure.suptitle(
        f"conv1 of AlexNet (torchvision's, one tower, {len(numbers)} filters): "
        "filter, pairing filter, and their correlation μ",
        fontsize=10,
    )
    return figure


def _draw_pair(
    axis: Axes, x: float, y: float, tiles: NDArray[np.float64], pair: tuple[int, int, float]
) -> None:
    for number, left in ((pair[0], x), (pair[1], x + 1 + SPACE)):
        axis.imshow(tiles[int(number)], extent=(left, left + 1, y + 1, y), interpolation="nearest")
    axis.text(x + 1 + SPACE / 2, y + 1.04, f"{pair[2]:.2f}", fontsize=7, ha="center", va="top")


def figure2(numbers: pd.DataFrame) -> Figure:
    """Histograms of AlexNet, a panel per layer: blue trained, red random."""
    layers = list(dict.fromkeys(numbers["layer"]))
    figure = Figure(figsize=(2.5 * len(layers), 2.7), layout="constrained")
    axes = figure.subplots(1, len(layers), squeeze=False, sharex=True)[0]
    bins = edges(numbers)
    for axis, layer in zip(axes, layers, strict=True):
        part = numbers[numbers["layer"] == layer]
        _draw_histograms(axis, part, bins)
        axis.set_title(f"{layer} ({len(part)} filters)", fontsize=9)
        axis.set_xlabel("μ", fontsize=9)
    axes[0].set_ylabel("share of filters", fontsize=9)
    _legend(figure, axes[0], "AlexNet (torchvision's, one tower)")
    return figure


def figure5(numbers: pd.DataFrame) -> Figure:
    """Histograms of our networks: a row per network, a column per layer."""
    numbers = first_of_each(numbers)
    networks = list(dict.fromkeys(numbers["network"]))
    layers = max((_layers(numbers, name) for name in networks), key=len)
    size = (1.25 * len(layers) + 1.2, 1.35 * len(networks) + 1.0)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(len(networks), len(layers), squeeze=False, sharex=True)
    bins = edges(numbers)
    for axes, name in zip(grid, networks, strict=True):
        for axis, layer in zip(axes, layers, strict=True):
            part = numbers[(numbers["network"] == name) & (numbers["layer"] == layer)]
            if len(part):
                _draw_histograms(axis, part, bins)
                axis.set_title(f"{layer} ({len(part)})", fontsize=7, pad=2)
            else:  # a network of fewer layers
                axis.remove()
        axes[0].set_ylabel(NAMES.get(name) or label(name), fontsize=7)
    for column in grid.T:
        lowest = [axis for axis in column if axis.figure is not None][-1]
        lowest.set_xlabel("μ", fontsize=7)
        lowest.tick_params(labelbottom=True)
        lowest.xaxis.set_major_locator(MultipleLocator(0.5))  # shared by all
    _legend(figure, grid[0, 0], "trained networks, in brackets the number of filters")
    return figure


def edges(numbers: pd.DataFrame) -> list[float]:
    """Edges of bins that hold every correlation; 0 is one of them."""
    shown = numbers[["trained", "random"]]
    low, high = floor(shown.min().min() / BIN), ceil(shown.max().max() / BIN)
    return [BIN * place for place in range(low - 1, max(high, 0) + 2)]


def _layers(numbers: pd.DataFrame, name: str) -> list[str]:
    return list(dict.fromkeys(numbers[numbers["network"] == name]["layer"]))


def _draw_histograms(axis: Axes, part: pd.DataFrame, bins: list[float]) -> None:
    weights = np.full(len(part), 1 / len(part))
    for column, colour, style, words in (
        ("random", RANDOM, ":", r"$\mu^r$, random"),
        ("trained", TRAINED, "-", r"$\mu^w$, trained"),
    ):
        axis.hist(
            part[column],
            bins,
            weights=weights,
            histtype="stepfilled",  # one shape, not one per bin
            facecolor=to_rgba(colour, 0.45),
            edgecolor=colour,
            linestyle=style,
            label=words,
        )
        axis.axvline(part[column].mean(), color=colour, linewidth=0.9, linestyle="--")
    axis.tick_params(labelsize=6)
    axis.grid(alpha=0.2)


def _legend(figure: Figure, axis: Axes, what: str) -> None:
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        title=f"{what}; dashed: means",
        title_fontsize=8,
        fontsize=8,
        loc="outside lower center",
        ncols=2,
        frameon=False,
    )
