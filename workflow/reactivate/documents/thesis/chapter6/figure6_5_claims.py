"""Effect of the thesis' statement on a plane through an image (section 6.4.2): Figure 6.5."""

import numpy as np
import pandas as pd

from reactivate.documents.thesis.chapter6.arms import by_seed, ratio
from reactivate.judging.replicates import Effect


def reformed_is_stable(plane: pd.DataFrame) -> Effect:
    """Repressing float paths makes the prediction locally stable: neighbours differ less."""
    steps = [
        by_seed(plane, lambda own, column=column: step(own, column))["std"]  # type: ignore[misc]
        for column in ("prediction", "reformed")
    ]
    return ratio(*steps, paired=True)


def step(plane: pd.DataFrame, column: str) -> float:
    """Mean absolute difference between neighbouring points of a grid.

    Example:
        >>> grid = {"u": [0, 0, 1, 1], "v": [0, 1, 0, 1], "height": [0.0, 1.0, 0.0, 2.0]}
        >>> step(pd.DataFrame(grid), "height")
        1.0
    """
    table = plane.pivot(index="v", columns="u", values=column).to_numpy(dtype=float)
    steps = [np.diff(table, axis=axis).flatten() for axis in (0, 1)]
    return float(np.abs(np.concatenate(steps)).mean())
