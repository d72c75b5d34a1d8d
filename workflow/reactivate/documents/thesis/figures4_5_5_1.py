"""Thesis, Figures 4.5 and 5.1: the input plane of two small networks, cut into regions."""

from collections.abc import Sequence
from itertools import pairwise, product

import pandas as pd
import torch
from matplotlib.axes import Axes
from matplotlib.colors import hsv_to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from torch import Tensor, nn

from reactivate.documents.thesis.chapter4.lemmas4_7_to_9_claims import float_in_ball
from reactivate.documents.thesis.examples import BALL, EIGHT_NEURONS, FOUR_LINES, INPUTS, WINDOW
from reactivate.documents.thesis.planar_regions import Region, rectangle, regions
from reactivate.documents.thesis.small_networks import codes, hidden, linear_maps
from reactivate.patterns.crossings import SegmentWalk
from reactivate.patterns.similarity import pair_similarity

PINK, GREEN, ORANGE, BLACK, RED = "#f4b6c8", "#a9dcb0", "#e07b1a", "#222222", "#b5001f"
BENT_COLOURS = ("#1f6fb4", "#2a9d62", "#8a63b8", "#b5001f")  # second layer of Figure 5.1
ON_LINE = 1e-9
COLUMNS = ["part", "name", "status", "x", "y"]
Row = tuple[str, str, str, float, float]


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
        rows += _corners(part, "meets the ball" if all(same) else "apart from the ball")
        if part.area > 0.08:
            place = _beside_ball(part.corners)
            axis.text(*place, _name(part.pattern), ha="center", va="center", fontsize=7)
    _draw_lines(axis, FOUR_LINES, [ORANGE if moves else BLACK for moves in floating])
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


def figure5_1() -> tuple[pd.DataFrame, Figure]:
    """Two inputs that one neuron of eight tells apart, and the one transition between them."""
    ends = torch.tensor(INPUTS, dtype=torch.float64)
    patterns = codes(EIGHT_NEURONS, ends)
    passed = SegmentWalk(EIGHT_NEURONS).crossings(*ends)
    figure = Figure(figsize=(6.4, 6.2), layout="constrained")
    axis = figure.subplots()
    rows = _draw_bent(axis)
    _draw_lines(axis, EIGHT_NEURONS, [BLACK] * 4)
    axis.plot(*ends.T.numpy(), "o-", color=ORANGE, linewidth=1.8, markersize=5)
    for name, place, pattern in zip(("x", "x'"), INPUTS, patterns.tolist(), strict=True):
        shown = f"{_name(pattern[:4])} {_name(pattern[4:])}"
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
    return pd.DataFrame(rows, columns=COLUMNS), figure


def _draw_bent(axis: Axes) -> list[Row]:
    """Regions of Figure 5.1, and those of their sides on which a neuron of layer 2 is 0."""
    rows: list[Row] = []
    for count, part in enumerate(regions(EIGHT_NEURONS, rectangle(*WINDOW))):
        axis.fill(*part.corners.T.numpy(), color=pastel(count), linewidth=0)
        rows += _corners(part, "")
        zero = hidden(EIGHT_NEURONS, part.corners).abs() < ON_LINE
        sides = [*pairwise(range(len(zero))), (len(zero) - 1, 0)]
        for (a, b), neuron in product(sides, range(4, 8)):
            if part.pattern[neuron] and zero[a, neuron] and zero[b, neuron]:
                side = part.corners[[a, b]]
                colour = BENT_COLOURS[neuron - 4]
                axis.plot(*side.T.numpy(), "--", color=colour, linewidth=1.6, zorder=2)
                rows += [("side", f"(2,{neuron - 3})", "", x, y) for x, y in side.tolist()]
    return rows


def _draw_lines(axis: Axes, network: nn.Sequential, colours: list[str]) -> None:
    """The straight lines of the first layer, and the frame."""
    first = linear_maps(network)[0]
    for (a, b), c, colour in zip(first.weight.tolist(), first.bias.tolist(), colours, strict=True):
        foot = -c / (a * a + b * b)  # times (a, b): the point of the line nearest to 0
        axis.axline((foot * a, foot * b), slope=-a / b, color=colour, linewidth=1.4)
    axis.set(xlim=WINDOW, ylim=WINDOW, xlabel="input $x_1$", ylabel="input $x_2$")
    axis.set_aspect("equal")


def _corners(part: Region, status: str) -> list[Row]:
    return [("region", _name(part.pattern), status, x, y) for x, y in part.corners.tolist()]


def _name(pattern: Sequence[int]) -> str:
    return "".join(map(str, pattern))


def _status(moves: bool) -> str:
    return "float" if moves else "fixed"


def pastel(number: int) -> tuple[float, float, float]:
    """A light colour, far from those of the numbers before."""
    red, green, blue = hsv_to_rgb(((0.45 + 0.618 * number) % 1, 0.16, 0.97))
    return float(red), float(green), float(blue)
