"""What was run for an exhibit at a scale, as its provenance file tells it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from reactivate.evidence.measured import Measured


@dataclass(frozen=True)
class Evidence:
    """The numbers of an exhibit, by row, column and protocol."""

    cells: dict[tuple[str, str, str], dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> "Evidence":
        """From the ``provenance.json`` of an exhibit."""
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return cls({(cell["row"], cell["column"], cell["protocol"]): cell for cell in cells})

    def values(self, row: str, column: str, protocol: str) -> list[float] | None:
        """One value per seed, or None if this cell was not run."""
        cell = self.cells.get((row, column, protocol))
        return None if cell is None else [float(value) for value in cell["values"]]

    def measured(self, row: str, column: str, protocol: str) -> Measured | None:
        values = self.values(row, column, protocol)
        return None if values is None else Measured.of(values)

    def how(self, row: str, column: str) -> str:
        """How a number was computed without training."""
        return next((c["how"] for k, c in self.cells.items() if k[:2] == (row, column)), "")

    def chosen_lrs(self, row: str, column: str, protocol: str) -> list[float] | None:
        """The learning rate of every seed, or None if this cell was not run."""
        cell = self.cells.get((row, column, protocol))
        if cell is None:
            return None
        folders = [Path(record["record"]).parent for record in cell["records"]]
        return [float(lr) for f in folders for lr in pd.read_csv(f / "metrics.csv")["lr"]]
