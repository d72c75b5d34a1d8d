"""Picture of |x| and its fits by one phase and by both."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import BLACK, BLUE, GREY, ORANGE, PALE, PURPLE, RED, Look

FITS = {
    "relu": Look("ReLU", BLACK, 2.4),
    "spsc_all_positive": Look("static PSC, both units positive", ORANGE),
    "spsc_all_negative": Look("static PSC, both units negative", PURPLE),
    "spsc_one_each": Look("static PSC, one unit each", RED, 2.4),
    "psc": Look("dynamic PSC", BLUE),
}


def bound_fit(numbers: pd.DataFrame) -> Figure:
    """|x| and what each kind of branch makes of it; beside it the losses of both ways to fit."""
    figure = Figure(figsize=(9.6, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    x = np.linspace(-1, 1, 201)
    left.plot(x, np.abs(x), color="#dddddd", linewidth=7, label="|x|")
    ways = list(numbers["method"].unique())
    for place, (kind, look) in enumerate(FITS.items()):
        part = numbers[numbers["branches"] == kind].set_index("method")
        fit = part.loc[ways[-1]]
        y = fit["w_positive"] * np.maximum(x, 0) + fit["w_negative"] * np.minimum(x, 0) + fit["b"]
        dashes = "--" if kind in ("psc", "spsc_all_positive") else "-"  # on top of another line
        left.plot(x, y, dashes, color=look.colour, linewidth=look.width, label=look.label)
        for way, marker, size in zip(ways, "o+", (8, 12), strict=True):
            right.plot(
                part.loc[way, "loss"],
                place,
                marker,
                color=look.colour,
                markersize=size,
                markerfacecolor="none",
            )
    left.set(xlabel="x", ylabel=f"fit by {ways[-1]}")
    left.legend(frameon=False, fontsize=8)
    bound = numbers["exact_loss"].max()
    right.axvline(bound, color=PALE, linestyle="--", linewidth=1)
    right.text(0.97 * bound, 1.5, "2/15", ha="right", va="center", color=GREY)
    right.set_yticks(range(len(FITS)), [look.label for look in FITS.values()], fontsize=8)
    right.set(xlabel=f"squared loss (circle: {ways[0]}, cross: {ways[-1]})", ylim=(-0.6, 4.6))
    right.grid(axis="x", alpha=0.25)
    return figure
