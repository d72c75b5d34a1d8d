"""Picture of the accuracy of every variant beside its parameters."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import BLACK, BLUE, GREEN, ORANGE, PALE, RED, SKY, Look
from reactivate.evidence.measured import Measured
from reactivate.experiment.labels import label

LOOKS = {
    "relu": Look("ReLU", BLACK),
    "leaky_relu": Look("Leaky ReLU", PALE),
    "crelu": Look("CReLU", ORANGE),
    "psc": Look("dynamic PSC", BLUE),
    "psc_whole": Look("dynamic PSC,\ntwice the weights", SKY),
    "spsc": Look("static PSC", RED),
    "psc_svd": Look("PSC by SVD", GREEN),
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
        said = "dots: seeds, bars: mean ± standard error; hollow: the network as used in the end"
        axis.set_title(f"{label(dataset)}; {said}", fontsize=9)
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
            error = Measured.of(part[column].to_list()).standard_error or 0.0
            axis.errorbar(x, part[column].mean(), error, color=colour, capsize=4)


def _tick(name: str, part: pd.DataFrame) -> str:
    said = LOOKS[name].label
    for count in dict.fromkeys([*part["parameters"], *part["parameters_after"]]):
        said += f"\n{count:,}"
    after = [AFTER[done] for done in part["after"].unique() if done in AFTER]
    return "\n".join([said, *after])
