"""Records of a training: some of them, those of its first or last quarter, and summaries."""

import pandas as pd

PLACE = ("row", "column", "seed")


def place_of(table: pd.DataFrame) -> list[str]:
    """Columns that tell networks apart; without seeds there is one network of each kind."""
    return [name for name in PLACE if name in table]


def thinned(table: pd.DataFrame, every: int) -> pd.DataFrame:
    """Records of each network that are at least ``every`` printed steps after the last one."""
    parts = []
    for _, part in table.groupby(place_of(table), sort=False):
        kept, last = [], float("-inf")
        for step in sorted(part["printed_step"].unique()):
            if step >= last + every - 0.5:
                kept.append(step)
                last = step
        parts.append(part[part["printed_step"].isin(kept)])
    return pd.concat(parts, ignore_index=True)


def shortened(table: pd.DataFrame) -> pd.DataFrame:
    """The table with eight significant digits: networks compute in single precision, with seven.

    Example:
        >>> shortened(pd.DataFrame({"mean": [0.05061763857832968], "step": [100000001]}))
               mean       step
        0  0.050618  100000001
    """
    measured = table.select_dtypes("float")
    return table.assign(**measured.map(lambda x: float(f"{x:.8g}")))


def late(numbers: pd.DataFrame) -> pd.DataFrame:
    """The records of the last quarter of a training."""
    quarter: pd.DataFrame = numbers[numbers["step"] >= 0.75 * numbers["step"].max()]
    return quarter


def early(numbers: pd.DataFrame) -> pd.DataFrame:
    """The records of the first quarter of a training."""
    quarter: pd.DataFrame = numbers[numbers["step"] <= 0.25 * numbers["step"].max()]
    return quarter
