"""Statements of the thesis that other sections of it contradict, judged from analyses."""

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.documents.thesis.chapter3.figures3_7_to_3_18_claims import SHALLOW, early, late
from reactivate.documents.thesis.chapter5.figure5_3_claims import mean_similarity
from reactivate.evidence.judgement import Judgement

MAJORITY = 0.5
DEAD_LAYERS = (11, 12, 13, 14)


def same_label_is_less_similar(curves: pd.DataFrame) -> Judgement:
    """Section 5.2.2.1: similarity is lower for one label than for different ones (trained)."""
    trained = curves[curves["state"] == "trained"]
    found = {}
    for (name, separation), part in trained.groupby(["activation", "separation"], sort=False):
        means = [mean_similarity(part[part["set"] == kind]) for kind in ("single", "combined")]
        found[f"{name} {{{separation}}}"] = means
    said = ", ".join(f"{name} {a:.3f} and {b:.3f}" for name, (a, b) in found.items())
    return ordered(
        all(single < combined for single, combined in found.values()),
        f"mean similarity of one label and of all labels: {said}",
    )


def relu_gradients_rise(numbers: pd.DataFrame) -> Judgement:
    """Section 3.2.3.3: gradients of Sigmoid and ReLU oscillate, and are higher in late stages."""
    chosen = numbers[numbers["layer"].isin(SHALLOW) & numbers["column"].isin(["sigmoid", "relu"])]
    found = {
        str(name): float(late(part)["mean"].mean() / early(part)["mean"].mean())
        for name, part in chosen.groupby("column", sort=False)
    }
    said = ", ".join(f"{name} {ratio:.3g}" for name, ratio in found.items())
    return ordered(
        min(found.values()) > 1, f"gradients of layers 3 and 7, last quarter over first: {said}"
    )


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
