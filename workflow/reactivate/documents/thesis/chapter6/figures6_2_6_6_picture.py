"""Pictures of thesis Figures 6.2 and 6.6: float and fixed neurons, by defence."""

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from reactivate.documents.shared.looks import GREY, Look
from reactivate.documents.shared.overlays import printed_key
from reactivate.documents.shared.replicates import first_of_each
from reactivate.documents.thesis.chapter6.looks import LETTERS, looks

BINS = 40
# What the text states of the networks, lines 2991 and 3179; layers are counted from 0.
FLOAT_IN_LAYER = {"std": (1, 0.70)}
FIXED_ON_AVERAGE = {"std": 0.72, "noise_050": 0.90}


def float_by_layer(numbers: pd.DataFrame) -> Figure:
    """Figure 6.2: share of float neurons by layer, a line per defence; shaded: over images.

    Above a layer stands the share that the text states of it, with an arrow if it is higher than
    anything that is drawn.
    """
    numbers = first_of_each(numbers)
    figure = Figure(figsize=(8.2, 4.2), layout="constrained")
    axis = figure.subplots()
    for name, look in looks(numbers["defence"]).items():
        line = numbers[numbers["defence"] == name]
        axis.plot(
            line["layer"],
            line["float_share"],
            label=look.label,
            marker=look.marker,
            markersize=3.5,
            **look.line,
        )
        low, high = (line["float_share"] + sign * line["deviation"] for sign in (-1, 1))
        axis.fill_between(line["layer"], low, high, color=look.colour, alpha=0.08, linewidth=0)
    highest = float((numbers["float_share"] + numbers["deviation"]).max())
    for name, look in looks(numbers["defence"]).items():
        if name in FLOAT_IN_LAYER:
            _mark_stated(axis, look, *FLOAT_IN_LAYER[name], highest)
    axis.set(
        xlabel="layer",
        ylabel="share of float neurons\n(shaded: deviation over images)",
        ylim=(0, 1.15 * highest),
    )
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.yaxis.set_major_formatter(PercentFormatter(1))
    axis.grid(alpha=0.25)
    figure.legend(loc="outside right center", frameon=False)
    return figure


def _mark_stated(axis: Axes, look: Look, layer: int, share: float, highest: float) -> None:
    """Draws a cross at the share that is stated of a layer, or an arrow towards it."""
    words = f"printed, {look.label}: {share:.0%}"
    is_within = share <= 1.1 * highest
    place = layer, share if is_within else 1.1 * highest
    axis.plot(*place, "x" if is_within else "^", color=look.colour, markersize=6)
    axis.annotate(words, place, (7, -3), textcoords="offset points", fontsize=8)


def fixed_under_noise(numbers: pd.DataFrame) -> Figure:
    """Figure 6.6: images by their share of fixed neurons, a panel per noise.

    Crosses below are the means that the text states, for which of the noises it does not say.
    """
    numbers = first_of_each(numbers)
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
            axis.stairs(
                counts / max(1, len(own)), edges, edgecolor=look.colour, linestyle=look.dashes
            )
            axis.axvline(own["fixed_share"].mean(), color=look.colour, linestyle=":")
            if name in FIXED_ON_AVERAGE:
                _mark_below(axis, FIXED_ON_AVERAGE[name], look.colour)
        axis.set_title(f"({letter}) ε with standard deviation {sigma:g}", fontsize=10)
        axis.set_xlabel("share of fixed neurons")
        axis.xaxis.set_major_formatter(PercentFormatter(1))
        axis.grid(alpha=0.25)
    grid[0].set_ylabel("share of images")
    grid[0].yaxis.set_major_formatter(PercentFormatter(1))
    handles: list[Artist] = [
        Patch(
            facecolor=to_rgba(look.colour, 0.3),
            edgecolor=look.colour,
            linestyle=look.dashes,
            label=look.label,
        )
        for look in named.values()
    ]
    handles.append(Line2D([], [], color=GREY, linestyle=":", label="mean"))
    handles.append(printed_key("mean,\nSection 6.4.3.2"))
    figure.legend(handles=handles, loc="outside right center", frameon=False)
    return figure


def _mark_below(axis: Axes, share: float, colour: str) -> None:
    across = axis.get_xaxis_transform()
    axis.plot(
        share,
        0.0,
        "x",
        color=colour,
        markersize=8,
        markeredgewidth=2,
        transform=across,
        clip_on=False,
        zorder=6,
    )
