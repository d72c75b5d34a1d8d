"""Statements of the thesis on neuron entropy after training, judged from Figure 5.9."""

import pandas as pd

from reactivate.documents.shared.replicates import of_seeds
from reactivate.judging.exact import not_comparable
from reactivate.judging.questions import Found, Readings
from reactivate.judging.replicates import Effect

SIGNIFICANT = (0.1, 0.05, 0.2)  # shares of neurons that may be meant by a significant proportion
MAJORITY = 0.5
DEAD_LAYERS = {  # that may be meant by layers 11 to 14
    "counted from 1": (11, 12, 13, 14),
    "counted from 0": (12, 13, 14, 15),
    "as in section 5.3.3.2": (10, 11, 12),
}


def stable_from_layer_7(distributions: pd.DataFrame) -> Effect:
    """On validation images more neurons have one pattern from layer 7 on than before."""

    def rise(own: pd.DataFrame) -> float:
        constant = _by_layer(own, "constant", "test")
        return float(constant[constant.index >= 7].mean() - constant[constant.index < 7].mean())

    return of_seeds(distributions, rise)


def dying_in_layers_10_to_12(distributions: pd.DataFrame) -> Readings:
    """On validation images a significant proportion of layers 10 to 12 has entropy 0."""
    return Readings(
        {
            f"{share:.0%} of the neurons": _constant(distributions, (10, 11, 12), share)
            for share in SIGNIFICANT
        }
    )


def dying_in_layers_11_to_14(distributions: pd.DataFrame) -> Readings:
    """Section 1.2.3: in layers 11 to 14 a majority of neurons never changes its pattern."""
    return Readings(
        {
            f"layers {reading}": _constant(distributions, layers, MAJORITY)
            for reading, layers in DEAD_LAYERS.items()
        }
    )


def near_0_in_deep_layers(distributions: pd.DataFrame) -> Effect:
    """On training images more neurons have an entropy close to 0 in deep layers."""
    lowest = distributions[distributions["entropy_from"] == 0]

    def rise(own: pd.DataFrame) -> float:
        share = _by_layer(own, "share", "train")
        return float(share[share.index >= 10].mean() - share[share.index <= 6].mean())

    return of_seeds(lowest, rise)


def _constant(distributions: pd.DataFrame, layers: tuple[int, ...], share: float) -> Found:
    """Share of neurons with one pattern in each layer, minus another share."""
    if not set(layers) <= set(distributions["layer"]):
        return not_comparable("network", f"the network has no layers {layers}")
    return {
        f"layer {layer}": of_seeds(
            distributions[distributions["layer"] == layer],
            lambda own: float(_by_layer(own, "constant", "test").iloc[0]) - share,
        )
        for layer in layers
    }


def _by_layer(distributions: pd.DataFrame, column: str, part: str) -> "pd.Series[float]":
    return distributions[distributions["part"] == part].groupby("layer")[column].mean()
