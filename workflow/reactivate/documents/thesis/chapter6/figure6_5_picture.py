"""Picture of thesis Figure 6.5: fixed and float paths on a plane through an image."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from reactivate.documents.thesis.chapter6.looks import FIXED, FLOAT

LINE = "#333333"


def around_image(numbers: pd.DataFrame) -> Figure:
    """Prediction over fixed paths, float paths, and the prediction with fewer float paths."""
    eta = float(numbers["eta"].iloc[0])
    panels = [
        ("(a) prediction $f$, fixed paths $Z^I$", "fixed", FIXED, "prediction"),
        ("(b) float paths $Z^T = f - Z^I$", "float", FLOAT, None),
        (f"(c) $Z^I + {eta:g} Z^T$, fixed paths $Z^I$", "fixed", FIXED, "reformed"),
    ]
    figure = Figure(figsize=(13.4, 4.6))
    figure.subplots_adjust(left=0.0, right=0.96, top=0.96, bottom=0.1, wspace=0.08)
    same = numbers[["prediction", "fixed", "reformed"]].to_numpy()
    ends = float(same.min()), float(same.max())
    for place, (title, surface, colour, wires) in enumerate(panels, start=1):
        space: Any = figure.add_subplot(1, 3, place, projection="3d")
        sheets = _grid(numbers, surface)
        space.plot_surface(*sheets, color=colour, alpha=0.55, linewidth=0, rcount=40, ccount=40)
        if wires is not None:
            space.plot_wireframe(
                *_grid(numbers, wires), color=LINE, linewidth=0.5, rcount=20, ccount=20
            )
            space.set_zlim(*ends)
        space.set_title(title, fontsize=10, y=1.0)
        space.set_xlabel("u")
        space.set_ylabel("v")
        space.tick_params(labelsize=8)
        space.view_init(elev=24, azim=-58)
        space.set_box_aspect((1, 1, 0.75), zoom=0.97)
    handles = [
        Line2D([], [], color=LINE, linewidth=0.8, label="prediction: (a) as it is, (c) reformed"),
        Patch(color=FIXED, alpha=0.55, label="fixed paths between the image and the point"),
        Patch(color=FLOAT, alpha=0.55, label="float paths"),
    ]
    figure.legend(handles=handles, loc="lower center", ncols=3, frameon=False)
    return figure


def _grid(numbers: pd.DataFrame, column: str) -> list[Any]:
    """u, v and a value, as matrices."""
    table = numbers.pivot(index="v", columns="u", values=column)
    return [*np.meshgrid(table.columns, table.index), table.to_numpy()]
