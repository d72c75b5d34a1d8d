"""Numbers of claims of each paper, by verdict."""

from collections import Counter

import pandas as pd

from reactivate.experiment.loading import paper_names


def verdict_counts(audit: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Counts by paper and verdict, of the rows of an ``audit.csv``.

    Example:
        >>> audit = pd.DataFrame({"claim": ["gmp/table3/sp/yacht"], "verdict": ["differs"]})
        >>> verdict_counts(audit)
        {'gmp': {'differs': 1}}
    """
    papers = audit["claim"].str.partition("/")[0]
    return {
        name: dict(sorted(Counter(audit["verdict"][papers == name]).items()))
        for name in paper_names()
        if (papers == name).any()
    }
