"""Regions on a plane (section 4.4.1): what the thesis states, and what our networks show."""

import pandas as pd

from reactivate.judging.effects import log_difference
from reactivate.judging.replicates import Effect


def mean_areas(points: pd.DataFrame) -> tuple[float, float]:
    """Mean area of a region inside the triangle of the three images, and outside of it.

    The mean of 1 / area over points is the number of regions per area, where a region that lies
    partly inside counts as a part. What the picture's edge cuts off makes outer regions smaller.
    """
    around = points[(points["view"] == "around") & (points["region"] >= 0)]
    inside = (around["u"] >= 0) & (around["v"] >= 0) & (around["u"] + around["v"] <= 1)
    within, beyond = (1 / (1 / around.loc[part, "area"]).mean() for part in (inside, ~inside))
    return float(within), float(beyond)


def smaller_inside(points: pd.DataFrame) -> Effect:
    """Section 4.4.1: within the triangle the average region is smaller than outside of it."""
    within, beyond = mean_areas(points)
    return log_difference({0: within}, {0: beyond}, paired=True)


def regions_of_our_network(points: pd.DataFrame) -> str:
    """How many regions of our one network are not convex, and how large regions are.

    A region that is not convex on the grid is not convex; one that is may still not be.
    """
    regions = points.drop_duplicates(["activation", "view", "region"])
    regions = regions[regions["region"] >= 0]
    bent = int((~regions["convex"].astype(bool)).sum())
    within, beyond = mean_areas(points)
    return (
        f"of {len(regions)} regions of our {', '.join(regions['activation'].unique())} network, "
        f"{bent} have a point of another region between their points; the mean area of a region "
        f"is {within:.2g} inside the triangle and {beyond:.2g} outside"
    )
