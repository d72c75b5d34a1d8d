"""Statements of the thesis on the losses of the toy model, judged from Figure 3.22."""

import numpy as np
import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

MOST = 0.5
FAR = 1 / 3  # of the grid's width: w and b that differ by more are far apart


def surface(frame: pd.DataFrame, activation: str) -> pd.DataFrame:
    """Mean loss by w (rows) and b (columns)."""
    chosen = frame[frame["activation"] == activation]
    losses: pd.DataFrame = chosen.pivot(index="w", columns="b", values="mean_loss")
    return losses


def sigmoid_surface_is_u_shaped(frame: pd.DataFrame) -> Judgement:
    """Figure 3.22: for most w, the loss first falls and then rises with b."""
    loss = surface(frame, "sigmoid")
    best = loss.idxmin(axis=1)
    inner = best.between(loss.columns[0], loss.columns[-1], inclusive="neither")
    ends = loss.div(loss.min(axis=1), axis=0).median().iloc[[0, -1]]
    return ordered(
        bool(inner.mean() > MOST),
        f"for {inner.sum()} of {len(loss)} values of w the loss is lowest at an inner b; at the "
        f"smallest and the largest b it is {' and '.join(f'{end:.2g}' for end in ends)} times "
        "that (medians)",
    )


def sigmoid_valley_is_diagonal(frame: pd.DataFrame) -> Judgement:
    """Figure 3.22: the loss near w = b is lower than far from it, on both sides."""
    chosen = frame[frame["activation"] == "sigmoid"]
    apart = (chosen["w"] - chosen["b"]) / chosen["w"].max()
    near, wide, high = (
        float(chosen["mean_loss"][where].mean())
        for where in (apart.abs() <= FAR, apart > FAR, apart < -FAR)
    )
    best = surface(frame, "sigmoid").idxmin(axis=1)
    ratio = float((best / best.index).median())
    return ordered(
        near < min(wide, high),
        f"mean loss {near:.3g} near w = b, {wide:.3g} where w is larger and {high:.3g} where b is "
        f"larger by a third of the grid; for given w the lowest is at b = {ratio:.2g} w (median)",
    )


def relu_loss_is_set_by_bias(frame: pd.DataFrame) -> Judgement:
    """Figure 3.22: b explains most of the variance of the loss over the grid, and more than w."""
    loss = surface(frame, "relu").to_numpy()
    of_w, of_b = (float(loss.mean(axis=axis).var() / loss.var()) for axis in (1, 0))
    chosen = frame[frame["activation"] == "relu"]
    sides = np.column_stack([np.ones(len(chosen)), chosen["w"], chosen["b"]])
    left = np.linalg.lstsq(sides, chosen["mean_loss"], rcond=None)[1].sum()
    plane = 1 - float(left) / (len(chosen) * loss.var())
    return ordered(
        of_b > max(MOST, of_w),
        f"of the variance of the mean loss over the grid, b explains {of_b:.0%} and w {of_w:.0%}; "
        f"a plane explains {plane:.0%}",
    )
