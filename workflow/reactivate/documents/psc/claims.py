"""What the PSC supplement says of both phases, static PSC and SVD, judged from our networks."""

import pandas as pd
from scipy.stats import ttest_rel

from reactivate.documents.psc.bound_fit import BOTH_BRANCHES, ONE_BRANCH
from reactivate.documents.psc.networks import GATED
from reactivate.documents.shared.judging import judge, ordered
from reactivate.evidence.judgement import Judgement

CLOSE = 1e-9  # of a loss, in float64
ROUNDING = 1e-3  # of an output, in float32


def removal_changes_nothing(numbers: pd.DataFrame) -> Judgement:
    """Without closed connections: the parameters of ReLU, and the accuracy of before."""
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
    """With both phases: a higher mean accuracy than ReLU's, with about its parameters."""
    means = {row: _final(numbers, row).mean() for row in ("relu", "psc", "spsc")}
    holds = min(means["psc"], means["spsc"]) > means["relu"]
    finding = "; ".join(_compared(numbers, row, "relu") for row in ("psc", "spsc"))
    return ordered(holds, finding)


def both_branches_fit(numbers: pd.DataFrame) -> Judgement:
    """Both phases fit |x|; one of them is left with the exact minimum, 2/15."""
    worst = numbers.groupby("branches")["loss"].max()
    error = (numbers["loss"] - numbers["exact_loss"]).abs().max()
    finding = ", ".join(f"{kind} {worst[kind]:.4g}" for kind in (*ONE_BRANCH, *BOTH_BRANCHES))
    holds = error < CLOSE and worst[list(BOTH_BRANCHES)].max() < CLOSE
    return judge(holds, f"loss, the larger of least squares and training: {finding}")


def never_below_the_bound(numbers: pd.DataFrame) -> Judgement:
    """No fit of a ReLU branch is better than the bound."""
    relu = numbers[numbers["branches"] == "relu"].set_index("method")
    gaps = relu["loss"] - relu["exact_loss"]
    finding = ", ".join(f"{method} {gap:+.1g}" for method, gap in gaps.items())
    return judge(bool((gaps > -CLOSE).all()), f"loss of a ReLU branch minus 2/15: {finding}")


def _final(numbers: pd.DataFrame, row: str) -> "pd.Series[float]":
    """Accuracy of the network that is used in the end, by seed."""
    return numbers[numbers["row"] == row].set_index("seed")["top1_after"].sort_index()


def _compared(numbers: pd.DataFrame, ours: str, other: str) -> str:
    """Means, parameters and the chance of such a difference, of two variants."""
    found = []
    for row in (ours, other):
        count = numbers.loc[numbers["row"] == row, "parameters_after"]
        found.append(f"{row} {_final(numbers, row).mean():.2f} % ({_listed(count)} parameters)")
    first, second = _final(numbers, ours), _final(numbers, other)
    said = f"{found[0]}, {found[1]}"
    if len(first) < 2 or (first - second).nunique() < 2:
        return f"{said}; {len(first)} seeds"
    chance = ttest_rel(first, second).pvalue
    return f"{said}; p = {chance:.2g} (two-sided paired t, {len(first)} seeds)"


def _listed(values: "pd.Series[int] | set[int]") -> str:
    return ", ".join(f"{value:,}" for value in sorted(set(values)))


def _accuracies(values: "pd.Series[float]") -> str:
    return ", ".join(f"{value:.2f}" for value in values)
