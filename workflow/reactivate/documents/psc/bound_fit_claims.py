"""Statements of the PSC supplement on the fit of |x|, judged from our fits."""

import pandas as pd

from reactivate.documents.psc.bound_fit import BOTH_BRANCHES, ONE_BRANCH
from reactivate.documents.shared.judging import judge
from reactivate.evidence.judgement import Judgement

CLOSE = 1e-9  # of a loss, in float64


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
