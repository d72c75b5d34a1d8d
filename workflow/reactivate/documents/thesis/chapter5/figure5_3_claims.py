"""Statements of the thesis on sets of images (section 5.2.2.2), judged from Figure 5.3."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from reactivate.documents.shared.replicates import of_seeds, runs
from reactivate.judging.effects import difference
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

LEVELS = (0.99, 0.95, 0.9)  # share of pairs above which a curve has not begun to decline
SMALL_GAP = 0.1  # section 5.2.2.2


def small_gap_of_sigmoid(curves: pd.DataFrame) -> Readings:
    """The gap of the trained sigmoid network is below 10 % for both separations."""
    chosen = curves[(curves["state"] == "trained") & (curves["activation"] == "sigmoid")]

    def apart(part: pd.DataFrame) -> "pd.Series[float]":
        lines = part.pivot_table(index="threshold", columns="set", values="share")
        return lines["single"] - lines["combined"]

    gaps = {
        "mean similarity": lambda own: float(np.trapezoid(apart(own), apart(own).index)),
        "largest gap of shares": lambda own: float(apart(own).max()),
    }
    return Readings(
        {
            reading: {
                f"separation {separation}": of_seeds(part, partial(_room, gap))
                for separation, part in chosen.groupby("separation", sort=False)
            }
            for reading, gap in gaps.items()
        }
    )


def _room(gap: Callable[[pd.DataFrame], float], part: pd.DataFrame) -> float:
    return SMALL_GAP - gap(part)


def untrained_until_90(curves: pd.DataFrame) -> Readings:
    """Before training, all curves begin to decline around 0.90."""
    return _until(curves[curves["state"] == "untrained"], 0.9)


def sigmoid_until_80(curves: pd.DataFrame) -> Readings:
    """After training, the curves of the sigmoid network remain at 1 until around 0.8."""
    return _until(
        curves[(curves["state"] == "trained") & (curves["activation"] == "sigmoid")], 0.8
    )


def relu_single_until_70(curves: pd.DataFrame) -> Readings:
    """After training, one label stays at a high level in the ReLU network until 0.7."""
    chosen = (curves["state"] == "trained") & (curves["activation"] == "relu")
    return _until(curves[chosen & (curves["set"] == "single")], 0.7)


def training_lowers_combined(curves: pd.DataFrame) -> Effect:
    """Training lowers the similarity of images with all labels in the ReLU network."""
    chosen = curves[(curves["activation"] == "relu") & (curves["set"] == "combined")]
    before, after = (
        runs(chosen[chosen["state"] == state], mean_similarity)
        for state in ("untrained", "trained")
    )
    return difference(before, after, paired=True)


def mean_similarity(line: pd.DataFrame) -> float:
    """Mean similarity over pairs: the area below the share that is larger than lambda.

    Example:
        >>> line = pd.DataFrame({"threshold": [0.0, 0.5, 1.0], "share": [1.0, 0.5, 0.0]})
        >>> mean_similarity(line)
        0.5
    """
    return float(np.trapezoid(line["share"], line["threshold"]))


def _until(curves: pd.DataFrame, stated: float) -> Readings:
    """The lambda until which a share of the pairs is more similar, minus the stated one."""

    def last(level: float, line: pd.DataFrame) -> float:
        return float(line.loc[line["share"] >= level, "threshold"].max()) - stated

    lines = list(curves.groupby(["activation", "separation", "set"], sort=False))
    return Readings(
        {
            f"{level:.0%} of pairs": {
                " ".join(map(str, name)): of_seeds(line, partial(last, level))
                for name, line in lines
            }
            for level in LEVELS
        }
    )
