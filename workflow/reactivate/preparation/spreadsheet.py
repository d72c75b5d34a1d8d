"""Rows of a sheet of a workbook."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from reactivate.experiment.catalog.catalog import Layout


def sheet_rows(path: Path, layout: Layout) -> Iterator[list[Any]]:
    """Rows of the sheet that a layout names, or else of the first one.

    Raises:
        ValueError: The file is no workbook, or has no sheet of that name.
    """
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
