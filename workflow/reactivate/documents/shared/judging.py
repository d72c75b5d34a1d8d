"""Verdicts of statements that functions judge, and the reasons given for them."""

from collections.abc import Mapping

from reactivate.evidence.judgement import Judgement, Verdict


def judge(holds: bool, finding: str) -> Judgement:
    """A statement that was recomputed: it agrees, or it is inconsistent; with what was found.

    Example:
        >>> judge(1 + 1 == 2, "1 + 1 = 2").verdict
        <Verdict.RECOMPUTED_OK: 'recomputed_ok'>
    """
    return Judgement(Verdict.RECOMPUTED_OK if holds else Verdict.INCONSISTENT, finding)


def ordered(holds: bool, finding: str) -> Judgement:
    """A stated order or tendency that holds in an analysis, or fails; with what was found."""
    return Judgement(Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS, finding)


def said(values: Mapping[str, float], digits: str = ".3g") -> str:
    """Numbers with their names, as the reason of a judgement lists them.

    Example:
        >>> said({"std": 0.5, "pgd_08": 0.25}, ".0%")
        'std 50%, pgd_08 25%'
    """
    return ", ".join(f"{name} {value:{digits}}" for name, value in values.items())
