"""Pictures of thesis Figures 5.8 to 5.10: neuron entropy over training and at its end."""

from math import log
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from reactivate.documents.shared.looks import DASHES, PALETTE, assigned
from reactivate.documents.shared.replicates import first_of_each

PARTS = {"train": "training images", "test": "validation images"}
GROUP = 3  # layers in a panel
FEWEST = 1e-4  # share of neurons that is still seen
LARGEST = log(2)  # entropy of two patterns


def by_batch_size(numbers: pd.DataFrame) -> Figure:
    """Figure 5.8: accuracies, then mean and variance of entropy in some layers, by batch."""
    numbers = first_of_each(numbers)
    kinds = ("entropy_mean", "entropy_variance")
    layers = list(dict.fromkeys(q.split()[-1] for q in numbers["quantity"] if " layer " in q))
    names: list[Any] = [  # two wide panels above as many narrow ones as there are layers
        ["train_top1"] * len(layers) + ["test_top1"] * len(layers),
        *([f"{kind} layer {layer}" for layer in layers for _ in range(2)] for kind in kinds),
    ]
    figure = Figure(figsize=(11.4, 8.2), layout="constrained")
    axes = figure.subplot_mosaic(names)
    batches = list(dict.fromkeys(numbers["column"]))
    looks = assigned(batches)
    steps = numbers[numbers["quantity"].str.contains(" layer ")].groupby("column")["step"].max()
    for quantity, axis in axes.items():
        for batch in batches:
            line = numbers[(numbers["quantity"] == quantity) & (numbers["column"] == batch)]
            x, y = line["step"], line["value"]
            if quantity.endswith("top1"):  # by epoch, of which runs of equal length have many
                x = x / x.max() * steps[batch]
            axis.plot(x, y, label=looks[batch].label, **looks[batch].line)
        _label(axis, quantity)
    handles, labels = next(iter(axes.values())).get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False)
    return figure


def _label(axis: Axes, quantity: str) -> None:
    axis.grid(alpha=0.25)
    axis.tick_params(labelsize=8)
    axis.set_xlabel("training step")
    words = {
        "train_top1": ("training accuracy", "accuracy (%)"),
        "test_top1": ("validation accuracy", "accuracy (%)"),
        "entropy_mean": ("mean of entropy", "nats"),
        "entropy_variance": ("variance of entropy", "nats²"),
    }
    kind, _, layer = quantity.partition(" ")
    title, unit = words[kind]
    axis.set_title(f"{title}, {layer}" if layer else title, fontsize=10)
    axis.set_ylabel(unit)


def at_the_end(numbers: pd.DataFrame) -> Figure:
    """Figure 5.9: share of neurons by entropy; a row per three layers, a column per part."""
    numbers = first_of_each(numbers)
    layers = sorted(numbers["layer"].unique())
    groups = [layers[start : start + GROUP] for start in range(0, len(layers), GROUP)]
    figure = Figure(figsize=(9.6, 2.2 * len(groups) + 0.5), layout="constrained")
    grid = figure.subplots(len(groups), 2, squeeze=False, sharex=True, sharey=True)
    for axes, group in zip(grid, groups, strict=True):
        for axis, (part, title) in zip(axes, PARTS.items(), strict=True):
            for place, layer in enumerate(group):
                chosen = numbers[(numbers["part"] == part) & (numbers["layer"] == layer)]
                _draw_distribution(axis, chosen, int(layer), place)
            axis.legend(
                fontsize=8,
                frameon=False,
                loc="upper center",
                ncols=GROUP,
                handlelength=1.2,
                columnspacing=1.2,
            )
            axis.grid(alpha=0.25)
            axis.set_title(f"layers {group[0]} to {group[-1]}, {title}", fontsize=9)
        axes[0].set_ylabel("share of neurons")
    grid[0, 0].set_yscale("log")
    grid[0, 0].set_ylim(FEWEST, 6)
    for axis in grid[-1]:
        axis.set_xlabel("neuron entropy (nats)")
    return figure


def _draw_distribution(axis: Axes, part: pd.DataFrame, layer: int, place: int) -> None:
    edges = [*part["entropy_from"], part["entropy_to"].iloc[-1]]
    label = f"{layer}: {part['constant'].iloc[0]:.1%} at 0"
    shares = part["share"].clip(lower=FEWEST / 10)
    colour, dashes = PALETTE[place], DASHES[place]
    axis.stairs(shares, edges, label=label, edgecolor=colour, linestyle=dashes, linewidth=1.4)


def during_training(numbers: pd.DataFrame) -> Figure:
    """Figure 5.10: share of neurons by entropy and step, a panel per layer."""
    numbers = first_of_each(numbers)
    layers = sorted(numbers["layer"].unique())
    bins = [name for name in numbers.columns if name.startswith("bin")]
    edges = np.linspace(0, LARGEST, len(bins) + 1)
    rows = -(-len(layers) // 2)
    figure = Figure(figsize=(9.6, 3.0 * rows + 0.4), layout="constrained")
    grid = figure.subplots(rows, 2, squeeze=False, sharex=True, sharey=True)
    for axis in grid.flat[len(layers) :]:
        axis.remove()
    norm = LogNorm(FEWEST, 1)
    for axis, layer in zip(grid.flat, layers, strict=False):
        part = numbers[numbers["layer"] == layer].sort_values("step")
        shares = np.ma.masked_equal(part[bins].to_numpy(), 0)  # white
        ends = np.append(part["step"], part["step"].iloc[-1] + _step(part["step"]))
        axis.pcolormesh(ends, edges, shares.T, norm=norm, cmap="magma_r", rasterized=True)
        axis.set_title(f"layer {layer}", fontsize=10)
    for axis in grid[-1]:
        axis.set_xlabel("training step")
    for axis in grid[:, 0]:
        axis.set_ylabel("neuron entropy (nats)")
    scale = ScalarMappable(norm, "magma_r")
    bar = figure.colorbar(
        scale, ax=figure.axes, shrink=0.8, format=PercentFormatter(1, decimals=2)
    )
    bar.set_label("share of neurons (a column adds up to 100 %)")
    return figure


def _step(steps: pd.Series) -> float:
    """Steps between the last two records."""
    return float(steps.diff().iloc[-1]) if len(steps) > 1 else 1.0
