"""Picture of thesis Figure 6.1: changes of fixed and float paths, by defence."""

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from reactivate.documents.shared.looks import GREY
from reactivate.documents.shared.replicates import first_of_each
from reactivate.documents.thesis.chapter6.looks import FIXED, FLOAT, looks
from reactivate.experiment.labels import label

PATHS = {"fixed": FIXED, "float": FLOAT}
WORDS = {"document": "paths of Definition 8", "authors_code": "as in the author's program"}
BINS = 40
HALF = 0.36  # width of half a violin


def path_changes(numbers: pd.DataFrame) -> Figure:
    """Figure 6.1: cosine similarity to the label and length, by defence; a row per protocol."""
    numbers = first_of_each(numbers)
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
        scale.axhline(1, color=GREY, linewidth=0.8, zorder=0)
        title = WORDS.get(protocol) or label(protocol)
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
    """Draws the images of each defence by value, fixed paths to the left, float to the right."""
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
    axis.set_ylabel({"cosine": "cosine similarity", "norm": "length (l2)"}[quantity])
    axis.grid(axis="y", alpha=0.25)
