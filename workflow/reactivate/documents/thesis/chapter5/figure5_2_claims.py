"""Statements of the thesis on pairs of images (section 5.2.1.3), judged from Figure 5.2."""

import numpy as np
import pandas as pd
from scipy.stats import mannwhitneyu

from reactivate.documents.shared.judging import ordered
from reactivate.documents.thesis.ranks import rank_correlation
from reactivate.evidence.judgement import Judgement

SPACE = ["distance", "similarity", "transitions_printed"]  # the axes of the figure
CLEAR = 0.95  # AUC from which two clouds are clearly separated
SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")


def transitions_grow_with_distance(pairs: pd.DataFrame) -> Judgement:
    """Transition density is positively related to the prediction difference."""
    return _related(pairs, "transitions_printed", "distance", sign=1)


def similarity_falls_with_transitions(pairs: pd.DataFrame) -> Judgement:
    """Pattern similarity is negatively related to transition density."""
    return _related(pairs, "similarity", "transitions_printed", sign=-1)


def similarity_falls_with_distance(pairs: pd.DataFrame) -> Judgement:
    """Pattern similarity is negatively related to the prediction difference."""
    return _related(pairs, "similarity", "distance", sign=-1)


def labels_apart(pairs: pd.DataFrame) -> Judgement:
    """Pairs with the same label are clearly separated for ReLU and GELU, not for the others.

    Separated by a plane in the space of the figure: the one of Fisher's discriminant. How clearly
    is the chance that it orders a pair of either kind rightly (AUC), 1 for a whole separation.
    """
    separations = {name: separation(part) for name, part in _parts(pairs)}
    holds = all(separations[name] >= CLEAR for name in OTHERS)
    holds &= all(separations[name] < CLEAR for name in SATURATED)
    shown = _shown(separations)
    return ordered(holds, f"AUC of pairs with one label against two: {shown}; clear from {CLEAR}")


def saturated_more_similar(pairs: pd.DataFrame) -> Judgement:
    """Similarity has a smaller range and is higher for sigmoid and tanh."""
    groups = {name: part["similarity"] for name, part in _parts(pairs)}
    ranges = {name: float(values.max() - values.min()) for name, values in groups.items()}
    medians = {name: float(values.median()) for name, values in groups.items()}
    narrow = max(ranges[name] for name in SATURATED) < min(ranges[name] for name in OTHERS)
    high = min(medians[name] for name in SATURATED) > max(medians[name] for name in OTHERS)
    return ordered(narrow and high, f"ranges {_shown(ranges)}; medians {_shown(medians)}")


def estimate_is_enough(pairs: pd.DataFrame) -> Judgement:
    """514 points see the transitions: the estimate is at least 90 % of the exact count."""
    counted = pairs.dropna(subset=["transitions_exact"])
    exact, printed = counted["transitions_exact"], counted["transitions_printed"]
    share = float((printed / exact.clip(lower=1)).median())
    finding = (
        f"of {len(counted)} segments the median has {exact.median():g} transitions, of which the "
        f"estimate sees {printed.median():g}; median share {share:.2f}, largest estimate "
        f"{printed.max():g}, largest count {exact.max():g}"
    )
    return ordered(share >= 0.9, finding)


def separation(part: pd.DataFrame) -> float:
    """AUC of pairs with one label against two labels along Fisher's discriminant.

    NaN if there are pairs of one kind only.
    """
    points, same = part[SPACE].to_numpy(dtype=float), part["same_label"].to_numpy(dtype=bool)
    if same.all() or not same.any():
        return float("nan")
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1)
    groups = points[same], points[~same]
    within = sum((group - group.mean(axis=0)).T @ (group - group.mean(axis=0)) for group in groups)
    normal = np.linalg.pinv(within, rcond=1e-9) @ (groups[0].mean(axis=0) - groups[1].mean(axis=0))
    better = mannwhitneyu(groups[0] @ normal, groups[1] @ normal).statistic
    return float(better) / (len(groups[0]) * len(groups[1]))


def _related(pairs: pd.DataFrame, x: str, y: str, sign: int) -> Judgement:
    """Judges whether the rank correlation of two columns has a sign for every activation."""
    correlations = {name: rank_correlation(part[x], part[y]) for name, part in _parts(pairs)}
    holds = all(sign * value > 0 for value in correlations.values())
    sizes = {len(part) for _, part in _parts(pairs)}
    return ordered(holds, f"Spearman's rho over {max(sizes)} pairs: {_shown(correlations)}")


def _parts(pairs: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [(str(name), part) for name, part in pairs.groupby("activation", sort=False)]


def _shown(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in values.items())
