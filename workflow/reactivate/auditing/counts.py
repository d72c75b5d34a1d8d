"""Numbers of claims of each paper, by verdict."""

from collections import Counter
from collections.abc import Iterable

from reactivate.experiment.loading import paper_names
from reactivate.judging.verdicts import Ruling, Verdict

ORDER = list(Ruling)


def verdict_counts(judged: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Counts by paper and verdict, of claims and their verdicts; draws are not told apart.

    Example:
        >>> verdict_counts([("gmp/table3/sp/yacht", "differs")])
        {'gmp': {'differs': 1}}
    """
    counts: dict[str, Counter[str]] = {}
    for claim, verdict in judged:
        counts.setdefault(claim.split("/")[0], Counter())[Verdict.parse(verdict).family] += 1
    return {
        name: dict(sorted(counts[name].items(), key=_place))
        for name in paper_names()
        if name in counts
    }


def _place(count: tuple[str, int]) -> tuple[int, str]:
    """The place of a verdict in the closed list."""
    return ORDER.index(Ruling(count[0].partition("(")[0])), count[0]
