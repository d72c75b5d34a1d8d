"""Source files read as one table of numbers, whose size is checked against the catalog."""

import csv
import gzip
import zipfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reactivate.experiment.catalog.catalog import Dataset, Layout

DELIMITERS = {"csv": ",", "semicolon": ";", "tab": "\t"}


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
    rows = [row for row in islice(_rows(path, layout), layout.header, None) if any(_filled(row))]
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


def _rows(path: Path, layout: Layout) -> Iterator[list[Any]]:
    """Rows of a file in any of the known formats."""
    if layout.format == "xlsx":
        yield from _sheet(path, layout)
        return
    with _lines(path) as file:
        if layout.format == "whitespace":
            yield from (line.split() for line in file)
        else:
            yield from csv.reader(file, delimiter=DELIMITERS[layout.format])


def _lines(path: Path) -> Any:
    """The open text file, decompressed if need be."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="")
    return path.open(encoding="utf-8", newline="")


def _sheet(path: Path, layout: Layout) -> Iterator[list[Any]]:
    """Rows of a sheet of a workbook."""
    from openpyxl import load_workbook  # 0.2 s that the other formats need not pay

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ValueError(f"{path.name} is not an xlsx file: {error}") from None
    sheet = layout.sheet or book.sheetnames[0]
    if sheet not in book.sheetnames:
        raise ValueError(
            f"{path.name} has no sheet {sheet!r}; it has {', '.join(book.sheetnames)}. "
            "Correct read.sheet in config/datasets.yaml"
        )
    yield from (list(row) for row in book[sheet].iter_rows(values_only=True))
    book.close()
