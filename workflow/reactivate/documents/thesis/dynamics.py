"""Records of a training: some of them, those of its first or last quarter, and summaries."""

import pandas as pd

PLACE = ["row", "column"]


def thinned(table: pd.DataFrame, every: int) -> pd.DataFrame:
    """Records of each network that are at least ``every`` printed steps after the last one."""
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
    """The records of the last quarter of a training."""
    quarter: pd.DataFrame = numbers[numbers["step"] >= 0.75 * numbers["step"].max()]
    return quarter


def early(numbers: pd.DataFrame) -> pd.DataFrame:
    """The records of the first quarter of a training."""
    quarter: pd.DataFrame = numbers[numbers["step"] <= 0.25 * numbers["step"].max()]
    return quarter


def by_column(numbers: pd.DataFrame, quantity: str, summary: str = "mean") -> dict[str, float]:
    """A summary of a quantity over layers and records, by column: an activation or a batch size.

    Args:
        numbers: Records, one a row.
        quantity: What is summarized.
        summary: How pandas calls the summary: ``mean``, ``median``, ``last``.
    """
    values = numbers.groupby("column", sort=False)[quantity].agg(summary)
    return {str(name): float(value) for name, value in values.items()}
