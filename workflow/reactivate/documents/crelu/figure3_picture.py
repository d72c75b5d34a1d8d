"""Picture of CReLU Figure 3: the product with a matrix in (a), the same as maps in (b)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from reactivate.documents.crelu.figure3 import (
    CRELU,
    FILTER,
    INPUT,
    MATRIX,
    PHASES,
    POOLED,
    RESPONSE,
)
from reactivate.documents.shared.looks import GREY

COLOURS, SELECTED, BLOCK = "RdBu_r", "#111111", GREY
PALE = 1.5  # the end of the colours, in multiples of the largest number
TITLES = {
    INPUT: "input $x$",
    FILTER: "filters",
    RESPONSE: "convolution",
    CRELU: "CReLU",
    POOLED: "pool",
}
SIGNS = dict(zip(PHASES, ("[·]$_+$", "[−·]$_+$"), strict=True))
Map = NDArray[np.float64]


def figure3(numbers: pd.DataFrame) -> Figure:
    """The layer as the product with ``W^T`` that g reads (a), and as maps of its filters (b)."""
    figure = Figure(figsize=(10.5, 7.6), layout="constrained")
    halves = figure.add_gridspec(2, 1, height_ratios=[0.95, 1.0])
    _draw_product(figure.add_subfigure(halves[0]), numbers)
    _draw_maps(figure.add_subfigure(halves[1]), numbers)
    return figure


def _draw_maps(figure: SubFigure, numbers: pd.DataFrame) -> None:
    filters = sorted(set(numbers["filter"]) - {0})
    columns = [(FILTER, ""), (RESPONSE, ""), *((p, s) for p in (CRELU, POOLED) for s in PHASES)]
    widths = [2.4, 1.2, *[1.0] * (len(columns) - 1)]
    grid = figure.add_gridspec(len(filters), 1 + len(columns), width_ratios=widths)
    figure.suptitle("(b) one pooling region, filter by filter", fontsize=10, x=0.01, ha="left")
    first = figure.add_subplot(grid[:, 0])
    _show(first, _map(numbers, INPUT), _scale(numbers, INPUT))
    first.set_title(TITLES[INPUT], fontsize=10)
    for row, number in enumerate(filters):
        for column, (part, phase) in enumerate(columns, start=1):
            axis = figure.add_subplot(grid[row, column])
            own = _part(numbers, part, number, phase)
            _show(axis, _map(own), _scale(numbers, part))
            for place in own.loc[own["selected"], ["row", "column"]].to_numpy(dtype=int):
                _frame(axis, *place)
            if row == 0:
                axis.set_title(f"{TITLES[part]} {SIGNS.get(phase, '')}", fontsize=10)
            if part == FILTER:
                axis.set_ylabel(f"$W_{number}$", rotation=0, labelpad=12, va="center")


def _draw_product(figure: SubFigure, numbers: pd.DataFrame) -> None:
    matrix = numbers[numbers["part"] == MATRIX]
    blocks = [_map(part) for _, part in matrix.groupby("filter")]
    transposed = np.concatenate(blocks)
    x = _map(numbers, INPUT).reshape(1, -1)
    responses = numbers[numbers["part"] == RESPONSE].groupby("filter")
    z = np.concatenate([_map(part).reshape(-1, 1) for _, part in responses])
    features = [
        _map(_part(numbers, POOLED, number, phase))
        for phase in PHASES
        for number in range(1, len(blocks) + 1)
    ]
    grid = figure.add_gridspec(2, 3, width_ratios=[25, 2, 2], height_ratios=[1, 12])
    title = (
        f"(a) $W^T$, {transposed.shape[0]} × {transposed.shape[1]}, and $f_{{cnn}}(x) = g(W^T x)$"
    )
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    top = figure.add_subplot(grid[0, 0])
    _show(top, x, _scale(numbers, INPUT), square=False)
    top.set_ylabel("$x^T$", rotation=0, labelpad=14, va="center")
    left = figure.add_subplot(grid[1, 0])
    _show(left, transposed, _scale(numbers, MATRIX), square=False)
    _rule(left, [len(block) for block in blocks], transposed.shape[1])
    left.set_yticks(
        [len(blocks[0]) * (place + 0.5) - 0.5 for place in range(len(blocks))],
        [f"$W_{number}$" for number in range(1, len(blocks) + 1)],
    )
    middle = figure.add_subplot(grid[1, 1])
    _show(middle, z, _scale(numbers, RESPONSE))
    _rule(middle, [len(block) for block in blocks], 1)
    middle.set_title("$W^T x$", fontsize=10)
    right = figure.add_subplot(grid[1, 2])
    _show(right, np.concatenate(features), _scale(numbers, POOLED))
    _rule(right, [len(blocks)] * len(PHASES), 1)
    right.set_title("$g(W^T x)$", fontsize=10)
    right.set_yticks(
        [len(blocks) * (place + 0.5) - 0.5 for place in range(len(PHASES))],
        [SIGNS[phase] for phase in PHASES],
    )


def _show(axis: Axes, values: Map, largest: float, square: bool = True) -> None:
    """A map in colours, white at 0, with its numbers; a matrix without its zeros."""
    end = PALE * largest
    axis.imshow(values, cmap=COLOURS, vmin=-end, vmax=end, aspect="equal" if square else "auto")
    axis.set_xticks([])
    axis.set_yticks([])
    for (y, x), value in np.ndenumerate(values):
        if value or square:
            axis.text(x, y, f"{value:.0f}", ha="center", va="center", fontsize=7)


def _frame(axis: Axes, row: int, column: int) -> None:
    """Marks the number that max-pooling selects."""
    box = Rectangle((column - 0.45, row - 0.45), 0.9, 0.9, fill=False, ec=SELECTED, lw=1.6)
    axis.add_patch(box)


def _rule(axis: Axes, sizes: Sequence[int], width: int) -> None:
    """Lines between blocks of rows."""
    for edge in np.cumsum(sizes)[:-1]:
        axis.hlines(edge - 0.5, -0.5, width - 0.5, color=BLOCK, linewidth=1)


def _part(numbers: pd.DataFrame, part: str, number: int, phase: str) -> pd.DataFrame:
    """The numbers of one map."""
    phases = numbers["phase"].fillna("")
    chosen = (numbers["part"] == part) & (numbers["filter"] == number) & (phases == phase)
    return numbers[chosen]


def _map(numbers: pd.DataFrame, part: str | None = None) -> Map:
    """The values of a map, by row and column."""
    own = numbers if part is None else numbers[numbers["part"] == part]
    return own.pivot(index="row", columns="column", values="value").to_numpy(dtype=float)


def _scale(numbers: pd.DataFrame, part: str) -> float:
    """The largest size of a part's values; phases and features share that of the responses."""
    shared = RESPONSE if part in (CRELU, POOLED) else part
    return float(numbers.loc[numbers["part"] == shared, "value"].abs().max()) or 1.0
