"""What layers do over training: thesis Figures 3.7 to 3.18."""

import pandas as pd

from reactivate.evidence.observed import Observations

PLACE = ["row", "column"]


def over_training(
    observations: Observations, table: str, quantity: str, layers: str = "", every: int = 1
) -> pd.DataFrame:
    """Mean and variance of a quantity over the neurons of some layers, by step.

    Args:
        observations: Of the networks.
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
    found = seen[[*PLACE, "step", "layer"]].copy()
    for what in ("mean", "variance"):
        found[what] = seen[f"{quantity}_{what}"]
    return found.dropna().reset_index(drop=True)


def similarity(observations: Observations, every: int, until: int = 0) -> pd.DataFrame:
    """Pattern similarity and prediction distance of pairs with different labels, by step.

    The accuracy is that of the network at the end.

    Args:
        observations: Of the networks.
        every: Steps of the printed run between two points, at least.
        until: Step of the printed run after which nothing is shown; 0 for the end.
    """
    seen = thinned(observations.table("network"), every)
    if until:
        seen = seen[seen["printed_step"] < until]
    final = observations.table("history").groupby(PLACE)["test_top1"].last().rename("accuracy")
    shown = ["step", "printed_step", "similarity", "distance_mean", "distance_variance"]
    return seen[[*PLACE, *shown]].join(final, on=PLACE).reset_index(drop=True)


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
