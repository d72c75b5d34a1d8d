"""Source files read as one table of numbers, whose size is checked against the catalog."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.catalog import Dataset, Layout
from reactivate.experiment.catalog.formats import TABLE_FORMATS


def read_table(path: Path, layout: Layout, dataset: Dataset) -> tuple[NDArray[Any], NDArray[Any]]:
    """The features and targets of a dataset.

    Args:
        path: A verified source file; ``.gz`` is decompressed.
        layout: Arrangement of the numbers in the file.
        dataset: Catalog entry, which says how many rows and columns there must be.

    Returns:
        Features ``(N, d)`` and targets ``(N, 1)``, float64, in the order of the file.

    Raises:
        ValueError: A value is not a number, or the size is not the catalog's.
    """
    read: Callable[[Path, Layout], Iterator[list[Any]]] = TABLE_FORMATS.load(layout.format)
    lines = islice(read(path, layout), layout.header, None)
    rows = [line for line in lines if any(_filled(line))]
    widths = {len(row) for row in rows}
    if len(rows) != dataset.rows or widths != {dataset.columns}:
        counts = ", ".join(str(width) for width in sorted(widths)) or "no"
        raise ValueError(
            f"{path.name} has {len(rows)} rows of {counts} columns; expected {dataset.rows} rows "
            f"of {dataset.columns}. Correct rows, features, unused or read.header in "
            "config/datasets.yaml"
        )
    try:
        table = np.array(rows, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{path.name} holds something that is not a number: {error}. "
            "Correct read.format or read.header in config/datasets.yaml"
        ) from None
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise ValueError(
            f"{path.name}: row {row + 1}, column {column + 1} is {table[row, column]}"
        )
    if dataset.decimals is not None:
        table = table.round(dataset.decimals)
    d = dataset.features
    return np.ascontiguousarray(table[:, :d]), np.ascontiguousarray(table[:, d : d + 1])


def _filled(row: Iterable[Any]) -> Iterator[bool]:
    """Whether each value of a row is there."""
    return (value not in (None, "") for value in row)
