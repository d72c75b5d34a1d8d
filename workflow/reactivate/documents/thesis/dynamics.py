"""Numbers that were observed during training: moments, stretches and their summaries."""

import pandas as pd

PLACE = ["row", "column"]


def thinned(table: pd.DataFrame, every: int) -> pd.DataFrame:
    """Of each network, the moments that are at least ``every`` printed steps after the last."""
    parts = []
    for _, part in table.groupby(PLACE, sort=False):
        kept, last = [], float("-inf")
        for step in sorted(part["printed_step"].unique()):
            if step >= last + every - 0.5:
                kept.append(step)
                last = step
        parts.append(part[part["printed_step"].isin(kept)])
    return pd.concat(parts, ignore_index=True)


def late(numbers: pd.DataFrame) -> pd.DataFrame:
    """The last quarter of a training."""
    found: pd.DataFrame = numbers[numbers["step"] >= 0.75 * numbers["step"].max()]
    return found


def early(numbers: pd.DataFrame) -> pd.DataFrame:
    """The first quarter of a training."""
    found: pd.DataFrame = numbers[numbers["step"] <= 0.25 * numbers["step"].max()]
    return found


def by_activation(numbers: pd.DataFrame, quantity: str) -> dict[str, float]:
    """Mean of a quantity over layers and records, by activation."""
    means = numbers.groupby("column", sort=False)[quantity].mean()
    return {str(name): float(value) for name, value in means.items()}
