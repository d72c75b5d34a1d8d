"""The split that each gate of static PSC has learned."""

import pandas as pd
import torch

from reactivate.documents.psc.networks import gates_of, networks
from reactivate.evidence.networks import trained
from reactivate.evidence.observed import Observations
from reactivate.models.collapsed import splits


def split(runs: Observations) -> pd.DataFrame:
    """The share rho of outputs that read the positive phase, by gated layer.

    Args:
        runs: Trained networks of static PSC.

    Returns:
        Columns row, column, seed, layer (from 1), outputs, positives, rho, likelihood (of this
        split) and mean_rho (over all splits, by their likelihood).
    """
    rows = []
    for run in networks(runs):
        network = trained(run)
        for number, ((positives, outputs), gate) in enumerate(
            zip(splits(network), gates_of(network), strict=True), start=1
        ):
            likelihood = gate.likelihood.detach().double()
            shares = torch.arange(outputs + 1) / outputs
            rows.append(
                {
                    "row": run.place[0],
                    "column": run.place[1],
                    "seed": run.seed,
                    "layer": number,
                    "outputs": outputs,
                    "positives": positives,
                    "rho": positives / outputs,
                    "likelihood": likelihood[positives].item(),
                    "mean_rho": (likelihood * shares).sum().item(),
                }
            )
    return pd.DataFrame(rows)
