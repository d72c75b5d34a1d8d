"""Judgements on printed numbers: reproduced, or recomputed from the definitions."""

import math

from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.evidence.measured import Measured, difference_tolerance, prediction_tolerance
from reactivate.experiment.printed import Printed


def judge_number(
    printed: Printed, ours: Measured, spread: str, printed_seeds: int, at_paper_scale: bool
) -> Judgement:
    """Compares a printed mean with ours.

    The tolerance is half a unit of the last printed digit plus the half width of the 95 %
    interval of the difference of the two means (Welch's t, so few seeds widen it). A number
    printed without ± is read as one run, which may differ from our mean as one of ours may.

    Args:
        printed: The number in the document.
        ours: Our mean over seeds.
        spread: What the printed ± is; ``unstated`` is read as a standard error, which is the wider
            tolerance: a deviation over splits would be several times what is printed.
        printed_seeds: Repetitions behind the printed mean.
        at_paper_scale: Whether ours follows the printed protocol in full; if not there is no
            judgement.
    """
    if math.inf in (ours.mean, printed.value):
        said = f"ours {ours}, printed {printed.show(printed.value)}"
        if not at_paper_scale:
            return Judgement(Verdict.NOT_COMPARABLE, f"smaller scale; {said}")
        same = ours.mean == printed.value
        return Judgement(Verdict.REPRODUCED if same else Verdict.DIFFERS, said)
    difference = ours.mean - printed.value
    if not at_paper_scale:
        return Judgement(
            Verdict.NOT_COMPARABLE, f"smaller scale; ours - printed = {difference:+.3g}"
        )
    if printed.spread is None:
        tolerance = printed.half_unit + prediction_tolerance(ours)
        note = f"; printed as one run, {ours.n} of ours"
    else:
        deviation = spread == "standard_deviation"
        printed_error = printed.spread / math.sqrt(printed_seeds) if deviation else printed.spread
        theirs = Measured(printed.value, printed_error, printed_seeds)
        tolerance = printed.half_unit + difference_tolerance(ours, theirs)
        note = "; printed ± read as standard error" if spread == "unstated" else ""
    verdict = Verdict.REPRODUCED if abs(difference) <= tolerance else Verdict.DIFFERS
    return Judgement(
        verdict, f"ours - printed = {difference:+.3g}, tolerance {tolerance:.3g}{note}"
    )


def judge_recomputed(printed: Printed, value: float, how: str) -> Judgement:
    """Judges whether a number that follows from definitions rounds to the printed one."""
    agrees = abs(value - printed.value) <= printed.half_unit * (1 + 1e-9)
    verdict = Verdict.RECOMPUTED_OK if agrees else Verdict.INCONSISTENT
    return Judgement(verdict, f"recomputed {printed.show(value)}; {how}")
