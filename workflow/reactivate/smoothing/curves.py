"""What tables and figures say of certified images, from their rows."""

from collections.abc import Iterable, Mapping

import pandas as pd


def certified_accuracy(rows: pd.DataFrame, radii: Iterable[float]) -> "pd.Series[float]":
    """Share of images that are right and certified to each radius.

    Reference:
        Cohen et al. 2019, section 4 (arXiv:1902.02918).

    Args:
        rows: Columns ``correct`` and ``radius``.
        radii: Radii; 0 gives the share of right images.

    Returns:
        Fractions, indexed by radius.

    Example:
        >>> rows = pd.DataFrame({"correct": [True, True, False], "radius": [0.1, 0.5, 0.9]})
        >>> certified_accuracy(rows, [0.0, 0.5]).round(3).to_dict()
        {0.0: 0.667, 0.5: 0.333}
    """
    reached = {float(r): float((rows["correct"] & (rows["radius"] >= r)).mean()) for r in radii}
    return pd.Series(reached, name="certified_accuracy").rename_axis("radius")


def average_radius(rows: pd.DataFrame) -> float:
    """Mean radius, where images that are wrong or abstained from count 0: ACR.

    Reference:
        Jiang 2024, Eq. 6.49 (PhD thesis, Lancaster).

    Args:
        rows: Columns ``correct`` and ``radius``.

    Example:
        >>> rows = pd.DataFrame({"correct": [True, True, False], "radius": [0.1, 0.5, 0.9]})
        >>> round(average_radius(rows), 3)
        0.2
    """
    return float((rows["correct"] * rows["radius"]).mean())


def best_over_sigma(curves: "Mapping[float, pd.Series[float]]") -> pd.DataFrame:
    """The highest certified accuracy of several sigmas at each radius, and which sigma has it.

    Args:
        curves: Certified accuracy by sigma, all at the same radii.

    Returns:
        Columns ``certified_accuracy`` and ``sigma``, the first of equals, indexed by radius.

    Example:
        >>> curves = {0.25: pd.Series({0.0: 0.9, 1.0: 0.0}), 0.5: pd.Series({0.0: 0.7, 1.0: 0.3})}
        >>> best_over_sigma(curves)["sigma"].tolist()
        [0.25, 0.5]
    """
    table = pd.DataFrame(dict(curves))
    return pd.DataFrame({"certified_accuracy": table.max(axis=1), "sigma": table.idxmax(axis=1)})
