"""Statements of the thesis on the losses of the toy model, as effects, from Figure 3.22.

A replicate is a surface: one training at every (w, b). The thesis prints 50 of them, but neither
the values of w and b nor the points or the optimizer; these are readings.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reactivate.documents.thesis.chapter3.toy_readings import toy_reading
from reactivate.judging.effects import log_difference
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

FAR = {  # of the largest w: w and b that differ by more are far apart
    "a third": 1 / 3,
    "a fifth": 0.2,
    "half": 0.5,
}
SMALLEST = (2, 4, 6)  # w of the grid
PARABOLA = "floor within half of the grid"

Surfaces = NDArray[np.float64]  # (networks, w, b)
Sizes = NDArray[np.float64]


def surfaces(frame: pd.DataFrame, activation: str) -> Iterator[tuple[str, Sizes, Surfaces]]:
    """Name, sizes and losses under every training."""
    chosen = frame[frame["activation"] == activation]
    for training, part in chosen.groupby("training", sort=False):
        sizes = np.unique(part["w"]).astype(float)
        losses = part.sort_values(["w", "b"]).filter(regex=r"^loss\d+$").to_numpy().T
        yield str(training), sizes, losses.reshape(len(losses), len(sizes), len(sizes))


def sigmoid_surface_is_u_shaped(frame: pd.DataFrame) -> Readings:
    """Figure 3.22: Sigmoid's loss is lower near w = b than far from it, on both sides.

    A reading that was added afterwards asks for less: the parabola in w - b that fits the surface
    best has its lowest place within half of the grid of the line w = b.
    """
    found = list(surfaces(frame, "sigmoid"))
    listed = {
        toy_reading(name, f"lower than {share} of the grid away"): beside_the_line(
            sizes, losses, far
        )
        for share, far in FAR.items()
        for name, sizes, losses in found
        if apart(sizes).max() > far  # a coarse grid may have nothing that is so far
    }
    later = {toy_reading(name, PARABOLA): across_the_line(*surface) for name, *surface in found}
    return Readings(listed | later)


def apart(sizes: Sizes) -> NDArray[np.float64]:
    """By how much w is larger than b, relative to the largest of both."""
    differences: NDArray[np.float64] = np.subtract.outer(sizes, sizes) / sizes.max()
    return differences


def beside_the_line(sizes: Sizes, losses: Surfaces, far: float) -> dict[str, Effect]:
    """Log of the mean loss far from w = b minus that near it, on both sides."""
    place = apart(sizes)
    near, wide, high = (
        dict(enumerate(losses[:, where].mean(axis=1).tolist()))
        for where in (np.abs(place) <= far, place > far, place < -far)
    )
    return {
        "w is larger": log_difference(near, wide, paired=True),
        "b is larger": log_difference(near, high, paired=True),
    }


def across_the_line(sizes: Sizes, losses: Surfaces) -> dict[str, Effect]:
    """How steeply the parabola rises half of the grid away from w = b, on both sides."""
    bend, slope, _ = np.polyfit(apart(sizes).flatten(), losses.reshape(len(losses), -1).T, 2)
    return {
        "w is larger": Effect(tuple((slope + bend).tolist())),
        "b is larger": Effect(tuple((bend - slope).tolist())),
    }


def relu_loss_is_set_by_bias(frame: pd.DataFrame) -> Readings:
    """Figure 3.22: b explains more of the variance of ReLU's loss over the grid than w does."""

    def explained(sizes: Sizes, losses: Surfaces, smallest: float) -> Effect:
        kept = losses[:, sizes >= smallest]
        of_w, of_b = (kept.mean(axis=axis).var(axis=1) for axis in (2, 1))
        return Effect(tuple(((of_b - of_w) / kept.var(axis=(1, 2))).tolist()))

    return Readings(
        {
            toy_reading(name, f"w from {smallest}"): explained(sizes, losses, smallest)
            for smallest in SMALLEST
            for name, sizes, losses in surfaces(frame, "relu")
        }
    )
