"""Thesis, Tables 3.2 and 3.3: accuracy of every network behind them, seed by seed."""

import pandas as pd

from reactivate.evidence.observed import Observations
from reactivate.evidence.records import Record, read_record
from reactivate.experiment.catalog.catalog import Dataset, dataset
from reactivate.experiment.experiment import Experiment
from reactivate.experiment.paths import RECORD


def accuracies(runs: Observations) -> pd.DataFrame:
    """Test accuracy at the end of every run.

    Args:
        runs: Runs of an activation (row), and of a network and what helps it to learn (column).

    Returns:
        Columns row, column, seed, top1 (percent) and images, on which it was measured.
    """
    images = [_images(read_record(folder / RECORD)) for folder in runs.folders.values()]
    return runs.table("metrics")[["row", "column", "seed", "top1"]].assign(images=images)


def _images(record: Record) -> int:
    """Test images behind the accuracy of a run."""
    assert record.cell is not None
    data = dataset(record.cell.dataset)
    assert not isinstance(data, Dataset)
    trained = Experiment.load(record.scale).cell(record.paper, record.cell).image_settings
    return round(data.test * trained.tested_fraction)
