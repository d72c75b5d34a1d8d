"""Pictures of thesis Figures 3.19 to 3.22: neurons of the toy model, and its loss."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import BLUE, GREY, RED

OBJECTIVE, PREDICTION = RED, BLUE  # red and blue, as the thesis says
NEURONS = (
    *("#ff7f0e", "#e377c2", "#8c564b", "#9467bd", "#2ca02c"),
    *("#7f7f7f", "#bcbd22", "#17becf", "#f2b134", "#5d3a6b"),
)
ROWS = {
    "contribution": "prediction and\ncontribution of neurons",
    "weight_gradient": "dL/dW of a sample",
    "bias_gradient": "dL/db of a sample",
}
ACTIVATIONS = {"sigmoid": "(a) Sigmoid", "relu": "(b) ReLU"}


def neurons(frame: pd.DataFrame) -> Figure:
    """A column for every model and epoch: the fit, and below it the gradients of its samples."""
    frame = frame[frame["part"] == "neuron"]
    columns = list(frame.groupby(["model", "epoch"], sort=False))
    figure = Figure(figsize=(2.9 * len(columns) + 0.6, 7.0), layout="constrained")
    grid = figure.subplots(len(ROWS), len(columns), squeeze=False, sharex=True)
    letters = dict(zip(frame["model"].unique(), "abc", strict=False))
    for axes, ((model, epoch), part) in zip(grid.T, columns, strict=True):
        for axis, quantity in zip(axes, ROWS, strict=True):
            _draw_neurons(axis, part, quantity)
        first = part.iloc[0]
        axes[0].plot("x", "objective", data=part[part["neuron"] == 1], color=OBJECTIVE, lw=2.2)
        axes[0].plot("x", "prediction", data=part[part["neuron"] == 1], color=PREDICTION, lw=2.2)
        axes[0].set_title(
            f"({letters[model]}) {model}, {epoch} epochs\nmedian of {first['repeats']} "
            f"networks: loss {first['loss']:.3g}",
            fontsize=9,
        )
        axes[-1].set_xlabel("x")
    for axis, label in zip(grid[:, 0], ROWS.values(), strict=True):
        axis.set_ylabel(label)
    lines = {"objective": (OBJECTIVE, 2.2), "prediction": (PREDICTION, 2.2)}
    lines |= {f"neuron {i}": (colour, 1.1) for i, colour in enumerate(NEURONS, 1)}
    handles = [Line2D([], [], color=c, lw=width, label=t) for t, (c, width) in lines.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=6, fontsize=9, frameon=False)
    return figure


def _draw_neurons(axis: Axes, part: pd.DataFrame, quantity: str) -> None:
    """A line for every neuron."""
    for (_, line), colour in zip(part.groupby("neuron"), NEURONS, strict=True):
        axis.plot(line["x"], line[quantity], color=colour, linewidth=1.1)
    axis.axhline(0, color="#bbbbbb", linewidth=0.6, zorder=0)
    axis.grid(alpha=0.25)


def surfaces(frame: pd.DataFrame) -> Figure:
    """Mean loss over the initialization, as a surface above and as a map below."""
    figure = Figure(figsize=(8.8, 7.6), layout="constrained")
    frame = frame[frame["training"] == frame["training"].iloc[0]]
    colours = LogNorm(float(frame["mean_loss"].min()), float(frame["mean_loss"].max()))
    for place, (activation, title) in enumerate(ACTIVATIONS.items(), 1):
        chosen = frame[frame["activation"] == activation]
        loss = chosen.pivot(index="b", columns="w", values="mean_loss")
        solid: Any = figure.add_subplot(2, 2, place, projection="3d")  # axes of its own class
        w, b = np.meshgrid(loss.columns, loss.index)
        solid.plot_surface(w, b, loss.to_numpy(), cmap="viridis", norm=colours)
        solid.set(xlabel="w", ylabel="b", zlabel="mean loss", zlim=(0, loss.max().max()))
        solid.zaxis.set_rotate_label(False)
        solid.zaxis.label.set_rotation(90)
        solid.view_init(elev=28, azim=-125)
        repeats, epochs = chosen[["repeats", "epochs"]].iloc[0]
        solid.set_title(f"{title}, {repeats} networks each, {epochs} epochs", fontsize=10)
        _draw_map(figure.add_subplot(2, 2, place + 2), loss, colours)
    return figure


def _draw_map(axis: Axes, loss: pd.DataFrame, colours: LogNorm) -> None:
    """The loss by colour, equal steps for the values of w and of b, and the line w = b."""
    cells = axis.imshow(loss, origin="lower", cmap="viridis", norm=colours, aspect="auto")
    axis.axline((0, 0), slope=1, color="white", linestyle="--", linewidth=1.2, label="w = b")
    axis.set_xticks(range(len(loss.columns)), loss.columns)
    axis.set_yticks(range(len(loss.index)), loss.index)
    axis.set(xlabel="w, of weights from U(-w, w)", ylabel="b, of biases from U(-b, b)")
    axis.legend(loc="upper right", fontsize=9, facecolor=GREY, labelcolor="white")
    axis.figure.colorbar(cells, ax=axis, label="mean loss")
