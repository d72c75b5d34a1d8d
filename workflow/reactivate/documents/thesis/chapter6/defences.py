"""Networks with different defences, measured one after the other."""

from collections.abc import Callable

import pandas as pd

from reactivate.evidence.networks import NetworkRun


def by_defence(
    networks: list[NetworkRun], measure: Callable[[NetworkRun], pd.DataFrame]
) -> pd.DataFrame:
    """The rows that are measured of every network, with its defence and its seed before them."""
    parts = []
    for run in networks:
        part = measure(run)
        part.insert(0, "defence", run.place[1])
        part.insert(1, "seed", run.seed)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
