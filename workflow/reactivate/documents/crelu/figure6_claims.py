"""Statement of CReLU's section 4.3 on reconstructions, judged from Figure 6."""

import pandas as pd

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL
from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

DOCUMENT = "crelu_conv1_4"  # the network of Figure 6


def reasonable(numbers: pd.DataFrame) -> Judgement:
    """Every reconstruction is nearer to the image than a picture of its mean colour is."""
    shown = numbers[(numbers["network"] == DOCUMENT) & (numbers["from"] != ORIGINAL)]
    ratios = shown.groupby("from", sort=False)["ratio"].first()
    said = ", ".join(f"{name} {value:.3f}" for name, value in ratios.items())
    return ordered(
        bool((ratios.drop(MEAN_COLOUR) < ratios[MEAN_COLOUR]).all()),
        f"ratio of the mean colour and of each layer: {said}",
    )
