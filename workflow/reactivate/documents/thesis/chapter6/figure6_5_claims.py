"""Statement of the thesis on a plane through an image (section 6.4.2): Figure 6.5."""

import numpy as np
import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement


def reformed_is_stable(plane: pd.DataFrame) -> Judgement:
    """Repressing float paths makes the prediction locally stable: neighbours differ less."""
    steps = {name: step(plane, name) for name in ("prediction", "reformed", "fixed", "float")}
    finding = ", ".join(f"{name} {value:.3g}" for name, value in steps.items())
    eta = float(plane["eta"].iloc[0])
    return ordered(
        steps["reformed"] < steps["prediction"],
        f"mean difference between neighbours on the plane: {finding}; eta {eta:g}",
    )


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
