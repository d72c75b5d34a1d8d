"""Statement of CReLU's section 4.3 on reconstructions, from Figure 6."""

from functools import partial

import pandas as pd

from reactivate.documents.crelu.figure6 import MEAN_COLOUR, ORIGINAL
from reactivate.documents.shared.replicates import of_seeds
from reactivate.judging.replicates import Effect

DOCUMENT = "crelu_conv1_4"  # the network of Figure 6


def reasonable(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Ratio of a picture of the mean colour minus that of the reconstruction from each layer."""
    own = numbers[numbers["network"] == DOCUMENT]

    def nearer(layer: str, seed: pd.DataFrame) -> float:
        ratios = seed.groupby("from")["ratio"].first()
        return float(ratios[MEAN_COLOUR] - ratios[layer])

    layers = [str(name) for name in own["from"].unique() if name not in (ORIGINAL, MEAN_COLOUR)]
    return {layer: of_seeds(own, partial(nearer, layer)) for layer in layers}
