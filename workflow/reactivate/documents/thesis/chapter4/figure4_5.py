"""Thesis, Figure 4.5: the regions that a ball meets, and the float paths of its network."""

from itertools import product

import pandas as pd
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from torch import Tensor

from reactivate.documents.thesis.examples import BALL, FOUR_LINES, WINDOW
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
from reactivate.documents.thesis.small_networks import codes, hidden, linear_maps

PINK, GREEN, RED = "#f4b6c8", "#a9dcb0", "#b5001f"


def figure4_5() -> tuple[pd.DataFrame, Figure]:
    """A ball whose only float neuron is (1,4), and the float paths through that neuron."""
    floating = float_in_ball()
    figure = Figure(figsize=(9.2, 4.6), layout="constrained")
    plane, graph = figure.subplots(1, 2)
    rows = [*_draw_ball(plane, floating), *_draw_network(graph, floating)]
    handles = [
        Line2D([], [], color=BLACK, label="fixed neurons and paths"),
        Line2D([], [], color=ORANGE, label="float neuron: its hyperplane and paths"),
        Line2D([], [], color=RED, label="ball B(x, r)"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return pd.DataFrame(rows, columns=COLUMNS), figure


def _draw_ball(axis: Axes, floating: list[bool]) -> list[Row]:
    x, y, radius = BALL
    centre = codes(FOUR_LINES, torch.tensor([[x, y]], dtype=torch.float64))[0].tolist()
    rows: list[Row] = []
    for number, part in enumerate(regions(FOUR_LINES, rectangle(*WINDOW))):
        same = [
            a == b or moves for a, b, moves in zip(part.pattern, centre, floating, strict=True)
        ]
        touched = PINK if list(part.pattern) == centre else GREEN
        axis.fill(*part.corners.T.numpy(), color=touched if all(same) else pastel(number), lw=0)
        rows += corner_rows(part, "meets the ball" if all(same) else "apart from the ball")
        if part.area > 0.08:
            place = _beside_ball(part.corners)
            axis.text(*place, pattern_name(part.pattern), ha="center", va="center", fontsize=7)
    draw_first_layer(axis, FOUR_LINES, [ORANGE if moves else BLACK for moves in floating])
    axis.add_patch(Circle((x, y), radius, fill=False, color=RED, linewidth=1.8))
    axis.plot(x, y, "o", color=RED, markersize=4)
    axis.annotate("x", (x, y), (5, 3), textcoords="offset points", color=RED)
    axis.text(-1.95, -0.86, "$z^{(1)}_4 = 0$", color=ORANGE, fontsize=9)
    axis.set_title("(a) regions of the input space, with their patterns", fontsize=10)
    return [*rows, ("ball", "centre", "", x, y), ("ball", "on the right", "", x + radius, y)]


def _beside_ball(corners: Tensor) -> tuple[float, float]:
    """The middle of a region, or a point towards the corner that is farthest from the ball."""
    middle, ball = corners.mean(dim=0), torch.tensor(BALL, dtype=torch.float64)
    if (middle - ball[:2]).norm() < ball[2] + 0.2:
        far = corners[(corners - ball[:2]).norm(dim=1).argmax()]
        middle = (middle + far) / 2
    x, y = middle.tolist()
    return x, y


def _draw_network(axis: Axes, floating: list[bool]) -> list[Row]:
    maps = linear_maps(FOUR_LINES)
    sizes = [maps[0].in_features, *(layer.out_features for layer in maps)]
    places = [[(float(i), n / 2 - j - 0.5) for j in range(n)] for i, n in enumerate(sizes)]
    moving = [[False] * sizes[0], floating, [False] * sizes[2]]
    rows: list[Row] = []
    for layer in (0, 1):
        for a, b in product(range(sizes[layer]), range(sizes[layer + 1])):
            moves = moving[layer][a] or moving[layer + 1][b]
            ends = places[layer][a], places[layer + 1][b]
            colour, width = (ORANGE, 1.8) if moves else (BLACK, 0.8)
            axis.plot(*zip(*ends, strict=True), color=colour, linewidth=width, zorder=1)
            name = f"({layer},{a + 1}) to ({layer + 1},{b + 1})"
            rows += [("connection", name, _status(moves), *place) for place in ends]
    for layer, number in ((i, j) for i, n in enumerate(sizes) for j in range(n)):
        place, moves = places[layer][number], moving[layer][number]
        colours = (ORANGE, "#fbe5cd") if moves else (BLACK, "white")
        axis.plot(*place, "o", ms=26, markeredgecolor=colours[0], markerfacecolor=colours[1])
        axis.text(*place, f"{layer},{number + 1}", ha="center", va="center", fontsize=8)
        rows.append(("neuron", f"({layer},{number + 1})", _status(moves), *place))
    axis.set(xlim=(-0.3, 2.3), ylim=(-2.1, 2.1))
    axis.set_xticks([0, 1, 2], ["input", "hidden layer", "output"])
    axis.set_yticks([])
    axis.set_frame_on(False)
    axis.set_title("(b) paths through the network", fontsize=10)
    return rows


def _status(moves: bool) -> str:
    return "float" if moves else "fixed"


def float_in_ball() -> list[bool]:
    """Tells for each neuron whether it is float in the ball: its line is closer than the radius.

    Example:
        >>> float_in_ball()
        [False, False, False, True]
    """
    x, y, radius = BALL
    values = hidden(FOUR_LINES, torch.tensor([[x, y]], dtype=torch.float64))[0]
    near = values.abs() < radius * linear_maps(FOUR_LINES)[0].weight.norm(dim=1)
    return [bool(flag) for flag in near]
