"""Statements that compare: who is best, and which learning rate is chosen."""

from collections import Counter
from dataclasses import dataclass
from math import isfinite
from statistics import fmean

from scipy.stats import ttest_1samp

from reactivate.evidence.judgement import Judgement, Verdict
from reactivate.evidence.provenance import Evidence
from reactivate.experiment.exhibits import Trained
from reactivate.experiment.statements import Check

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Pair:
    """The one said to be best against one rival in one place, paired over seeds."""

    place: str
    rival: str
    advantage: float  # mean difference in favour of the best, > 0: it is better
    p_value: float  # one-sided
    seeds: int


def compared(exhibit: Trained, check: Check) -> tuple[list[str], list[str]]:
    """The rows and columns that a statement speaks of: all, or those it names."""
    rows = check.rows or exhibit.row_names
    columns = check.columns or exhibit.column_names
    return rows, columns


def pairs(exhibit: Trained, evidence: Evidence, check: Check, protocol: str) -> list[Pair]:
    """All comparisons of the best with its rivals; seeds mean the same for all of them."""
    rows, columns = compared(exhibit, check)
    among_rows = check.best in rows
    rivals, places = (rows, columns) if among_rows else (columns, rows)
    better = check.better or exhibit.metric.better
    sign = 1 if better == "lower" else -1

    def values(name: str, place: str) -> list[float]:
        where = (name, place) if among_rows else (place, name)
        return evidence.values(*where, protocol) or []

    compared_pairs = []
    for place in places:
        ours = values(str(check.best), place)
        for rival in rivals:
            if rival != check.best:
                other = values(rival, place)
                gains = [sign * (b - a) for a, b in zip(ours, other, strict=True)]
                compared_pairs.append(
                    Pair(place, rival, fmean(gains), _p_value(gains), len(gains))
                )
    return compared_pairs


def _p_value(gains: list[float]) -> float:
    """The p-value of a one-sided t-test of paired differences; 1 if one pair or infinite."""
    if len(gains) < 2 or not all(map(isfinite, gains)):
        return 1.0
    if len(set(gains)) == 1:  # no spread: the limit of the test
        return 0.0 if gains[0] > 0 else 1.0
    return float(ttest_1samp(gains, 0.0, alternative="greater").pvalue)


def judge_best(exhibit: Trained, evidence: Evidence, check: Check, protocol: str) -> Judgement:
    """Judges whether one is best everywhere, or significantly better in most pairs."""
    all_pairs = pairs(exhibit, evidence, check, protocol)
    seeds = "/".join(map(str, sorted({pair.seeds for pair in all_pairs})))
    clear = sum(pair.p_value < SIGNIFICANT for pair in all_pairs)
    test = (
        f"{clear} of {len(all_pairs)} pairs have p < {SIGNIFICANT} "
        f"(one-sided paired t, {seeds} {'seed' if seeds == '1' else 'seeds'})"
    )
    if check.where == "most_pairs":
        return Judgement(_order(clear > len(all_pairs) / 2), test)
    losses = [pair for pair in all_pairs if not pair.advantage > 0]  # so that NaN is one
    if not losses:
        return Judgement(Verdict.ORDER_HOLDS, f"best mean everywhere it is compared; {test}")
    named = ", ".join(f"{p.place} ({p.rival} by {-p.advantage:.3g})" for p in losses)
    return Judgement(Verdict.ORDER_FAILS, f"{check.best} is beaten on {named}; {test}")


def judge_chance(exhibit: Trained, evidence: Evidence, check: Check, protocol: str) -> Judgement:
    """Judges whether networks learn nothing: accuracies are at most ``check.chance`` percent."""
    rows, columns = compared(exhibit, check)
    means = {
        f"{row}/{column}": fmean(evidence.values(row, column, protocol) or [])
        for row in rows
        for column in columns
    }
    assert check.chance is not None
    learns = {place: mean for place, mean in means.items() if mean > check.chance}
    if not learns:
        return Judgement(Verdict.ORDER_HOLDS, f"all {len(means)} are at most {check.chance:g} %")
    named = ", ".join(f"{place} {mean:.4g} %" for place, mean in learns.items())
    return Judgement(Verdict.ORDER_FAILS, f"above {check.chance:g} %: {named}")


def judge_chosen_lr(
    exhibit: Trained, evidence: Evidence, printed: dict[str, float], protocol: str
) -> Judgement:
    """Judges whether cross-validation most often chooses the printed learning rate, row by row."""
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
