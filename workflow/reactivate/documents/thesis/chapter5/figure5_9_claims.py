"""Statements of the thesis on neuron entropy after training, judged from Figure 5.9."""

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

SIGNIFICANT = 0.1  # share of neurons that is a significant proportion
MAJORITY = 0.5
DEAD_LAYERS = (11, 12, 13, 14)


def stable_from_layer_7(distributions: pd.DataFrame) -> Judgement:
    """On validation images more neurons have one pattern from layer 7 on than before."""
    constant = _by_layer(distributions, "constant", "test")
    before, after = constant[constant.index < 7], constant[constant.index >= 7]
    finding = (
        f"neurons with entropy 0 on validation images: {before.mean():.1%} in layers 1 to 6, "
        f"{after.mean():.1%} from layer 7 on ({_shown(constant)})"
    )
    return ordered(after.mean() > before.mean(), finding)


def dying_in_layers_10_to_12(distributions: pd.DataFrame) -> Judgement:
    """On validation images a significant proportion of layers 10 to 12 has entropy 0."""
    constant = _by_layer(distributions, "constant", "test")
    chosen = constant[constant.index.isin([10, 11, 12])]
    finding = f"neurons with entropy 0 on validation images: {_shown(chosen) or 'no such layers'}"
    return ordered(len(chosen) == 3 and chosen.min() >= SIGNIFICANT, finding)


def near_0_in_deep_layers(distributions: pd.DataFrame) -> Judgement:
    """On training images more neurons have an entropy close to 0 in deep layers."""
    lowest = distributions[distributions["entropy_from"] == 0]
    share = _by_layer(lowest, "share", "train")
    shallow, deep = share[share.index <= 6], share[share.index >= 10]
    below = float(lowest["entropy_to"].iloc[0])
    finding = (
        f"neurons with entropy below {below:.3f} on training images: {shallow.mean():.1%} in "
        f"layers 1 to 6, {deep.mean():.1%} from layer 10 on ({_shown(share)})"
    )
    return ordered(deep.mean() > shallow.mean(), finding)


def _by_layer(distributions: pd.DataFrame, column: str, part: str) -> "pd.Series[float]":
    return distributions[distributions["part"] == part].groupby("layer")[column].mean()


def _shown(values: "pd.Series[float]") -> str:
    return ", ".join(f"{layer}: {value:.1%}" for layer, value in values.items())


def dying_in_layers_11_to_14(distributions: pd.DataFrame) -> Judgement:
    """Section 1.2.3: in layers 11 to 14 a majority of neurons never changes its pattern."""
    test = distributions[distributions["part"] == "test"]
    constant = test.groupby("layer")["constant"].mean()
    chosen = constant[constant.index.isin(DEAD_LAYERS)]
    said = ", ".join(f"{layer}: {share:.1%}" for layer, share in chosen.items())
    return ordered(
        len(chosen) == len(DEAD_LAYERS) and bool(chosen.min() > MAJORITY),
        f"neurons with entropy 0 on validation images: {said or 'no such layers'}",
    )
