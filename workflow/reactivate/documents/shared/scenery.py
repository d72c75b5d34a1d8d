"""Pictures with the boxes of objects or the classes of pixels drawn on them, truth beside."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from numpy.typing import ArrayLike, NDArray

INCHES = 2.1  # of a panel
LINE = 0.06  # of a panel's height, which a line of text takes
SHOWN = 0.55  # how much of a class's colour covers a pixel
IGNORED = 255  # class of pixels that do not count
BLACK = (0.0, 0.0, 0.0)

Drawing = Callable[[Axes], None]


def colour_of(label: int) -> tuple[float, float, float]:
    """The colour of a class, the same in all panels.

    Example:
        >>> colour_of(0) == colour_of(20), colour_of(0) == colour_of(1)
        (True, False)
    """
    red, green, blue, _ = colormaps["tab20"](label % 20)
    return red, green, blue


def draw_boxes(
    axis: Axes,
    image: ArrayLike,
    boxes: ArrayLike,
    labels: ArrayLike,
    names: Sequence[str],
    scores: ArrayLike | None = None,
) -> None:
    """Draws a picture and boxes on it, each in its class's colour, with name and score.

    Args:
        axis: Where to draw.
        image: ``(3, H, W)``, from 0 to 1 or uint8.
        boxes: Corners ``x1, y1, x2, y2``, ``(n, 4)``.
        labels: Class of each box, counted from 0.
        names: Of the classes.
        scores: Of detections; None for the truth.
    """
    show_picture(axis, image)
    corners = np.asarray(boxes, dtype=float).reshape(-1, 4)
    height = np.asarray(image).shape[1]
    told = [None] * len(corners) if scores is None else np.asarray(scores).tolist()
    for (x1, y1, x2, y2), label, score in zip(
        corners.tolist(), np.asarray(labels).astype(int).tolist(), told, strict=True
    ):
        # pixels have their middle at whole numbers, boxes their edges
        place = (x1 - 0.5, y1 - 0.5)
        colour = colour_of(label)
        axis.add_patch(Rectangle(place, x2 - x1, y2 - y1, fill=False, edgecolor=colour, lw=1.2))
        text = names[label] if score is None else f"{names[label]} {score:.2f}"
        above = "bottom" if y1 > LINE * height else "top"  # else inside, where it can be read
        axis.text(*place, text, fontsize=5, color="black", va=above, clip_on=True).set_bbox(
            {"facecolor": colour, "edgecolor": "none", "pad": 0.6, "alpha": 0.85}
        )


def draw_classes(axis: Axes, image: ArrayLike, classes: ArrayLike) -> None:
    """Draws a picture and over each pixel the colour of its class; black where none counts.

    Args:
        axis: Where to draw.
        image: ``(3, H, W)``, from 0 to 1 or uint8.
        classes: ``(H, W)``.
    """
    show_picture(axis, image)
    numbers = np.asarray(classes).astype(int)
    table = np.array([BLACK if c == IGNORED else colour_of(c) for c in range(IGNORED + 1)])
    axis.imshow(table[numbers], alpha=SHOWN, interpolation="nearest")


def show_picture(axis: Axes, image: ArrayLike) -> None:
    """Draws a picture ``(3, H, W)``, from 0 to 1 or uint8, without axes."""
    pixels: NDArray[np.float64] = np.asarray(image)
    scaled = pixels / 255 if pixels.dtype == np.uint8 else pixels.clip(0, 1)
    axis.imshow(scaled.transpose(1, 2, 0), interpolation="nearest")
    axis.set_xticks([])
    axis.set_yticks([])


def panels(columns: Mapping[str, Sequence[Drawing]], shape: float = 1.0) -> Figure:
    """A figure with a column for the truth and one for each network, and a row for each picture.

    Args:
        columns: What each column shows, top to bottom, by its title.
        shape: Width of a picture, divided by its height.

    Raises:
        ValueError: Columns have different numbers of pictures, or there are none.
    """
    counts = {title: len(drawn) for title, drawn in columns.items()}
    if len(set(counts.values())) != 1 or not all(counts.values()):
        raise ValueError(
            f"columns have {counts} pictures; accepted: the same number in each, at least one"
        )
    rows = next(iter(counts.values()))
    size = (INCHES * shape * len(columns), INCHES * rows + 0.3)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, len(columns), squeeze=False)
    for number, (title, drawn) in enumerate(columns.items()):
        grid[0, number].set_title(title, fontsize=9)
        for axis, draw in zip(grid[:, number], drawn, strict=True):
            draw(axis)
    return figure


def add_names(figure: Figure, names: Sequence[str]) -> None:
    """Adds the colours of classes below the panels."""
    handles = [Patch(color=colour_of(label), label=name) for label, name in enumerate(names)]
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=max(1, min(len(names), round(figure.get_figwidth() / 1.3))),
        frameon=False,
        fontsize=7,
    )
