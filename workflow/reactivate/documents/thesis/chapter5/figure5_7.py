"""Thesis, Figure 5.7: the entropy that a neuron with k patterns can have."""

import pandas as pd
import torch
from matplotlib.figure import Figure

from reactivate.documents.thesis.chapter5.entropy_claims import largest_entropy

COLOURS = {2: "#1f6fb4", 3: "#d9822b", 4: "#2a9d62", 5: "#8a63b8"}  # of k patterns


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
