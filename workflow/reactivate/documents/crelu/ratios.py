"""Reconstruction ratios of images beside the bound of Theorem 2.2: Table 6, image by image."""

import pandas as pd

from reactivate.evidence.networks import NetworkRun
from reactivate.evidence.probes import IMAGES


def beside_bound(runs: list[NetworkRun]) -> pd.DataFrame:
    """Reconstruction ratio and bound of every image, layer, dataset and kind of filters.

    Args:
        runs: Networks with the folders of what was measured; a row is a kind of filters, a column
            a dataset.
    """
    parts = []
    for run in runs:
        filters, dataset, _ = run.place[:3]
        rows = pd.read_csv(run.folder / IMAGES)
        parts.append(rows.assign(filters=filters, dataset=dataset))
    columns = ["dataset", "layer", "filters", "idx", "ratio", "bound"]
    return pd.concat(parts, ignore_index=True)[columns]
