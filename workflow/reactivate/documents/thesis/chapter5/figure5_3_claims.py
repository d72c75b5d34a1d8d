"""Statements of the thesis on sets of images (section 5.2.2.2), judged from Figure 5.3."""

from collections.abc import Hashable

import numpy as np
import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

NEARLY_ALL = 0.99  # share of pairs until which a curve has not begun to decline
ABOUT = 0.05  # how far from a stated lambda "around" reaches
PANEL = ["activation", "separation"]


def small_gap_of_sigmoid(curves: pd.DataFrame) -> Judgement:
    """The gap of the trained sigmoid network is below 10 %, and that of ReLU is larger."""
    trained = curves[curves["state"] == "trained"]
    gaps = {
        _panel(panel): mean_similarity(part[part["set"] == "single"])
        - mean_similarity(part[part["set"] == "combined"])
        for panel, part in trained.groupby(PANEL, sort=False)
    }
    sigmoid = [gap for panel, gap in gaps.items() if panel.startswith("sigmoid")]
    relu = [gap for panel, gap in gaps.items() if panel.startswith("relu")]
    holds = max(sigmoid) < 0.1 and min(relu) > max(sigmoid)
    shown = ", ".join(f"{panel} {gap:.3f}" for panel, gap in gaps.items())
    return ordered(holds, f"mean similarity of one label minus that of all labels: {shown}")


def untrained_until_90(curves: pd.DataFrame) -> Judgement:
    """Before training, all curves begin to decline around 0.90."""
    return _until(curves[curves["state"] == "untrained"], 0.9)


def sigmoid_until_80(curves: pd.DataFrame) -> Judgement:
    """After training, the curves of the sigmoid network remain at 1 until around 0.8."""
    chosen = (curves["state"] == "trained") & (curves["activation"] == "sigmoid")
    return _until(curves[chosen], 0.8)


def relu_single_until_70(curves: pd.DataFrame) -> Judgement:
    """After training, one label stays at a high level in the ReLU network until 0.7."""
    chosen = (curves["state"] == "trained") & (curves["activation"] == "relu")
    line = curves[chosen & (curves["set"] == "single")]
    at = {level: _last(line, level) for level in (NEARLY_ALL, 0.9, 0.5)}
    shown = ", ".join(f"{level:.0%} of pairs until {at[level]:.2f}" for level in at)
    return ordered(at[0.9] >= 0.7 - ABOUT, f"one label, trained ReLU: {shown}")


def training_lowers_combined(curves: pd.DataFrame) -> Judgement:
    """Training lowers the similarity of images with all labels in the ReLU network."""
    chosen = (curves["activation"] == "relu") & (curves["set"] == "combined")
    before, after = (
        mean_similarity(curves[chosen & (curves["state"] == state)])
        for state in ("untrained", "trained")
    )
    finding = f"mean similarity of all labels {before:.3f} before, {after:.3f} after training"
    return ordered(after < before - 0.1, finding)


def mean_similarity(line: pd.DataFrame) -> float:
    """Mean similarity over pairs: the area below the share that is larger than lambda.

    Example:
        >>> line = pd.DataFrame({"threshold": [0.0, 0.5, 1.0], "share": [1.0, 0.5, 0.0]})
        >>> mean_similarity(line)
        0.5
    """
    return float(np.trapezoid(line["share"], line["threshold"]))


def _until(curves: pd.DataFrame, stated: float) -> Judgement:
    """Judges whether all curves begin to decline around a lambda."""
    until = {
        f"{_panel(panel)} {panel[2]}": _last(line, NEARLY_ALL)
        for panel, line in curves.groupby([*PANEL, "set"], sort=False)
    }
    shown = ", ".join(f"{line} {value:.2f}" for line, value in until.items())
    holds = all(abs(value - stated) <= ABOUT + 1e-9 for value in until.values())
    return ordered(holds, f"{NEARLY_ALL:.0%} of pairs until: {shown}; stated {stated:.2f}")


def _last(line: pd.DataFrame, level: float) -> float:
    """The largest lambda with at least a share of the pairs above it."""
    return float(line.loc[line["share"] >= level, "threshold"].max())


def _panel(panel: tuple[Hashable, ...]) -> str:
    return f"{panel[0]} {{{str(panel[1]).replace(' ', ', ')}}}"


def same_label_is_less_similar(curves: pd.DataFrame) -> Judgement:
    """Section 5.2.2.1: similarity is lower for one label than for different ones (trained)."""
    trained = curves[curves["state"] == "trained"]
    similarities = {}
    for (name, separation), part in trained.groupby(["activation", "separation"], sort=False):
        means = [mean_similarity(part[part["set"] == kind]) for kind in ("single", "combined")]
        similarities[f"{name} {{{separation}}}"] = means
    said = ", ".join(f"{name} {a:.3f} and {b:.3f}" for name, (a, b) in similarities.items())
    return ordered(
        all(single < combined for single, combined in similarities.values()),
        f"mean similarity of one label and of all labels: {said}",
    )
