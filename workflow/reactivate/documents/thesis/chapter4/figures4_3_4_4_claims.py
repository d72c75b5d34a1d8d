"""Statements of the thesis on regions on a plane (section 4.4.1), from Figures 4.3 and 4.4."""

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement


def regions_are_convex(points: pd.DataFrame) -> Judgement:
    """In the projection to two dimensions, the regions are convex.

    A region that is not convex on the grid is not convex; one that is may still not be.
    """
    regions = points.drop_duplicates(["activation", "view", "region"])
    regions = regions[regions["region"] >= 0]
    bent = regions[~regions["convex"].astype(bool)]
    finding = (
        f"of {len(regions)} regions of the {', '.join(regions['activation'].unique())} network, "
        f"{len(bent)} have a point of another region between their points"
    )
    if len(bent):
        largest = bent.nlargest(1, "area").iloc[0]
        finding += (
            f"; the largest has area {largest['area']:.2g} and contains "
            f"({largest['u']:.3f}, {largest['v']:.3f})"
        )
    return ordered(not len(bent), finding)


def smaller_inside(points: pd.DataFrame) -> Judgement:
    """Within the triangle the average region is smaller than outside of it.

    The mean of 1 / area over points is the number of regions per area, where a region that lies
    partly inside counts as a part. What the picture's edge cuts off makes outer regions smaller.
    """
    around = points[(points["view"] == "around") & (points["region"] >= 0)]
    inside = (around["u"] >= 0) & (around["v"] >= 0) & (around["u"] + around["v"] <= 1)
    within, beyond = (1 / (1 / around.loc[part, "area"]).mean() for part in (inside, ~inside))
    finding = (
        f"mean area of a region of the {', '.join(around['activation'].unique())} network: "
        f"{within:.2g} inside, {beyond:.2g} outside (the triangle has 0.5)"
    )
    return ordered(within < beyond, finding)
