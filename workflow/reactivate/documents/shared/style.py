"""One style for the figures of every document, and their files: PNG, SVG and PDF.

The same figure gives the same bytes: no file holds a date, a random name or a version.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from reactivate.documents.shared.looks import PALETTE
from reactivate.foundation.files import write_atomically

PICTURES = ("png", "svg", "pdf")  # that a figure is saved as
COLOURS = 256  # of a PNG: more would only make the file three times as large
DENSE = 1000  # points or shapes, from which on an artist is dots in SVG and PDF too
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # which comes with matplotlib
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=PALETTE),
    "image.cmap": "viridis",
    "svg.fonttype": "none",  # text stays text: it is found, read aloud, and small
    "svg.hashsalt": "reactivate",
    "pdf.fonttype": 42,
}
UNDATED = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@contextmanager
def styled() -> Iterator[None]:
    """What is drawn in the block has the style of all figures."""
    with matplotlib.rc_context(STYLE):
        yield


def save(figure: Figure, png: Path) -> None:
    """Writes a figure as PNG, and beside it as SVG and PDF.

    Args:
        figure: The figure.
        png: Where the PNG goes.
    """
    with styled():
        with write_atomically(png) as part:
            save_png(figure, part)
        for artist in figure.findobj(_is_dense):
            artist.set_rasterized(artist.axes is None or artist.axes.name != "3d")  # which cannot
        for ending in ("svg", "pdf"):
            with write_atomically(png.with_suffix(f".{ending}")) as part:
                figure.savefig(part, format=ending, dpi=150, metadata=UNDATED[ending])


def save_png(figure: Figure, path: Path) -> None:
    """Writes a picture with few colours, which thin lines do not miss."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=120)
    picture = Image.open(drawn).convert("RGB").quantize(COLOURS)
    picture.save(path, format="png", optimize=True)


def _is_dense(artist: Artist) -> bool:
    """Whether an artist has more points than a drawing program likes."""
    if isinstance(artist, Line2D):
        return np.size(artist.get_xdata(orig=True)) > DENSE
    if isinstance(artist, Collection):
        corners = sum(np.size(path.vertices) // 2 for path in artist.get_paths())
        return max(np.size(artist.get_offsets()) // 2, corners) > DENSE
    return False
