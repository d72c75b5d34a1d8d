"""Pictures of thesis Figures 3.7 to 3.18: layers over training."""

from collections.abc import Sequence

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import BLACK, look_of
from reactivate.documents.shared.replicates import first_of_each


def post_activations(numbers: pd.DataFrame) -> Figure:
    """Figure 3.7: a panel per activation, a line per layer."""
    return panels(numbers, "post-activation")


def pre_activations(numbers: pd.DataFrame) -> Figure:
    """Figures 3.11 and 3.12: pre-activations, a panel per activation."""
    return panels(numbers, "pre-activation")


def weights(numbers: pd.DataFrame) -> Figure:
    """Figures 3.13 and 3.14: mean absolute weights, a panel per activation."""
    return panels(numbers, "mean |w| of a neuron")


def gradients(numbers: pd.DataFrame) -> Figure:
    """Figures 3.15 and 3.16: mean absolute gradients, a panel per activation."""
    return panels(numbers, "mean |∂L/∂w| of a neuron")


def ratios(numbers: pd.DataFrame) -> Figure:
    """Figures 3.17 and 3.18: ratios of gradient and weight, a panel per activation."""
    return panels(numbers, "mean |∂L/∂w / w| of a neuron", logarithmic=True)


def panels(numbers: pd.DataFrame, quantity: str, logarithmic: bool = False) -> Figure:
    """A panel per activation; layers from light to dark, their variance shaded."""
    numbers = first_of_each(numbers)
    names = list(dict.fromkeys(numbers["column"]))
    layers = sorted(numbers["layer"].unique())
    width = min(len(names), 2)
    height = -(-len(names) // width)
    figure = Figure(figsize=(4.6 * width, 2.9 * height + 0.6), layout="constrained")
    grid = figure.subplots(height, width, squeeze=False, sharex=True, sharey=True)
    for axis, name in zip(grid.flat, names, strict=False):
        lines(axis, numbers[numbers["column"] == name], layers, "-", shaded=not logarithmic)
        axis.set_title(look_of(name).label, fontsize=10)
    if logarithmic:
        grid[0, 0].set_yscale("log")
    for axis in grid[-1]:
        axis.set_xlabel("training step")
    shaded = "" if logarithmic else "\n(shaded: ± variance over neurons)"
    for axis in grid[:, 0]:
        axis.set_ylabel(f"{quantity}{shaded}")
    legend(figure, layers)
    return figure


def together(numbers: pd.DataFrame, quantity: str, logarithmic: bool = True) -> Figure:
    """Sigmoid with solid and ReLU with dashed lines on the same axes."""
    numbers = first_of_each(numbers)
    layers = sorted(numbers["layer"].unique())
    figure = Figure(figsize=(8.4, 4.4), layout="constrained")
    axis = figure.subplots()
    styles = dict(zip(dict.fromkeys(numbers["column"]), ("-", "--", ":", "-."), strict=False))
    for name, style in styles.items():
        lines(axis, numbers[numbers["column"] == name], layers, style, shaded=False)
    if logarithmic:
        axis.set_yscale("log")
    axis.set_xlabel("training step")
    axis.set_ylabel(quantity)
    legend(figure, layers, _named(styles))
    return figure


def fcnn_weights(numbers: pd.DataFrame) -> Figure:
    """Figure 3.8: mean absolute weights of both networks."""
    return together(numbers, "mean |w| of a neuron", logarithmic=False)


def fcnn_gradients(numbers: pd.DataFrame) -> Figure:
    """Figure 3.9: mean absolute gradients of both networks."""
    return together(numbers, "mean |∂L/∂w| of a neuron")


def fcnn_ratios(numbers: pd.DataFrame) -> Figure:
    """Figure 3.10: the ratio above its variance over neurons."""
    numbers = first_of_each(numbers)
    layers = sorted(numbers["layer"].unique())
    figure = Figure(figsize=(8.4, 6.4), layout="constrained")
    axes = figure.subplots(2, 1, sharex=True)
    styles = dict(zip(dict.fromkeys(numbers["column"]), ("-", "--"), strict=False))
    for axis, what in zip(axes, ("mean", "variance"), strict=True):
        for name, style in styles.items():
            part = numbers[numbers["column"] == name]
            lines(axis, part, layers, style, shaded=False, what=what)
        axis.set_yscale("log")
        axis.set_ylabel(f"{what} over neurons of |∂L/∂w / w|")
    axes[-1].set_xlabel("training step")
    legend(figure, layers, _named(styles))
    return figure


def _named(styles: dict[str, str]) -> list[Line2D]:
    """Entries of a legend that tell activations apart by their line styles."""
    return [
        Line2D([], [], color=BLACK, ls=style, label=look_of(name).label)
        for name, style in styles.items()
    ]


def lines(
    axis: Axes,
    numbers: pd.DataFrame,
    layers: Sequence[int],
    style: str,
    shaded: bool,
    what: str = "mean",
) -> None:
    """Draws a line per layer, the variance over neurons shaded around it."""
    for layer, part in numbers.groupby("layer"):
        colour = _shade(int(str(layer)), layers)
        axis.plot(part["step"], part[what], style, color=colour, linewidth=1.0)
        if shaded:
            low, high = part["mean"] - part["variance"], part["mean"] + part["variance"]
            axis.fill_between(part["step"], low, high, color=colour, alpha=0.15, linewidth=0)
    axis.grid(alpha=0.25)


def legend(figure: Figure, layers: Sequence[int], further: Sequence[Line2D] = ()) -> None:
    """Adds a legend below the panels: layers by their colour, and what else is told apart."""
    named = [
        Line2D([], [], color=_shade(layer, layers), label=f"layer {layer}") for layer in layers
    ]
    figure.legend(
        handles=[*further, *named],
        loc="outside lower center",
        ncols=min(len(named) + len(further), int(figure.get_size_inches()[0] / 1.2)),
        fontsize=8,
        frameon=False,
    )


def _shade(layer: int, layers: Sequence[int]) -> tuple[float, float, float, float]:
    """Colour of a layer, from light to dark with depth."""
    place = list(layers).index(layer) / max(1, len(layers) - 1)
    return colormaps["viridis_r"](0.1 + 0.85 * place)
