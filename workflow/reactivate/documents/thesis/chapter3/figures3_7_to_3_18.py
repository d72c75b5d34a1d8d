"""Thesis, Figures 3.7 to 3.18: activations, weights and gradients of layers over training."""

import pandas as pd

from reactivate.documents.thesis.dynamics import place_of, shortened, thinned
from reactivate.evidence.observed import Observations


def over_training(
    observations: Observations, table: str, quantity: str, layers: str = "", every: int = 1
) -> pd.DataFrame:
    """Mean and variance of a quantity over the neurons of some layers, by step.

    Args:
        observations: What was observed of the networks.
        table: Which of their tables holds it: ``activations`` or ``weights``.
        quantity: A column pair of that table, ``{quantity}_mean`` and ``{quantity}_variance``.
        layers: Numbers of layers, counted from 1 and separated by blanks; all by default.
        every: Steps of the printed run between two points, at least.

    Raises:
        ValueError: A layer is named that a network does not have.
    """
    seen = thinned(observations.table(table), every)
    if layers:
        chosen = [int(layer) for layer in layers.split()]
        missing = set(chosen) - set(seen["layer"])
        if missing:
            raise ValueError(
                f"layers names {sorted(missing)}, but the networks have 1 to "
                f"{seen['layer'].max()}; change the settings of the exhibit in config/papers"
            )
        seen = seen[seen["layer"].isin(chosen)]
    moments = seen[[*place_of(seen), "step", "layer"]].copy()
    for what in ("mean", "variance"):
        moments[what] = seen[f"{quantity}_{what}"]
    return shortened(moments.dropna().reset_index(drop=True))
