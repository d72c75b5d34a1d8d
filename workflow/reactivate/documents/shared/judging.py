"""The verdict of a statement that a function judges."""

from reactivate.evidence.judgement import Judgement, Verdict


def judge(holds: bool, finding: str) -> Judgement:
    """Recomputed or inconsistent, with what was found.

    Example:
        >>> judge(1 + 1 == 2, "1 + 1 = 2").verdict
        <Verdict.RECOMPUTED_OK: 'recomputed_ok'>
    """
    return Judgement(Verdict.RECOMPUTED_OK if holds else Verdict.INCONSISTENT, finding)


def ordered(holds: bool, finding: str) -> Judgement:
    """Whether an order or a tendency that is stated holds in an analysis, with what was found."""
    return Judgement(Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS, finding)
