"""Thesis, Tables 3.2 and 3.3: accuracy of every network behind them, seed by seed."""

import pandas as pd

from reactivate.evidence.observed import Observations


def accuracies(runs: Observations) -> pd.DataFrame:
    """Test accuracy at the end of every run.

    Args:
        runs: Runs of an activation (row), and of a network and what helps it to learn (column).

    Returns:
        Columns row, column, seed and top1, in percent.
    """
    return runs.table("metrics")[["row", "column", "seed", "top1"]]
