"""Thesis, Figure 5.1: two inputs, the regions between them and their one transition."""

from itertools import pairwise, product

import pandas as pd
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.thesis.examples import EIGHT_NEURONS, INPUTS, WINDOW
from reactivate.documents.thesis.planar_pictures import (
    BLACK,
    COLUMNS,
    ORANGE,
    Row,
    corner_rows,
    draw_first_layer,
    pastel,
    pattern_name,
)
from reactivate.documents.thesis.planar_regions import rectangle, regions
from reactivate.documents.thesis.small_networks import codes, hidden
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.similarity import pair_similarity

BENT_COLOURS = ("#1f6fb4", "#2a9d62", "#8a63b8", "#b5001f")  # second layer of Figure 5.1
ON_LINE = 1e-9
DIGITS = 12  # of coordinates: the next ones differ from processor to processor


def figure5_1() -> tuple[pd.DataFrame, Figure]:
    """Two inputs that one neuron of eight tells apart, and the one transition between them."""
    ends = torch.tensor(INPUTS, dtype=torch.float64)
    patterns = codes(EIGHT_NEURONS, ends)
    passed = SegmentWalk(EIGHT_NEURONS).crossings(*ends)
    figure = Figure(figsize=(6.4, 6.2), layout="constrained")
    axis = figure.subplots()
    rows = _draw_bent(axis)
    draw_first_layer(axis, EIGHT_NEURONS, [BLACK] * 4)
    axis.plot(*ends.T.numpy(), "o-", color=ORANGE, linewidth=1.8, markersize=5)
    for name, place, pattern in zip(("x", "x'"), INPUTS, patterns.tolist(), strict=True):
        shown = f"{pattern_name(pattern[:4])} {pattern_name(pattern[4:])}"
        rows.append(("input", name, shown, *place))
        box = {"boxstyle": "round,pad=0.2", "facecolor": "white", "alpha": 0.8, "linewidth": 0}
        said = f"{name}: {shown}"
        axis.annotate(said, place, (8, -3), textcoords="offset points", fontsize=9, bbox=box)
    for t, layer, number in zip(passed.t, passed.layer, passed.neuron, strict=True):
        x, y = torch.lerp(ends[0], ends[1], t).tolist()
        rows.append(("transition", f"({int(layer) + 1},{int(number) + 1})", "", x, y))
        axis.plot(x, y, "x", color=ORANGE, markersize=9, markeredgewidth=2)
    similarity = pair_similarity(*patterns).item()
    title = f"pattern similarity {similarity:g}, transition density {passed.regions}"
    axis.set_title(title, fontsize=10)
    handles = [
        Line2D([], [], color=BLACK, label="layer 1"),
        Line2D([], [], color=ORANGE, marker="x", label="segment, transition"),
        *(
            Line2D([], [], color=colour, linestyle="--", label=f"neuron (2,{number})")
            for number, colour in enumerate(BENT_COLOURS, start=1)
        ),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return pd.DataFrame(rows, columns=COLUMNS).round(DIGITS), figure


def _draw_bent(axis: Axes) -> list[Row]:
    """Regions of Figure 5.1, and those of their sides on which a neuron of layer 2 is 0."""
    rows: list[Row] = []
    for count, part in enumerate(regions(EIGHT_NEURONS, rectangle(*WINDOW))):
        axis.fill(*part.corners.T.numpy(), color=pastel(count), linewidth=0)
        rows += corner_rows(part, "")
        zero = hidden(EIGHT_NEURONS, part.corners).abs() < ON_LINE
        sides = [*pairwise(range(len(zero))), (len(zero) - 1, 0)]
        for (a, b), neuron in product(sides, range(4, 8)):
            if part.pattern[neuron] and zero[a, neuron] and zero[b, neuron]:
                side = part.corners[[a, b]]
                colour = BENT_COLOURS[neuron - 4]
                axis.plot(*side.T.numpy(), "--", color=colour, linewidth=1.6, zorder=2)
                rows += [("side", f"(2,{neuron - 3})", "", x, y) for x, y in side.tolist()]
    return rows
