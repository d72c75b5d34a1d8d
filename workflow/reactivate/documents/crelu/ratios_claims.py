"""Statements of CReLU's sections 2.2 and 4.3 on reconstruction ratios, judged from images."""

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

ROUNDED = 0.985, 0.995  # ratios that are printed as 0.99


def one_percent(numbers: pd.DataFrame) -> Judgement:
    """The mean ratio of random filters is 0.99 in all places."""
    random = numbers[numbers["filters"] == "random"]
    places = random.groupby(["dataset", "layer"], sort=False)["ratio"]
    means = {f"{dataset} {layer}": float(part.mean()) for (dataset, layer), part in places}
    low, high = ROUNDED
    shown = ", ".join(
        f"{place} {value:.4f} ({1 - value**2:.1%} of the squared norm)"
        for place, value in means.items()
    )
    return ordered(
        all(low <= value < high for value in means.values()),
        f"mean ratio of random filters, and what they recover: {shown}",
    )


def within_bound(numbers: pd.DataFrame) -> Judgement:
    """No ratio is above the bound of Theorem 2.2."""
    places = ["dataset", "layer", "filters"]
    above = numbers.assign(above=numbers["ratio"] > numbers["bound"]).groupby(places, sort=False)
    shown = ", ".join(
        f"{dataset} {layer} {filters} {int(part['above'].sum())} of {len(part)}"
        for (dataset, layer, filters), part in above
    )
    return ordered(
        not (numbers["ratio"] > numbers["bound"]).any(),
        f"images above the bound: {shown}. The theorem needs inputs made of one shift of each "
        "filter, which features of images are not",
    )
