"""Printed numbers over the curves of a figure: crosses in the colours of their lines."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from reactivate.documents.shared.looks import GREY


def mark_at_end(axis: Axes, printed: Mapping[str, float], colours: Mapping[str, str]) -> None:
    """Draws what a document prints of the end of lines, on the right edge of their panel.

    A legend that is made of the lines of a panel is to be made before.

    Args:
        axis: The panel.
        printed: The printed numbers, by the names of the lines.
        colours: The colours of the lines that are drawn; numbers of other lines are left out.
    """
    for name, number in printed.items():
        if name in colours:
            axis.plot(
                1.0,
                number,
                "x",
                color=colours[name],
                markersize=6,
                transform=axis.get_yaxis_transform(),
                clip_on=False,
                zorder=6,
                label="_printed",
            )


def printed_key(where: str) -> Line2D:
    """The entry of a legend that says what crosses are, and where the document has them.

    Example:
        >>> printed_key("Table 2").get_label()
        'printed, Table 2'
    """
    return Line2D([], [], color=GREY, ls="", marker="x", label=f"printed, {where}")
