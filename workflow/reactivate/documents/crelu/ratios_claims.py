"""Statements of CReLU's sections 2.2 and 4.3 on reconstruction ratios, from images."""

import pandas as pd

from reactivate.judging.replicates import Effect

PRINTED_RATIO = 0.99  # of random filters, Table 6: they recover 1 %


def one_percent(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Mean ratio of random filters minus the printed 0.99, of each dataset and layer."""
    random = numbers[numbers["filters"] == "random"]
    places = random.groupby(["dataset", "layer"], sort=False)["ratio"]
    return {
        f"{dataset} {layer}": Effect((float(part.mean()) - PRINTED_RATIO,))
        for (dataset, layer), part in places
    }


def within_bound(numbers: pd.DataFrame) -> str:
    """How many images have a ratio above the bound of Theorem 2.2."""
    places = ["dataset", "layer", "filters"]
    above = numbers.assign(above=numbers["ratio"] > numbers["bound"]).groupby(places, sort=False)
    shown = ", ".join(
        f"{dataset} {layer} {filters} {int(part['above'].sum())} of {len(part)}"
        for (dataset, layer, filters), part in above
    )
    return f"Images above the bound: {shown}."
