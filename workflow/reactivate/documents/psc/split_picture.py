"""Picture of the split that the gates of static PSC have learned."""

from itertools import cycle

import pandas as pd
from matplotlib.figure import Figure

from reactivate.documents.shared.looks import DASHES, PALE
from reactivate.experiment.labels import label


def split(numbers: pd.DataFrame) -> Figure:
    """A panel per dataset: rho of every gated layer, a line per seed; larger dots are surer."""
    datasets = list(numbers["column"].unique())
    figure = Figure(figsize=(5.6 * len(datasets) + 0.8, 3.8), layout="constrained")
    panels = figure.subplots(1, len(datasets), squeeze=False, sharey=True)[0]
    for axis, dataset in zip(panels, datasets, strict=True):
        part = numbers[numbers["column"] == dataset]
        for dashes, (seed, run) in zip(cycle(DASHES), part.groupby("seed"), strict=False):
            (line,) = axis.plot(run["layer"], run["rho"], ls=dashes, label=f"seed {seed}")
            sizes = 12 + 110 * run["likelihood"]
            axis.scatter(run["layer"], run["rho"], s=sizes, color=line.get_color(), zorder=3)
        layers = part.drop_duplicates("layer")
        ticks = [f"{row.layer}\n({row.outputs})" for row in layers.itertuples()]
        axis.set_xticks(layers["layer"], ticks, fontsize=8)
        axis.axhline(0.5, color=PALE, linewidth=0.8, linestyle="--")
        axis.set(xlabel="gated convolution (its outputs)", ylim=(-0.05, 1.05))
        axis.set_title(f"{label(dataset)}; size of dots: likelihood of the split", fontsize=9)
        axis.grid(alpha=0.25)
    panels[0].set_ylabel(r"$\rho$: share of outputs that read $x^+$")
    panels[-1].legend(frameon=False, fontsize=8)
    return figure
