"""Thesis, Figures 5.11 to 5.13: accuracy of pruned networks, seed by seed."""

import numpy as np
import pandas as pd

from reactivate.evidence.observed import Observations

RUN = ["row", "column", "seed"]


def by_sparsity(runs: Observations) -> pd.DataFrame:
    """Figure 5.11: test accuracy at the end of every run, and the share of weights left.

    Args:
        runs: Runs of a method (row) and a sparsity (column), named ``s70`` for 70 %.
    """
    numbers = runs.table("metrics")[[*RUN, "top1", "diverged_at"]]
    numbers["diverged"] = numbers.pop("diverged_at").notna()
    numbers.insert(2, "sparsity", numbers["column"].str.removeprefix("s").astype(float) / 100)
    last = runs.table("masks").groupby([*RUN, "layer"], sort=False).last()
    layers = last.groupby(RUN)[["remaining", "size"]].sum()
    left = (layers["remaining"] / layers["size"]).round(6).rename("left")
    return numbers.join(left, on=RUN)


def by_frequency(runs: Observations) -> pd.DataFrame:
    """Figure 5.13: test accuracy at the end of every run, by blend and epochs between prunings."""
    numbers = by_sparsity(runs)
    parts = numbers["row"].str.rsplit("_every_", n=1, expand=True)
    return numbers.assign(blend=parts[0], every=parts[1].astype(int))


def over_epochs(runs: Observations) -> pd.DataFrame:
    """Figure 5.12: accuracies after every epoch, and how often it was pruned within it."""
    history = runs.table("history")[[*RUN, "epoch", "train_top1", "test_top1"]]
    masks = runs.table("masks").drop_duplicates([*RUN, "pruning"])
    within = masks.assign(epoch=np.ceil(masks["epoch"]).astype(int))
    counts = within.groupby([*RUN, "epoch"]).size().rename("prunings")
    numbers = history.join(counts, on=[*RUN, "epoch"])
    return numbers.fillna({"prunings": 0}).astype({"prunings": int})
