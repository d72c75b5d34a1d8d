"""Thesis, Figure 4.2: breakpoints separate the domain of an activation into patterns."""

from itertools import pairwise

import pandas as pd
import torch
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.activations import create
from reactivate.documents.shared.looks import LOOKS
from reactivate.patterns.breakpoints import encode

SEPARATIONS = {"sigmoid": (-3.0, 3.0), "relu": (0.0,)}  # section 4.2.2
REACH = 6.0  # of the pre-activations drawn
SHADES = ("#dbe7f3", "#fbe5cd", "#dff0e3")  # of patterns 0, 1, 2
RED = "#b5001f"


def figure4_2() -> tuple[pd.DataFrame, Figure]:
    """Breakpoints separate the domain of an activation into intervals, its patterns."""
    x = torch.arange(-120, 121, dtype=torch.float64) / 120 * REACH  # breakpoints are on it
    figure = Figure(figsize=(8.4, 3.4), layout="constrained")
    parts = []
    for axis, (key, edges) in zip(figure.subplots(1, 2), SEPARATIONS.items(), strict=True):
        value = create(key)(x)
        columns = {"x": x.numpy().round(9), "value": value.numpy().round(9)}
        parts.append(pd.DataFrame({"activation": key, **columns, "pattern": encode(x, edges)}))
        axis.plot(x, value, color="#222222")
        for low, high in pairwise([-REACH, *edges, REACH]):
            middle = (low + high) / 2
            pattern = int(encode(torch.tensor(middle), edges))
            axis.axvspan(low, high, color=SHADES[pattern], linewidth=0, zorder=0)
            place = {"transform": axis.get_xaxis_transform(), "ha": "center"}
            axis.text(middle, 0.92, f"pattern {pattern}", **place)
        for edge in edges:
            axis.axvline(edge, color=RED, linestyle="--", linewidth=1)
        shown = ", ".join(f"{edge:g}" for edge in edges)
        axis.set_title(f"{LOOKS[key].label}, Γ = {{{shown}}}", fontsize=10)
        axis.set(xlabel="pre-activation z", ylabel="π(z)", xlim=(-REACH, REACH))
        axis.set_ylim(top=1.25 * value.max().item())
    label = "breakpoints γ, on which a neuron abstains"
    line = Line2D([], [], color=RED, linestyle="--", label=label)
    figure.legend(handles=[line], loc="outside lower center", frameon=False)
    return pd.concat(parts, ignore_index=True), figure
