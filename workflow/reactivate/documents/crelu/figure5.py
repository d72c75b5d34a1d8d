"""CReLU, Figure 5: pairing filters in trained networks, beside random ones."""

import pandas as pd

from reactivate.documents.crelu.figures1_2 import correlations
from reactivate.documents.crelu.filters import filters_of
from reactivate.evidence.networks import NetworkRun, trained


def figure5(networks: list[NetworkRun], draws: int) -> pd.DataFrame:
    """Correlations with pairing filters in every convolution, by the row of each network.

    Args:
        networks: With ReLU and with CReLU.
        draws: Sets of random filters.
    """
    parts = []
    for run in networks:
        part = correlations(filters_of(trained(run)), draws)
        part.insert(0, "network", run.place[0])
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
