"""Tables that observed trainings, or all seeds of runs, left behind."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from reactivate.evidence.epochs import read_history
from reactivate.evidence.histories import HISTORY
from reactivate.experiment.run_exhibit import Where

PLACE = ("row", "column", "protocol", "seed")


@dataclass(frozen=True)
class Observations:
    """The runs that an analysis looks at, with the tables of observations or of metrics."""

    folders: dict[Where, Path]

    def table(self, name: str) -> pd.DataFrame:
        """The table of that name of all runs, with the place of each run.

        Raises:
            ValueError: There are no runs.
        """
        if not self.folders:
            raise ValueError(
                "no run of this exhibit is within reach; accepted: one or more. Ask without "
                "--config reach=…, or add to what it reaches in scales.yaml"
            )
        tables = []
        for where, folder in self.folders.items():
            place: dict[str, Any] = dict(zip(PLACE, where, strict=False))
            file = folder / f"{name}.csv"
            table = read_history(folder) if file.name == HISTORY else pd.read_csv(file)
            tables.append(table.assign(**place))
        return pd.concat(tables, ignore_index=True)
