"""What our fits of |x| say beside the bound of the PSC supplement."""

import pandas as pd

from reactivate.documents.psc.bound_fit import BOTH_BRANCHES, ONE_BRANCH


def both_branches_fit(numbers: pd.DataFrame) -> str:
    """The loss that one branch, and both, leave of |x|."""
    worst = numbers.groupby("branches")["loss"].max().round(9)
    shown = ", ".join(f"{kind} {worst[kind]:.4f}" for kind in (*ONE_BRANCH, *BOTH_BRANCHES))
    return f"Loss of |x|, the larger of least squares and training: {shown}."
