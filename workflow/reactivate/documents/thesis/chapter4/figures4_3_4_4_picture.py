"""Pictures of thesis Figures 4.3 and 4.4: activation regions on a plane."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, hsv_to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

CORNERS = [(0, 0), (1, 0), (0, 1)]  # where the three images are
COLOURS = 30  # of regions; with those of areas they fit a small palette
SHADES = 40  # of areas
BLACK, RED = "#111111", "#c40d2e"
AXES = {"xlabel": "u: from the first image to the second", "ylabel": "v: to the third"}


def plane(numbers: pd.DataFrame) -> Figure:
    """Regions around three images, how large they are, and regions among the images."""
    around, among = (numbers[numbers["view"] == view] for view in ("around", "among"))
    figure = Figure(figsize=(13.4, 4.7), layout="constrained")
    regions, areas, near = figure.subplots(1, 3)
    _draw_regions(regions, around)
    _draw_areas(areas, around)
    _draw_regions(near, among)
    _draw_edges(near, among)
    for axis in (regions, areas):
        _draw_triangle(axis)
    low, high = _reach(among)
    square = Rectangle((low, low), high - low, high - low, fill=False, color=RED, linewidth=2)
    regions.add_patch(square)
    met = around["region"].nunique(), among["region"].nunique()
    regions.set_title(f"(a) {met[0]} regions that a grid meets", fontsize=10)
    areas.set_title("(b) area of the region", fontsize=10)
    near.set_title(f"(c) the square of (a): {met[1]} regions", fontsize=10)
    for axis in (regions, areas, near):
        axis.set(**AXES)
    handles = [
        Line2D([], [], color=BLACK, marker="o", label="triangle of the three images"),
        Line2D([], [], color=RED, linewidth=2, label="square of (c)"),
    ]
    if not among["convex"].all():
        label = "in (c): region that is not convex"
        handles.append(Line2D([], [], color=BLACK, linewidth=1, label=label))
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    return figure


def _draw_regions(axis: Axes, part: pd.DataFrame) -> None:
    """A colour per region."""
    numbers = _grid(part, "region").astype(int)
    axis.imshow(numbers * 11 % COLOURS, cmap=_colours(), **_places(part))


def _draw_areas(axis: Axes, part: pd.DataFrame) -> None:
    shades = colormaps["viridis"].resampled(SHADES)
    drawn = axis.imshow(_grid(part, "area"), norm="log", cmap=shades, **_places(part))
    bar = axis.figure.colorbar(drawn, ax=axis, shrink=0.8)
    bar.set_label("area (the triangle has 0.5)")


def _draw_edges(axis: Axes, part: pd.DataFrame) -> None:
    """A line around each region that is not convex."""
    numbers, convex = _grid(part, "region"), _grid(part, "convex")
    places = {key: value for key, value in _places(part).items() if key != "interpolation"}
    for number in np.unique(numbers[convex == 0]):
        axis.contour(numbers == number, levels=[0.5], colors=BLACK, linewidths=1, **places)


def _draw_triangle(axis: Axes) -> None:
    axis.plot(*zip(*CORNERS, CORNERS[0], strict=True), color=BLACK, linewidth=1.8, marker="o")
    for place, offset in zip(CORNERS, [(-9, -16), (9, -16), (-9, 10)], strict=True):
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
        axis.annotate(
            str(place),
            place,
            offset,
            textcoords="offset points",
            ha="center",
            fontsize=8,
            bbox={**box, "alpha": 0.85},
        )


def _grid(part: pd.DataFrame, column: str) -> NDArray[np.float64]:
    """Values by v and u."""
    return part.pivot(index="v", columns="u", values=column).to_numpy(dtype=np.float64)


def _places(part: pd.DataFrame) -> dict[str, Any]:
    low, high = _reach(part)
    extent = (low, high, low, high)
    return {"extent": extent, "origin": "lower", "interpolation": "nearest"}


def _reach(part: pd.DataFrame) -> tuple[float, float]:
    """Ends of the square in whose small squares the points are."""
    places = np.sort(part["u"].unique())
    half = (places[-1] - places[0]) / max(1, len(places) - 1) / 2
    return float(places[0] - half), float(places[-1] + half)


def _colours() -> ListedColormap:
    hues = np.arange(COLOURS) * 0.618034 % 1
    tones = np.stack([hues, 0.25 + 0.3 * (np.arange(COLOURS) % 3) / 2, np.full(COLOURS, 0.95)])
    return ListedColormap(hsv_to_rgb(tones.T))
