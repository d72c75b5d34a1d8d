"""Statements that compare: who is best, and which learning rate is chosen."""

from collections import Counter
from dataclasses import dataclass
from statistics import fmean

from scipy.stats import ttest_rel

from reactivate.auditing.evidence import Evidence
from reactivate.claims import Judgement, Verdict
from reactivate.exhibits import Trained

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Pair:
    """The row said to be best against one rival in one column, paired over splits."""

    column: str
    rival: str
    advantage: float  # mean difference in favour of the best, > 0: it is better
    p_value: float  # one-sided
    splits: int


def pairs(exhibit: Trained, evidence: Evidence, best: str, protocol: str) -> list[Pair]:
    """All comparisons of ``best`` with the other rows; splits are the same for all rows."""
    compared = []
    for column in exhibit.column_names:
        ours = evidence.values(best, column, protocol) or []
        for rival in exhibit.row_names:
            if rival == best:
                continue
            other = evidence.values(rival, column, protocol) or []
            sign = 1 if exhibit.metric.better == "lower" else -1
            gains = [sign * (b - a) for a, b in zip(ours, other, strict=True)]
            alternative = "less" if sign == 1 else "greater"
            p = ttest_rel(ours, other, alternative=alternative).pvalue if len(ours) > 1 else 1.0
            compared.append(Pair(column, rival, fmean(gains), float(p), len(ours)))
    return compared


def judge_best(
    exhibit: Trained, evidence: Evidence, best: str, where: str, protocol: str
) -> Judgement:
    """Whether a row is best in every column, or significantly better in most pairs."""
    compared = pairs(exhibit, evidence, best, protocol)
    splits = compared[0].splits
    clear = sum(pair.p_value < SIGNIFICANT for pair in compared)
    test = (
        f"{clear} of {len(compared)} pairs have p < {SIGNIFICANT} "
        f"(one-sided paired t, {splits} splits)"
    )
    if where == "most_pairs":
        return Judgement(_order(clear > len(compared) / 2), test)
    losses = [pair for pair in compared if not pair.advantage > 0]  # so that NaN is one
    if not losses:
        return Judgement(Verdict.ORDER_HOLDS, f"best mean in every column; {test}")
    named = ", ".join(f"{p.column} ({p.rival} by {-p.advantage:.3g})" for p in losses)
    return Judgement(Verdict.ORDER_FAILS, f"{best} is beaten on {named}; {test}")


def judge_chosen_lr(
    exhibit: Trained, evidence: Evidence, printed: dict[str, float], protocol: str
) -> Judgement:
    """Whether cross-validation most often chooses the printed learning rate, row by row."""
    findings, holds = [], True
    for row in exhibit.row_names:
        chosen = Counter(
            lr
            for column in exhibit.column_names
            for lr in evidence.chosen_lrs(row, column, protocol) or []
        )
        expected = printed.get(row, printed["default"])
        top, count = chosen.most_common(1)[0]
        holds &= top == expected
        findings.append(f"{row}: {top:g} in {count} of {chosen.total()} (printed {expected:g})")
    return Judgement(_order(holds), "; ".join(findings))


def _order(holds: bool) -> Verdict:
    return Verdict.ORDER_HOLDS if holds else Verdict.ORDER_FAILS
