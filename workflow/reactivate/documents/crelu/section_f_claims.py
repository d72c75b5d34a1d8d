"""What more reconstructions tell beside that of CReLU's Figure 6."""

import pandas as pd

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL


def nearer_than_mean_colour(numbers: pd.DataFrame) -> str:
    """Share of the images whose reconstruction is nearer than their mean colour, by layer."""
    keys = ["network", "image", "from"]
    ratios = numbers[numbers["from"] != ORIGINAL].drop_duplicates(keys)
    blank = ratios[ratios["from"] == MEAN_COLOUR].set_index(["network", "image"])["ratio"]
    told = []
    for (network, layer), part in ratios[ratios["from"] != MEAN_COLOUR].groupby(
        ["network", "from"], sort=False
    ):
        found = part.set_index(["network", "image"])["ratio"]
        nearer = int((found < blank.loc[found.index]).sum())
        told.append(f"{network} {layer} {nearer} of {len(found)}, mean ratio {found.mean():.3f}")
    return f"Images that are nearer than their mean colour: {'; '.join(told)}."
