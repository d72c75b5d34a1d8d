"""Statement of CReLU's section 4.3 on reconstructions, from Figure 6."""

import pandas as pd

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL
from reactivate.judging.replicates import Effect

DOCUMENT = "crelu_conv1_4"  # the network of Figure 6


def reasonable(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Ratio of a picture of the mean colour minus that of the reconstruction from each layer."""
    shown = numbers[(numbers["network"] == DOCUMENT) & (numbers["from"] != ORIGINAL)]
    ratios = shown.groupby("from", sort=False)["ratio"].first()
    blank = float(ratios[MEAN_COLOUR])
    return {
        str(name): Effect((blank - float(found),))
        for name, found in ratios.drop(MEAN_COLOUR).items()
    }
