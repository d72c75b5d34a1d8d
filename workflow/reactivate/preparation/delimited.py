"""Rows of text files whose values are separated by commas, semicolons, tabs or spaces."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO, cast

from reactivate.experiment.catalog.catalog import Layout


def comma_rows(path: Path, _: Layout) -> Iterator[list[str]]:
    """Rows of a file whose values are separated by commas."""
    return _separated(path, ",")


def semicolon_rows(path: Path, _: Layout) -> Iterator[list[str]]:
    """Rows of a file whose values are separated by semicolons."""
    return _separated(path, ";")


def tab_rows(path: Path, _: Layout) -> Iterator[list[str]]:
    """Rows of a file whose values are separated by tabs."""
    return _separated(path, "\t")


def whitespace_rows(path: Path, _: Layout) -> Iterator[list[str]]:
    """Rows of a file whose values are separated by any number of spaces."""
    with _opened(path) as file:
        yield from (line.split() for line in file)


def _separated(path: Path, delimiter: str) -> Iterator[list[str]]:
    """Rows of a file whose values are separated by one character, and may be quoted."""
    with _opened(path) as file:
        yield from csv.reader(file, delimiter=delimiter)


def _opened(path: Path) -> TextIO:
    """The open text file, decompressed if its name ends with ``.gz``."""
    if path.suffix == ".gz":
        return cast(TextIO, gzip.open(path, "rt", encoding="utf-8", newline=""))
    return path.open(encoding="utf-8", newline="")
