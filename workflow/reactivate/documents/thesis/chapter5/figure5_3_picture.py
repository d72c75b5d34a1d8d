"""Picture of thesis Figure 5.3: pattern similarity of sets of images."""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import BLUE, GREY, RED, look_of
from reactivate.documents.shared.replicates import first_of_each

SETS = {
    "single": ("one label (single)", RED),
    "combined": ("all labels (combined)", BLUE),
}
STATES = {"trained": "-", "untrained": "--"}


def subsets(numbers: pd.DataFrame) -> Figure:
    """A panel per activation and separation; red is one label and blue all, as printed."""
    numbers = first_of_each(numbers)
    panels = list(numbers.groupby(["activation", "separation"], sort=False))
    figure = Figure(figsize=(3.9 * len(panels) + 0.3, 3.9), layout="constrained")
    grid = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axis, (panel, part) in zip(grid, panels, strict=True):
        activation, separation = map(str, panel)
        for (state, name), line in part.groupby(["state", "set"]):
            colour = SETS[str(name)][1]
            axis.plot(line["threshold"], line["share"], STATES[str(state)], color=colour)
        points = ", ".join(f"{float(point):g}" for point in separation.split())
        label = look_of(activation).label
        axis.set_title(f"{label}, Γ = {{{points}}}", fontsize=10)
        axis.set_xlabel("λ")
        axis.set(xlim=(0, 1), ylim=(-0.02, 1.02))
        axis.grid(alpha=0.25)
    grid[0].set_ylabel("share of pairs with similarity > λ")
    handles = [Line2D([], [], color=colour, label=label) for label, colour in SETS.values()]
    handles += [Line2D([], [], color=GREY, ls=ls, label=name) for name, ls in STATES.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    return figure
