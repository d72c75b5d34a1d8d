"""Thesis, Figures 4.2 and 5.7: patterns of one neuron, and the entropy that they can have."""

from itertools import pairwise

import pandas as pd
import torch
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.activations import create
from reactivate.documents.shared.curves import LOOKS
from reactivate.documents.thesis.chapter5.entropy_claims import largest_entropy
from reactivate.patterns.breakpoints import encode

SEPARATIONS = {"sigmoid": (-3.0, 3.0), "relu": (0.0,)}  # section 4.2.2
REACH = 6.0  # of the pre-activations drawn
SHADES = ("#dbe7f3", "#fbe5cd", "#dff0e3")  # of patterns 0, 1, 2
RED = "#b5001f"
COLOURS = {2: "#1f6fb4", 3: "#d9822b", 4: "#2a9d62", 5: "#8a63b8"}  # of k patterns


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


def figure5_7() -> tuple[pd.DataFrame, Figure]:
    """Entropy of a neuron with k patterns, by the probability of its pattern 0.

    Two patterns leave no choice; with k the entropy reaches from what k - 1 patterns can have at
    most to the case where the others are equally likely.
    """
    p = torch.linspace(0, 1, 201, dtype=torch.float64)
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axis = figure.subplots()
    parts = []
    for k, colour in COLOURS.items():
        most = largest_entropy(p, k)
        least = largest_entropy(p, max(k - 1, 2))
        columns = {"least": least.numpy().round(9), "most": most.numpy().round(9)}
        parts.append(pd.DataFrame({"patterns": k, "probability": p.numpy().round(9), **columns}))
        top = largest_entropy(torch.tensor(1 / k, dtype=torch.float64), k).item()
        axis.plot(p, most, color=colour, label=f"k = {k}: {top:.3f} at 1/{k}")
        axis.fill_between(p, least, most, color=colour, alpha=0.15, linewidth=0)
        axis.plot(1 / k, top, "o", color=colour, markersize=5)
    axis.set(xlabel="probability of pattern 0", ylabel="neuron entropy (nats)", xlim=(0, 1))
    axis.set_ylim(0, 1.8)
    axis.grid(alpha=0.25)
    title = "k patterns, largest entropy\n(shaded: from k - 1 to k patterns)"
    axis.legend(loc="upper right", frameon=False, title=title, fontsize=9, title_fontsize=9)
    return pd.concat(parts, ignore_index=True), figure
