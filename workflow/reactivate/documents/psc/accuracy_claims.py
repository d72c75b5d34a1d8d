"""What our CIFAR networks show of both phases, static PSC and SVD: findings, no verdicts."""

import pandas as pd

from reactivate.documents.psc.accuracy import GATED


def removal_changes_nothing(numbers: pd.DataFrame) -> str:
    """Parameters, accuracy and outputs of static PSC before and after connections are removed."""
    static = numbers[numbers["after"] == GATED]
    same = int((static["top1"] == static["top1_after"]).sum())
    return (
        f"{_listed(static['parameters'])} parameters become "
        f"{_listed(static['parameters_after'])}; the network of ReLU has "
        f"{_listed(_of(numbers, 'relu')['parameters'])}. The accuracy stays the same "
        f"in {same} of {len(static)} networks, and outputs change by "
        f"{static['largest_change'].max():.1g} at most."
    )


def negatives_help(numbers: pd.DataFrame) -> str:
    """Accuracy of both phases beside that of ReLU, with about as many parameters."""
    return _beside(numbers, "relu", "psc", "spsc")


def gating_beats_svd(numbers: pd.DataFrame) -> str:
    """Accuracy of static PSC beside that of factors with as many parameters.

    The factors are trained as such (psc_svd), or compress what was trained whole (psc_whole).
    """
    return _beside(numbers, "spsc", "psc_svd", "psc_whole")


def _beside(numbers: pd.DataFrame, *rows: str) -> str:
    """Accuracies of variants as they are used in the end: mean and range over seeds."""
    told = []
    for row in rows:
        used = _of(numbers, row)
        top1 = used["top1_after"]
        told.append(
            f"{row} {top1.mean():.2f} % ({top1.min():.2f} to {top1.max():.2f}, "
            f"{_listed(used['parameters_after'])} parameters)"
        )
    return f"{', '.join(told)}; {numbers['seed'].nunique()} seeds."


def _of(numbers: pd.DataFrame, row: str) -> pd.DataFrame:
    return numbers[numbers["row"] == row]


def _listed(values: "pd.Series[int]") -> str:
    return ", ".join(f"{value:,}" for value in sorted(set(values)))
