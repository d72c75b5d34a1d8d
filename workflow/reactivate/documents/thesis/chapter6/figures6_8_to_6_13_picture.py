"""Pictures of thesis Figures 6.8 to 6.13: certified accuracy against the radius."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import GREY, Look, assigned
from reactivate.documents.shared.printed import printed_numbers
from reactivate.experiment.labels import label
from reactivate.judging.intervals import exact_share

NAMES = {
    "document": "as printed (no certificate\nwhere float paths are repressed)",
    "authors_code": "the author's code\n(no certificate either)",
    "sound": "sound variant",
}
TABLES = "table6_5", "table6_6"  # which print numbers of the same methods
CLEAN = "clean"  # their column of radius 0
LEVEL = 0.95  # of the interval over images


def curves(numbers: pd.DataFrame) -> Figure:
    """A line per method, a panel per protocol; crosses are the numbers that the thesis prints.

    Shaded is the exact 95 % interval over the images of the one network behind a line.
    """
    protocols = list(dict.fromkeys(numbers["protocol"]))
    looks = assigned(map(str, numbers["method"]))
    figure = Figure(figsize=(4.9 * len(protocols), 5.0), layout="constrained")
    panels = figure.subplots(1, len(protocols), sharey=True, squeeze=False)[0]
    for panel, protocol in zip(panels, protocols, strict=True):
        shown = numbers[numbers["protocol"] == protocol]
        for method, part in shown.groupby("method", sort=False):
            _draw_method(panel, part, looks[str(method)])
            if protocol == protocols[0]:
                _draw_printed(panel, str(method), looks[str(method)], shown["radius"].max())
        panel.set_title(NAMES.get(protocol) or label(protocol), fontsize=10)
        panel.set_xlabel("radius (l2, pixels from 0 to 1)")
        panel.grid(alpha=0.25)
    images = "/".join(map(str, sorted(numbers["images"].unique())))
    panels[0].set_ylabel(f"certified accuracy (%), {images} images")
    panels[0].set_ylim(bottom=0)
    handles = [Line2D([], [], label=look.label, **look.line) for look in looks.values()]
    cross = Line2D([], [], color=GREY, ls="", marker="x", label="printed (left), by colour")
    columns = max(1, int(1.6 * len(protocols)))
    figure.legend(handles=[*handles, cross], loc="outside lower center", ncols=columns)
    return figure


def _draw_method(panel: Axes, part: pd.DataFrame, look: Look) -> None:
    panel.step(part["radius"], part["accuracy"], where="post", label=look.label, **look.line)
    ends = [
        exact_share(round(accuracy * images / 100), images, LEVEL)
        for accuracy, images in zip(part["accuracy"], part["images"], strict=True)
    ]
    low, high = ([100 * getattr(end, side) for end in ends] for side in ("low", "high"))
    panel.fill_between(
        part["radius"], low, high, step="post", color=look.colour, alpha=0.08, linewidth=0
    )


def _draw_printed(panel: Axes, method: str, look: Look, farthest: float) -> None:
    """Crosses where the thesis prints a number of a method, at the radii that are drawn."""
    for table in TABLES:
        cells = printed_numbers("thesis", table).get(method, {})
        places = {0.0 if c == CLEAN else int(c[1:]) / 100: n for c, n in cells.items()}
        drawn = {radius: number for radius, number in places.items() if radius <= farthest}
        panel.plot(list(drawn), list(drawn.values()), "x", color=look.colour, markersize=5)
