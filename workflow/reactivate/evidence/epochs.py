"""What happened during the runs of an exhibit, epoch by epoch."""

from pathlib import Path

import pandas as pd

from reactivate.evidence.histories import HISTORY
from reactivate.evidence.records import verify_record
from reactivate.experiment.paths import RECORD
from reactivate.experiment.run_exhibit import RunExhibit


def read_history(folder: Path) -> pd.DataFrame:
    """Every epoch of the training in a folder.

    Raises:
        ValueError: The network was not tested after every epoch.
    """
    history = pd.read_csv(folder / HISTORY)
    tested = history.filter(regex="^test_")
    if not tested.empty and tested.isna().all(axis=None):
        raise ValueError(
            f"{folder / HISTORY} has no test of any epoch; accepted: one of each. Remove `tests: "
            "end` from the recipe in scales.yaml, and train again"
        )
    return history


def read_histories(exhibit: RunExhibit) -> tuple[pd.DataFrame, list[Path]]:
    """Every epoch of every run of an exhibit, and the records, whose files are unchanged.

    The columns are row, column, protocol and seed, and those of ``history.csv``.
    """
    parts, records = [], []
    for place in exhibit.places:
        for folder in exhibit.folders(place):
            (seed,) = verify_record(folder / RECORD).seeds
            history = read_history(folder)
            known = {"row": place.row, "column": place.column, "protocol": place.protocol}
            parts.append(history.assign(**known, seed=seed))
            records.append(folder / RECORD)
    if not parts:
        raise ValueError(
            f"scale {exhibit.scale} runs nothing of {exhibit.paper.paper}/{exhibit.name} on this "
            f"machine; select some of it in config/papers/{exhibit.paper.paper}/scales.yaml"
        )
    return pd.concat(parts, ignore_index=True), records
