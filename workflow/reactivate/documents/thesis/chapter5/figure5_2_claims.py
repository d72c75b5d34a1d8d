"""Statements of the thesis on pairs of images (section 5.2.1.3), judged from Figure 5.2."""

import numpy as np
import pandas as pd
from scipy.stats import mannwhitneyu

from reactivate.documents.shared.replicates import of_seeds, rank_effect, runs
from reactivate.judging.effects import difference
from reactivate.judging.exact import not_run
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

SPACE = ["distance", "similarity", "transitions_printed"]  # the axes of the figure
SATURATED, OTHERS = ("sigmoid", "tanh"), ("relu", "gelu")


def transitions_grow_with_distance(pairs: pd.DataFrame) -> dict[str, Effect]:
    """Transition density is positively related to the prediction difference."""
    return _related(pairs, "transitions_printed", "distance", sign=1)


def similarity_falls_with_transitions(pairs: pd.DataFrame) -> dict[str, Effect]:
    """Pattern similarity is negatively related to transition density."""
    return _related(pairs, "similarity", "transitions_printed", sign=-1)


def similarity_falls_with_distance(pairs: pd.DataFrame) -> dict[str, Effect]:
    """Pattern similarity is negatively related to the prediction difference."""
    return _related(pairs, "similarity", "distance", sign=-1)


def labels_apart(pairs: pd.DataFrame) -> Effect:
    """Pairs with the same label are clearly separated for ReLU and GELU, not for the others.

    Separated by a plane in the space of the figure: the one of Fisher's discriminant. How clearly
    is the chance that it orders a pair of either kind rightly (AUC), 1 for a whole separation.
    """

    def margin(part: pd.DataFrame) -> float:
        clear = {name: separation(own) for name, own in _parts(part)}
        return min(clear[name] for name in OTHERS) - max(clear[name] for name in SATURATED)

    return of_seeds(pairs, margin)


def saturated_more_similar(pairs: pd.DataFrame) -> Readings:
    """Similarity has a smaller range and is higher for sigmoid and tanh."""
    cases = {}
    groups = dict(_parts(pairs))
    for name in SATURATED:
        for other in OTHERS:
            arms = groups[name], groups[other]
            medians = [runs(arm, lambda own: float(own["similarity"].median())) for arm in arms]
            ranges = [runs(arm, lambda own: float(np.ptp(own["similarity"]))) for arm in arms]
            cases[f"{name} is higher than {other}"] = difference(*medians, paired=False)
            cases[f"{name} has a smaller range than {other}"] = difference(
                *ranges, paired=False, lower_is_better=True
            )
    printed = not_run("compute", "the patterns of Figure 5.2 were told apart at -0.5 and 0.5 only")
    return Readings({"breakpoints -0.5, 0.5": cases, "breakpoints -0.5, 0, 0.5": printed})


def estimate_is_enough(pairs: pd.DataFrame) -> str:
    """How many of the transitions the 514 points see, where they can be counted."""
    counted = pairs.dropna(subset=["transitions_exact"])
    exact, printed = counted["transitions_exact"], counted["transitions_printed"]
    share = float((printed / exact.clip(lower=1)).median())
    return (
        f"of {len(counted)} segments the median has {exact.median():g} transitions, of which the "
        f"estimate sees {printed.median():g}; median share {share:.2f}, largest estimate "
        f"{printed.max():g}, largest count {exact.max():g}"
    )


def separation(part: pd.DataFrame) -> float:
    """AUC of pairs with one label against two labels along Fisher's discriminant.

    It is a half, which is no separation, if there are pairs of one kind only.
    """
    points, same = part[SPACE].to_numpy(dtype=float), part["same_label"].to_numpy(dtype=bool)
    if same.all() or not same.any():
        return 0.5
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1)
    groups = points[same], points[~same]
    within = sum((group - group.mean(axis=0)).T @ (group - group.mean(axis=0)) for group in groups)
    normal = np.linalg.pinv(within, rcond=1e-9) @ (groups[0].mean(axis=0) - groups[1].mean(axis=0))
    better = mannwhitneyu(groups[0] @ normal, groups[1] @ normal).statistic
    return float(better) / (len(groups[0]) * len(groups[1]))


def _related(pairs: pd.DataFrame, x: str, y: str, sign: int) -> dict[str, Effect]:
    """The rank correlation of two columns, for every activation."""
    return {name: rank_effect(part, x, y, sign) for name, part in _parts(pairs)}


def _parts(pairs: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [(str(name), part) for name, part in pairs.groupby("activation", sort=False)]
