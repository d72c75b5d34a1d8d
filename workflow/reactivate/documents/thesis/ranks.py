"""Rank correlation of two columns."""

import numpy as np
import pandas as pd


def rank_correlation(x: pd.Series, y: pd.Series) -> float:
    """Spearman's rho; NaN where one of the two does not vary."""
    if x.nunique() < 2 or y.nunique() < 2:
        return float("nan")
    return float(np.corrcoef(x.rank(), y.rank())[0, 1])
