"""Tables that observed trainings, or all seeds of runs, left behind."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from reactivate.experiment.run_exhibit import Where

PLACE = ("row", "column", "protocol", "seed")


@dataclass(frozen=True)
class Observations:
    """The runs that an analysis looks at, with the tables of observations or of metrics."""

    folders: dict[Where, Path]

    def table(self, name: str) -> pd.DataFrame:
        """The table of that name of all runs, with the place of each run."""
        tables = []
        for where, folder in self.folders.items():
            place: dict[str, Any] = dict(zip(PLACE, where, strict=False))
            tables.append(pd.read_csv(folder / f"{name}.csv").assign(**place))
        return pd.concat(tables, ignore_index=True)
