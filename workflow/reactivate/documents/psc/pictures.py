"""Pictures of PSC: accuracy at equal parameters, the learned split, and the fit of |x|."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.shared.curves import Look

LOOKS = {
    "relu": Look("ReLU", "#444444"),
    "leaky_relu": Look("Leaky ReLU", "#a0a0a0"),
    "crelu": Look("CReLU", "#d9822b"),
    "psc": Look("dynamic PSC", "#1f6fb4"),
    "psc_whole": Look("dynamic PSC,\ntwice the weights", "#7fb2e5"),
    "spsc": Look("static PSC", "#c8443c"),
    "psc_svd": Look("PSC by SVD", "#2a9d62"),
}
FITS = {
    "relu": Look("ReLU", "#444444", 2.4),
    "spsc_all_positive": Look("static PSC, both units positive", "#d9822b"),
    "spsc_all_negative": Look("static PSC, both units negative", "#8a63b8"),
    "spsc_one_each": Look("static PSC, one unit each", "#c8443c", 2.4),
    "psc": Look("dynamic PSC", "#1f6fb4"),
}
AFTER = {"gates removed": "after collapse", "SVD": "after SVD"}


def accuracy(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset: every seed and the mean, as trained and as used; parameters below."""
    datasets = list(numbers["column"].unique())
    names = list(numbers["row"].unique())
    width = 2.0 + 1.15 * len(names)
    figure = Figure(figsize=(width, 4.2 * len(datasets)), layout="constrained")
    panels = figure.subplots(len(datasets), 1, squeeze=False)[:, 0]
    for axis, dataset in zip(panels, datasets, strict=True):
        part = numbers[numbers["column"] == dataset]
        for place, name in enumerate(names):
            _draw_variant(axis, place, part[part["row"] == name], LOOKS[name].colour)
        ticks = [_tick(name, part[part["row"] == name]) for name in names]
        axis.set_xticks(range(len(names)), ticks, fontsize=8)
        axis.set_xlim(-0.6, len(names) - 0.4)
        axis.set(xlabel="variant and its parameters", ylabel="test accuracy (%)")
        said = "dots: seeds, bars: their mean; hollow: the network as it is used in the end"
        axis.set_title(f"{dataset}; {said}", fontsize=9)
        axis.grid(axis="y", alpha=0.25)
    return figure


def _draw_variant(axis: Axes, place: int, part: pd.DataFrame, colour: str) -> None:
    changed = (part["after"] != "nothing").any()
    shift = 0.15 if changed else 0.0
    for x, column, face in ((place - shift, "top1", colour), (place + shift, "top1_after", "w")):
        if column == "top1" or changed:
            jitter = x + 0.05 * (part["seed"] - part["seed"].mean())
            axis.scatter(jitter, part[column], s=22, facecolor=face, edgecolor=colour, zorder=3)
            axis.hlines(part[column].mean(), x - 0.13, x + 0.13, color=colour, linewidth=2)


def _tick(name: str, part: pd.DataFrame) -> str:
    said = LOOKS[name].label
    for count in dict.fromkeys([*part["parameters"], *part["parameters_after"]]):
        said += f"\n{count:,}"
    after = [AFTER[done] for done in part["after"].unique() if done in AFTER]
    return "\n".join([said, *after])


def split(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset: rho of every gated layer, a line per seed; larger dots are surer."""
    datasets = list(numbers["column"].unique())
    figure = Figure(figsize=(5.6 * len(datasets) + 0.8, 3.8), layout="constrained")
    panels = figure.subplots(1, len(datasets), squeeze=False, sharey=True)[0]
    for axis, dataset in zip(panels, datasets, strict=True):
        part = numbers[numbers["column"] == dataset]
        for seed, run in part.groupby("seed"):
            (line,) = axis.plot(run["layer"], run["rho"], linewidth=1.2, label=f"seed {seed}")
            sizes = 12 + 110 * run["likelihood"]
            axis.scatter(run["layer"], run["rho"], s=sizes, color=line.get_color(), zorder=3)
        layers = part.drop_duplicates("layer")
        ticks = [f"{row.layer}\n({row.outputs})" for row in layers.itertuples()]
        axis.set_xticks(layers["layer"], ticks, fontsize=8)
        axis.axhline(0.5, color="#a0a0a0", linewidth=0.8, linestyle="--")
        axis.set(xlabel="gated convolution (its outputs)", ylim=(-0.05, 1.05))
        axis.set_title(f"{dataset}; size of dots: likelihood of the split", fontsize=9)
        axis.grid(alpha=0.25)
    panels[0].set_ylabel(r"$\rho$: share of outputs that read $x^+$")
    panels[-1].legend(frameon=False, fontsize=8)
    return figure


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
    right.axvline(bound, color="#a0a0a0", linestyle="--", linewidth=1)
    right.text(0.97 * bound, 1.5, "2/15", ha="right", va="center", color="#777777")
    right.set_yticks(range(len(FITS)), [look.label for look in FITS.values()], fontsize=8)
    right.set(xlabel=f"squared loss (circle: {ways[0]}, cross: {ways[-1]})", ylim=(-0.6, 4.6))
    right.grid(axis="x", alpha=0.25)
    return figure
