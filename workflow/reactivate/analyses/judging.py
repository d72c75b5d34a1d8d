"""The verdict of a statement that can be computed."""

from reactivate.claims import Judgement, Verdict


def judge(holds: bool, finding: str) -> Judgement:
    """Recomputed or inconsistent, with what was found.

    Example:
        >>> judge(1 + 1 == 2, "1 + 1 = 2").verdict
        <Verdict.RECOMPUTED_OK: 'recomputed_ok'>
    """
    return Judgement(Verdict.RECOMPUTED_OK if holds else Verdict.INCONSISTENT, finding)
