"""Statements of the PSC supplement on both phases, static PSC and SVD, judged from networks."""

import pandas as pd
from scipy.stats import ttest_rel

from reactivate.documents.psc.accuracy import GATED
from reactivate.documents.shared.judging import judge, ordered
from reactivate.evidence.judgement import Judgement

ROUNDING = 1e-3  # of an output, in float32


def removal_changes_nothing(numbers: pd.DataFrame) -> Judgement:
    """Static PSC without closed connections has ReLU's parameters and its own accuracy."""
    static = numbers[numbers["after"] == GATED]
    plain = set(numbers.loc[numbers["row"] == "relu", "parameters"])
    left = set(static["parameters_after"])
    same = bool((static["top1"] == static["top1_after"]).all())
    changed = static["largest_change"].max()
    finding = (
        f"{_listed(static['parameters'])} parameters become {_listed(left)}, the network of ReLU "
        f"has {_listed(plain)}; accuracy {_accuracies(static['top1'])} % before, "
        f"{_accuracies(static['top1_after'])} % after; outputs differ by {changed:.1g} at most"
    )
    return judge(left == plain and same and changed < ROUNDING, finding)


def gating_beats_svd(numbers: pd.DataFrame) -> Judgement:
    """Static PSC has a higher mean accuracy than factors with as many parameters.

    The factors are trained as such (psc_svd), or compress what was trained whole (psc_whole).
    """
    gated = _final(numbers, "spsc").mean()
    rivals = ("psc_svd", "psc_whole")
    holds = all(gated > _final(numbers, row).mean() for row in rivals)
    return ordered(holds, "; ".join(_compared(numbers, "spsc", row) for row in rivals))


def negatives_help(numbers: pd.DataFrame) -> Judgement:
    """Both phases have a higher mean accuracy than ReLU, with about its parameters."""
    means = {row: _final(numbers, row).mean() for row in ("relu", "psc", "spsc")}
    holds = min(means["psc"], means["spsc"]) > means["relu"]
    finding = "; ".join(_compared(numbers, row, "relu") for row in ("psc", "spsc"))
    return ordered(holds, finding)


def _final(numbers: pd.DataFrame, row: str) -> "pd.Series[float]":
    """Accuracy of the network that is used in the end, by seed."""
    return numbers[numbers["row"] == row].set_index("seed")["top1_after"].sort_index()


def _compared(numbers: pd.DataFrame, ours: str, other: str) -> str:
    """Means and parameters of two variants, and the chance of such a difference."""
    described = []
    for row in (ours, other):
        count = numbers.loc[numbers["row"] == row, "parameters_after"]
        described.append(
            f"{row} {_final(numbers, row).mean():.2f} % ({_listed(count)} parameters)"
        )
    first, second = _final(numbers, ours), _final(numbers, other)
    said = f"{described[0]}, {described[1]}"
    if len(first) < 2 or (first - second).nunique() < 2:
        return f"{said}; {len(first)} seeds"
    chance = ttest_rel(first, second).pvalue
    return f"{said}; p = {chance:.2g} (two-sided paired t, {len(first)} seeds)"


def _listed(values: "pd.Series[int] | set[int]") -> str:
    return ", ".join(f"{value:,}" for value in sorted(set(values)))


def _accuracies(values: "pd.Series[float]") -> str:
    return ", ".join(f"{value:.2f}" for value in values)
