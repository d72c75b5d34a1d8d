"""Thesis, Figures 5.4 to 5.6: pattern similarity and prediction distance over training."""

import pandas as pd

from reactivate.documents.thesis.dynamics import place_of, shortened, thinned
from reactivate.evidence.observed import Observations


def similarity(observations: Observations, every: int, until: int = 0) -> pd.DataFrame:
    """Pattern similarity and prediction distance of pairs with different labels, by step.

    Each step has one row for each set of breakpoints that was tried; the distance does not depend
    on them. The accuracy is that of the network at the end.

    Args:
        observations: What was observed of the networks.
        every: Steps of the printed run between two points, at least.
        until: Step of the printed run after which nothing is shown; 0 for the end.

    Raises:
        ValueError: Of a network no similarity by chosen breakpoints was recorded.
    """
    seen = thinned(observations.table("network").drop(columns="similarity"), every)
    if until:
        seen = seen[seen["printed_step"] < until]
    place = place_of(seen)
    tried = observations.table("similarities")[[*place, "step", "breakpoints", "similarity"]]
    seen = seen.merge(tried, how="left", on=[*place, "step"])
    unseen = seen.loc[seen["similarity"].isna(), "column"].unique()
    if len(unseen):
        raise ValueError(
            f"no similarity was recorded for {', '.join(unseen)}; name its breakpoints under "
            "observations in config/papers/thesis"
        )
    final = observations.table("history").groupby(place)["test_top1"].last().rename("accuracy")
    shown = ["step", "printed_step", "breakpoints", "similarity"]
    shown += ["distance_mean", "distance_variance"]
    return shortened(seen[[*place, *shown]].join(final, on=place).reset_index(drop=True))
