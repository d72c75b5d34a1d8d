"""Statements of the thesis (section 6.5.2) on Figure 6.8, judged from its curves."""

import pandas as pd

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

LARGER = 0.25  # radii from which on they are larger ones, in a figure that ends at 0.4
AROUND = 2.5  # points that "around 5 %" may be off
PLAIN = "smooth_0125"
TRAINED = ("scrfp2_001_000_0125", "scrfp2_002_000_0125")
REPRESSED = {
    "scrfp2_000_010_0125": PLAIN,
    "scrfp2_001_010_0125": TRAINED[0],
    "scrfp2_002_010_0125": TRAINED[1],
}


def training_gains(curves: pd.DataFrame) -> Judgement:
    """Reforming float paths in training gains around 3 to 5 points at larger radii."""
    gains = {method: gain(curves, method, PLAIN) for method in TRAINED}
    holds = all(3 - AROUND / 2 <= value <= 5 + AROUND / 2 for value in gains.values())
    return ordered(holds, f"mean gains from radius {LARGER}: {_shown(gains)} points")


def repression_gains(curves: pd.DataFrame) -> Judgement:
    """Repressing float paths gains around 5 points at larger radii."""
    gains = {method: gain(curves, method, other) for method, other in REPRESSED.items()}
    holds = all(abs(value - 5) <= AROUND for value in gains.values())
    return ordered(holds, f"mean gains from radius {LARGER}: {_shown(gains)} points")


def comparable_at_zero(curves: pd.DataFrame) -> Judgement:
    """Close to radius 0 all methods are comparable with the benchmark: within 2.5 points."""
    printed = curves[(curves["protocol"] == "document") & (curves["radius"] == 0)]
    accuracy = printed.set_index("method")["accuracy"]
    gaps = {str(method): value - accuracy[PLAIN] for method, value in accuracy.items()}
    holds = max(map(abs, gaps.values())) <= AROUND
    return ordered(holds, f"at radius 0 against {PLAIN}: {_shown(gaps)} points")


def gain(curves: pd.DataFrame, method: str, other: str) -> float:
    """Mean advantage in points at larger radii where either still certifies something."""
    printed = curves[(curves["protocol"] == "document") & (curves["radius"] > LARGER)]
    wide = printed.pivot(index="radius", columns="method", values="accuracy")[[method, other]]
    seen = wide[(wide > 0).any(axis=1)]
    return float((seen[method] - seen[other]).mean())


def _shown(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:+.1f}" for name, value in values.items())
