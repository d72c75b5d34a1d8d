"""Exact work: verdicts of statements and numbers that are proved, counted or recomputed."""

from reactivate.judging.judgement import Judgement
from reactivate.judging.verdicts import REFUTED, Ruling, Verdict


def proved(reason: str) -> Judgement:
    """A statement that was recomputed and is true for a reason that covers every case."""
    return Judgement(Verdict(Ruling.CONFIRMED, "proof"), reason)


def checked(is_true: bool, reason: str, cases: int) -> Judgement:
    """A statement of so many cases, each of which was gone through: confirmed, or refuted.

    Example:
        >>> str(checked(1 + 1 == 2, "1 + 1 = 2", cases=1).verdict)
        'confirmed(exhaustive)'
    """
    how = Verdict(Ruling.CONFIRMED, "exhaustive")
    return Judgement(how if is_true else REFUTED, reason, cases=cases)


def sampled(is_true: bool, reason: str, cases: int) -> Judgement:
    """A statement on more cases than can be gone through: none of those drawn contradicts it.

    One that does refutes it, if it meets every assumption that the document states.
    """
    how = Verdict(Ruling.CONFIRMED, f"sampled({cases})")
    return Judgement(how if is_true else REFUTED, reason, cases=cases)


def refuted(reason: str, cases: int = 1) -> Judgement:
    """A statement with a counter-example that meets every assumption of its document."""
    return Judgement(REFUTED, reason, cases=cases)


def not_run(detail: str, reason: str) -> Judgement:
    """A claim that was not run: ``compute``, ``data_unavailable`` and others."""
    return Judgement(Verdict(Ruling.NOT_RUN, detail), reason)


def not_comparable(detail: str, reason: str) -> Judgement:
    """A claim that what we have cannot be compared with: ``network``, ``untrained`` and others."""
    return Judgement(Verdict(Ruling.NOT_COMPARABLE, detail), reason)
