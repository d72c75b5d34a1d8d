"""Picture of GmP Figure 2: units on a line, steps of their points, and what they learn."""

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.gmp.trials_picture import ORDER, draw_largest, scores_of_shown
from reactivate.documents.gmp.units_picture import BOUNDARY, draw_line
from reactivate.documents.shared.looks import GREEN

SHOWN = 10.5  # inputs that are shown
# Section 3.5 states largest changes: under GmP smaller than 1, under the others up to 2^16.
STATED = {2.0**0: "printed: below, under GmP", 2.0**16: "printed: up to, under the others"}


def figure2(frame: pd.DataFrame) -> Figure:
    """Units (a, b), largest change of a point (c), predictions and spectra (d to g)."""
    figure = Figure(figsize=(11.5, 9.2), layout="constrained")
    heights = [1.05, 1, 1]
    top, middle, bottom = figure.subfigures(3, 1, squeeze=False, height_ratios=heights)[:, 0]
    axes = top.subplots(1, 3, width_ratios=[1, 1, 2])
    for axis, panel, theta in zip(axes, (0, 1), (0.0, math.pi), strict=False):
        _draw_unit(axis, frame, panel, theta)
    _draw_changes(axes[2], frame)
    predictions = middle.subplots(1, 4, sharey=True)
    spectra = bottom.subplots(1, 4, sharey=True)
    for letter, name, above, below in zip("defg", ORDER, predictions, spectra, strict=True):
        _draw_prediction(above, frame, name)
        above.set_title(f"({letter}) {_title(frame, name)}", fontsize=10)
        _draw_spectra(below, frame, name)
    predictions[0].set_ylabel("y")
    spectra[0].set_ylabel("share of the training (%)")
    handles, labels = predictions[0].get_legend_handles_labels()
    middle.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    return figure


def _draw_unit(axis: Axes, frame: pd.DataFrame, panel: int, theta: float) -> None:
    unit = frame[frame["parameterization"].isna() & (frame["unit"] == panel)]
    curve = unit[unit["quantity"] == "activation"]
    location = unit.loc[unit["quantity"] == "location", "value"].iloc[0]
    draw_line(axis, curve["x"], curve["value"], location, theta)
    axis.set_title(f"({'ab'[panel]}) a unit, θ = {'0' if theta == 0 else 'π'}", fontsize=10)


def _draw_changes(axis: Axes, frame: pd.DataFrame) -> None:
    """Draws panel (c): the largest change of a point at each step."""
    rows = draw_largest(axis, frame, "largest_change", lambda v: f"$2^{{{math.log2(v):.1f}}}$")
    for largest, words in STATED.items():
        axis.axhline(largest, color="#999999", linewidth=1, linestyle="--")
        axis.annotate(
            words,
            (0.99, largest),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=8,
            color="#666666",
        )
    axis.set_yscale("log", base=2)
    axis.set_ylim(2.0**-20, 2.0**30)  # only lowered rates step less; room for the legend
    axis.set_ylabel("largest change of a point, max|Δφ|")
    axis.set_title(f"(c) learning rate {rows['rate'].max():g} for all", fontsize=10)


def _title(frame: pd.DataFrame, name: str) -> str:
    rate, errors, error = scores_of_shown(frame, name, "after", "test_rmse")
    mean = f"mean of {len(errors)} seeds {errors.mean():.3f}"
    return f"{LOOKS[name].label}, rate {rate:g}\nRMSE {error:.3f}, {mean}"


def _draw_prediction(axis: Axes, frame: pd.DataFrame, name: str) -> None:
    common = frame[frame["parameterization"].isna()]
    truth, data = (common[common["quantity"] == q] for q in ("levy", "training"))
    own = frame[frame["parameterization"] == name]
    before, after = (own[own["quantity"] == q] for q in ("before", "after"))
    axis.plot(truth["x"], truth["value"], color="#999999", lw=3, alpha=0.6, label="Levy function")
    axis.plot(data["x"], data["value"], ".", color="black", markersize=4, label="training data")
    axis.plot(before["x"], before["value"], "--", color=GREEN, lw=1.2, label="before training")
    axis.plot(
        after["x"], after["value"], color=LOOKS["gmp"].colour, lw=1.6, label="after training"
    )
    axis.set_xlim(-SHOWN, SHOWN)
    axis.set_xlabel("x")
    axis.grid(alpha=0.25)


def _draw_spectra(axis: Axes, frame: pd.DataFrame, name: str) -> None:
    """A bar of points for each step, the first at the bottom."""
    points = frame[(frame["quantity"] == "location") & (frame["parameterization"] == name)]
    last = max(points["step"].max(), 1)
    outside = int((points.loc[points["step"] == last, "value"].abs() > SHOWN).sum())
    for step in sorted(points["step"].unique()):
        bar, height = points[points["step"] == step], 100 * step / last
        axis.vlines(bar["value"], height - 5, height + 5, color=BOUNDARY, linewidth=0.8)
    axis.set_xlim(-SHOWN, SHOWN)
    axis.set_ylim(-8, 108)
    axis.set_xlabel("characteristic point φ")
    units = len(points[points["step"] == last])
    axis.set_title(f"{int(last)} steps; at the end {outside} of {units} outside", fontsize=9)
