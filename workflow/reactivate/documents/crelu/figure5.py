"""CReLU, Figure 5: pairing filters in trained networks, beside random ones."""

import pandas as pd

from reactivate.documents.crelu.figures1_2 import correlations
from reactivate.documents.crelu.filters import filters_of
from reactivate.evidence.networks import NetworkRun, trained

OF_A_FILTER = ("filter", "trained", "random")


def figure5(networks: list[NetworkRun], draws: int) -> pd.DataFrame:
    """Correlations with pairing filters in every convolution, by the row of each network.

    Args:
        networks: With ReLU and with CReLU.
        draws: Sets of random filters.

    Returns:
        Columns network, seed and those of ``correlations``. Of all seeds but the first there is
        one line per layer, which tells the layer and no filter.
    """
    parts = []
    for run in networks:
        part = correlations(filters_of(trained(run)), draws)
        if run.seed:
            part = part.drop_duplicates("layer").assign(**dict.fromkeys(OF_A_FILTER, None))
        part.insert(0, "network", run.place[0])
        part.insert(1, "seed", run.seed)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
