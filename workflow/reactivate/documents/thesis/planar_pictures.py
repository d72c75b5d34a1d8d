"""The input plane of a small network, cut into regions, as Figures 4.5 and 5.1 draw it."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.colors import hsv_to_rgb
from torch import nn

from reactivate.documents.thesis.examples import WINDOW
from reactivate.documents.thesis.planar_regions import Region
from reactivate.documents.thesis.small_networks import linear_maps

ORANGE, BLACK = "#e07b1a", "#222222"
COLUMNS = ["part", "name", "status", "x", "y"]
Row = tuple[str, str, str, float, float]


def draw_first_layer(axis: Axes, network: nn.Sequential, colours: list[str]) -> None:
    """Draws the straight lines of the first layer, and the frame."""
    first = linear_maps(network)[0]
    for (a, b), c, colour in zip(first.weight.tolist(), first.bias.tolist(), colours, strict=True):
        foot = -c / (a * a + b * b)  # times (a, b): the point of the line nearest to 0
        axis.axline((foot * a, foot * b), slope=-a / b, color=colour, linewidth=1.4)
    axis.set(xlim=WINDOW, ylim=WINDOW, xlabel="input $x_1$", ylabel="input $x_2$")
    axis.set_aspect("equal")


def corner_rows(part: Region, status: str) -> list[Row]:
    return [("region", pattern_name(part.pattern), status, x, y) for x, y in part.corners.tolist()]


def pattern_name(pattern: Sequence[int]) -> str:
    return "".join(map(str, pattern))


def pastel(number: int) -> tuple[float, float, float]:
    """A light colour, far from those of the numbers before."""
    red, green, blue = hsv_to_rgb(((0.45 + 0.618 * number) % 1, 0.16, 0.97))
    return float(red), float(green), float(blue)
