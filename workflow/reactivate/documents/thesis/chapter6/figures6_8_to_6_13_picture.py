"""Pictures of thesis Figures 6.8 to 6.13: certified accuracy against the radius."""

from itertools import cycle

import pandas as pd
from matplotlib.figure import Figure

PALETTE = ("#444444", "#1f6fb4", "#2a9d62", "#c8443c", "#d9822b", "#8a63b8")
NAMES = {
    "document": "as printed (no certificate where float paths are repressed)",
    "authors_code": "the author's code (no certificate either)",
    "sound": "sound variant",
}


def curves(numbers: pd.DataFrame) -> Figure:
    """A line per method, a panel per protocol."""
    protocols = list(dict.fromkeys(numbers["protocol"]))
    methods = list(dict.fromkeys(numbers["method"]))
    colours = dict(zip(methods, cycle(PALETTE), strict=False))
    figure = Figure(figsize=(5.4 * len(protocols), 4.6), layout="constrained")
    panels = figure.subplots(1, len(protocols), sharey=True, squeeze=False)[0]
    for panel, protocol in zip(panels, protocols, strict=True):
        shown = numbers[numbers["protocol"] == protocol]
        for place, (method, part) in enumerate(shown.groupby("method", sort=False)):
            panel.step(
                part["radius"],
                part["accuracy"],
                where="post",
                color=colours[str(method)],
                linestyle="-" if place < len(PALETTE) else "--",
                linewidth=1.4,
                label=str(method),
            )
        panel.set_title(NAMES.get(protocol, protocol), fontsize=10)
        panel.set_xlabel("radius (l2, pixels from 0 to 1)")
        panel.grid(alpha=0.25)
    panels[0].set_ylabel(f"certified accuracy (%), {numbers['images'].min()} images")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure
