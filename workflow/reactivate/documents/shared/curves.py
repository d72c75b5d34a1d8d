"""Accuracy and loss over epochs: thesis Figures 3.3 to 3.6, IIEU Figures 1 and 2, GmP Figure 4."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

PLACE = ["row", "column", "protocol"]
FEW_EPOCHS = 10  # up to which every epoch is marked


@dataclass(frozen=True)
class Look:
    """How the lines of an activation or a parameterization are drawn."""

    label: str
    colour: str
    width: float = 1.2


LOOKS = {
    "sigmoid": Look("Sigmoid", "#1f6fb4"),
    "tanh": Look("Tanh", "#d9822b"),
    "relu": Look("ReLU", "#444444"),
    "gelu": Look("GELU", "#2a9d62"),
    "leaky_relu": Look("Leaky ReLU", "#a0a0a0"),
    "silu": Look("SiLU", "#9acd5c"),
    "swish": Look("Swish", "#7a8b1f"),
    "elu": Look("ELU", "#8fd3d1"),
    "softplus": Look("Softplus", "#17808c"),
    "pserf": Look("Pserf", "#7fb2e5"),
    "mish": Look("Mish", "#1f4e9c"),
    "acon_c": Look("ACON-C", "#c79be0"),
    "meta_acon": Look("Meta-ACON", "#7a3fb0"),
    "smu1": Look("SMU-1", "#e8b04a"),
    "smu": Look("SMU", "#9a5b1e"),
    "iieu_b": Look("IIEU-B", "#f0526b", 2.4),
    "iieu_dc": Look("IIEU-DC", "#b5001f", 2.4),
    "sp": Look("SP", "#444444"),
    "wn": Look("WN", "#d9822b"),
    "wn_mbn": Look("WN+MBN", "#8a63b8"),
    "bn": Look("BN", "#1f6fb4"),
    "gmp": Look("GmP", "#c8443c"),
    "gmp_imn": Look("GmP+IMN", "#2a9d62", 2.0),  # "the green curve"
}
NETWORKS = {
    "vgg16": "(a) VGG16",
    "resnet34": "(b) ResNet34",
    "resnet14": "(a) ResNet-14",
    "resnet26": "(b) ResNet-26",
    "mobilenet_v2": "(c) MobileNetV2 0.17×",
    "shufflenet_v2": "(d) ShuffleNetV2 0.5×",
}


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    y_label: str
    numbers: pd.DataFrame
    by: str  # the column that tells lines apart
    dashes: dict[str, str]  # of each quantity that is drawn


def accuracy(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """Thesis Figures 3.3 to 3.6: training and validation accuracy, a panel per network."""
    dashes = {"train_top1": "--", "test_top1": "-"}
    numbers = means(histories, list(dashes))
    panels = [
        Panel(title, "accuracy (%)", part, "column", dashes) for title, part in _networks(numbers)
    ]
    figure = draw([panels])
    figure.axes[0].set_ylim(0, 100)
    words = ("training accuracy", "validation accuracy")
    styles = zip(words, dashes.values(), strict=True)
    add_legend(figure, [Line2D([], [], color="#777777", ls=s, label=word) for word, s in styles])
    return numbers, figure


def convergence(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """IIEU Figures 1 and 2: Top-1 accuracy above training loss, networks side by side."""
    words = {"test_top1": "Top-1 accuracy (%)", "train_loss": "training loss"}
    numbers = means(histories, list(words))
    networks = _networks(numbers)
    figure = draw(
        [
            [Panel(title, word, part, "column", {quantity: "-"}) for title, part in networks]
            for quantity, word in words.items()
        ]
    )
    add_legend(figure)
    return numbers, figure


def top5(histories: pd.DataFrame) -> tuple[pd.DataFrame, Figure]:
    """GmP Figure 4: top-5 training accuracy beside top-5 validation accuracy."""
    titles = {"train_top5": "top-5 training accuracy", "test_top5": "top-5 validation accuracy"}
    numbers = means(histories, list(titles))
    panels = [
        Panel(title, "accuracy (%)", numbers, "row", {quantity: "-"})
        for quantity, title in titles.items()
    ]
    figure = draw([panels])
    add_legend(figure)
    return numbers, figure


def _networks(numbers: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Title and numbers of each network, which are the rows of the exhibit."""
    parts = numbers.groupby("row", sort=False)
    return [(NETWORKS.get(str(row), str(row)), part) for row, part in parts]


def means(histories: pd.DataFrame, quantities: list[str]) -> pd.DataFrame:
    """Mean over seeds and standard error (``_se``) of quantities, by cell and epoch.

    A run that ended before others of its cell keeps its last values: its network is what it was.
    The mean of values that are not all finite is empty, as is the standard error of one seed.

    Args:
        histories: Epochs of all runs: row, column, protocol, seed, epoch and the quantities.
        quantities: Columns to average.
    """
    parts = []
    for place, cell in histories.groupby(PLACE, sort=False):
        epochs = pd.Index(sorted(cell["epoch"].unique()))
        runs = [
            run.set_index("epoch")[quantities].reindex(epochs, method="ffill")
            for _, run in cell.groupby("seed")
        ]
        values = np.stack(runs)  # (seeds, epochs, quantities)
        values[~np.isfinite(values)] = np.nan
        errors = np.full_like(values[0], np.nan)
        if len(runs) > 1:
            errors = values.std(axis=0, ddof=1) / sqrt(len(runs))
        columns = {**dict(zip(PLACE, place, strict=True)), "seeds": len(runs), "epoch": epochs}
        for name, mean, error in zip(quantities, values.mean(axis=0).T, errors.T, strict=True):
            columns |= {name: mean, f"{name}_se": error}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def draw(panels: list[list[Panel]]) -> Figure:
    """A figure of panels; they share the epochs, and in a row what is measured."""
    height, width = len(panels), len(panels[0])
    figure = Figure(figsize=(4.3 * width, 3.0 * height + 0.8), layout="constrained")
    grid = figure.subplots(height, width, squeeze=False, sharex=True, sharey="row")
    longest = max(int(panel.numbers["epoch"].max()) for row in panels for panel in row)
    for axes, row in zip(grid, panels, strict=True):
        for axis, panel in zip(axes, row, strict=True):
            for quantity, dashes in panel.dashes.items():
                _draw_lines(axis, panel, quantity, dashes, longest)
            axis.grid(alpha=0.25)
        axes[0].set_ylabel(row[0].y_label)
    for axis, panel in zip(grid[0], panels[0], strict=True):
        axis.set_title(panel.title, fontsize=10)
    for axis in grid[-1]:
        axis.set_xlabel("epoch")
    axis.set_xlim(0, 1.03 * longest)
    axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    return figure


def _draw_lines(axis: Axes, panel: Panel, quantity: str, dashes: str, longest: int) -> None:
    """A line per name, with one standard error around it, and a cross where it ends early."""
    for name, line in panel.numbers.groupby(panel.by, sort=False):
        look = LOOKS.get(str(name), Look(str(name), "#777777"))
        ended_early = len(line) < longest
        marked = range(len(line) if longest <= FEW_EPOCHS else 0)
        epochs, mean, error = (line[key] for key in ("epoch", quantity, f"{quantity}_se"))
        axis.plot(
            epochs,
            mean,
            dashes,
            color=look.colour,
            linewidth=look.width,
            zorder=2 + look.width,  # the emphasised ones above the others
            marker="X" if ended_early else "o",
            markersize=7 if ended_early else 2 + look.width,
            markevery=[len(line) - 1] if ended_early else list(marked),
            label=look.label,
        )
        if error.notna().any():
            axis.fill_between(
                epochs, mean - error, mean + error, color=look.colour, alpha=0.2, linewidth=0
            )


def add_legend(figure: Figure, further: Iterable[Line2D] = ()) -> None:
    """One entry per line that is drawn anywhere, and further ones, below the panels."""
    lines = {line.get_label(): line for axis in figure.axes for line in axis.get_lines()}
    handles = [
        Line2D([], [], color=s.get_color(), lw=s.get_linewidth(), label=t)
        for t, s in lines.items()
    ]
    width = figure.get_size_inches()[0]
    figure.legend(
        handles=[*handles, *further],
        loc="outside lower center",
        ncols=int(width / 1.4),
        fontsize=9,
        frameon=False,
    )
