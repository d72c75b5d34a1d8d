"""Statements of the thesis on pruned networks, judged from Figures 5.11 to 5.13."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import spearmanr, ttest_1samp

from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement, Verdict

NEP, BENCHMARK = "entropy_weighted", "weight"
BLENDED = (NEP, "harmonic_mean", "normalised_product", "standardised_product")
PRINTED_GAIN = (3, 8)  # points
AROUND = 3  # points that "around" may be off
EQUAL = 1e-9  # points


def nep_beats_weight(numbers: pd.DataFrame) -> Judgement:
    """At every sparsity pruning by NEP has a higher mean over seeds than by weight."""
    gains, said = _gains(_at_end(numbers), NEP, BENCHMARK)
    return ordered(bool((gains > 0).all()), said)


def nep_gains_3_to_8(numbers: pd.DataFrame) -> Judgement:
    """The gain of NEP over weight is 3 to 8 points, rounded, at every sparsity."""
    gains, said = _gains(_at_end(numbers), NEP, BENCHMARK)
    low, high = PRINTED_GAIN
    return ordered(bool(gains.round().between(low, high).all()), said)


def most_blends_beat_weight(numbers: pd.DataFrame) -> Judgement:
    """More than half of the four blends have a higher mean over all sparsities and seeds."""
    means = _means(numbers)
    better = [blend for blend in BLENDED if means[blend] > means[BENCHMARK]]
    return ordered(len(better) > len(BLENDED) / 2, _said(means, (BENCHMARK, *BLENDED)))


def nep_is_best(numbers: pd.DataFrame) -> Judgement:
    """Entropy-weighted has the highest mean of the five scores; ours are told beside them."""
    means = _means(numbers)
    best = max((BENCHMARK, *BLENDED), key=lambda method: means[method])
    return ordered(best == NEP, f"best {best}; {_said(means, means)}")


def harmonic_and_normalised_follow(numbers: pd.DataFrame) -> Judgement:
    """In the order of means harmonic mean is second and the normalised product third."""
    means = _means(numbers)
    ranking = sorted((BENCHMARK, *BLENDED), key=lambda method: -means[method])
    return ordered(ranking[1:3] == list(BLENDED[1:3]), _said(means, ranking))


def drops_and_recovers(numbers: pd.DataFrame) -> Judgement:
    """In most prunings accuracy is lower after them, and higher again before the next one."""
    drops = _drops(numbers)
    if drops is None:
        return _too_close()
    fell = float((drops["drop"] > 0).mean())
    rose = float((drops["recovery"] > 0).mean())
    finding = (
        f"after {100 * fell:.0f} % of {len(drops)} prunings validation accuracy is lower than an "
        f"epoch before, in {100 * rose:.0f} % it rises until the next"
    )
    return ordered(min(fell, rose) > 0.5, finding)


def later_prunings_hurt_more(numbers: pd.DataFrame) -> Judgement:
    """The drop grows with the number of prunings before it, in rank, over methods and seeds."""
    drops = _drops(numbers)
    if drops is None:
        return _too_close()
    means = drops.groupby("pruning")["drop"].mean()
    correlation = float(spearmanr(means.index, means).statistic)
    finding = (
        f"mean drop {means.iloc[0]:.2f} points at the first and {means.iloc[-1]:.2f} at the last "
        f"pruning; rank correlation {correlation:.2f}"
    )
    return ordered(correlation > 0, finding)


def weight_prefers_10(numbers: pd.DataFrame) -> Judgement:
    """Pruned by weight, every 10 epochs has the highest mean over sparsities and seeds."""
    means = _by_frequency(numbers, BENCHMARK)
    others = means.drop(10).mean()
    said = f"{_frequencies(means)}; 10 against the mean of the others {means[10] - others:+.2f}"
    return ordered(means.idxmax() == 10, said)


def frequent_is_better_for_nep(numbers: pd.DataFrame) -> Judgement:
    """With NEP, fewer epochs between prunings have a higher mean, in rank."""
    means = _by_frequency(numbers, NEP)
    correlation = float(spearmanr(means.index, means).statistic)
    said = f"{_frequencies(means)}; 2 against 15 {means[2] - means[15]:+.2f}"
    return ordered(correlation < -0.5 and means[2] > means[15], said)


def frequent_is_worse_for_weight(numbers: pd.DataFrame) -> Judgement:
    """With weights, fewer epochs between prunings have a lower mean, in rank."""
    means = _by_frequency(numbers, BENCHMARK)
    correlation = float(spearmanr(means.index, means).statistic)
    said = f"{_frequencies(means)}; rank correlation {correlation:.2f}"
    return ordered(correlation > 0.5, said)


def nep_gains_12(numbers: pd.DataFrame) -> Judgement:
    """At the best frequency of each, NEP's mean is 12 points above weight's, to 3."""
    best = [_by_frequency(numbers, blend) for blend in (NEP, BENCHMARK)]
    gain = best[0].max() - best[1].max()
    finding = (
        f"entropy-weighted every {best[0].idxmax()} epochs {best[0].max():.2f} %, weight every "
        f"{best[1].idxmax()} {best[1].max():.2f} %: {gain:+.2f} points"
    )
    return ordered(abs(gain - 12) <= AROUND, finding)


def _at_end(numbers: pd.DataFrame) -> pd.DataFrame:
    """Accuracies by sparsity and seed, a column per method."""
    return numbers.pivot_table(index=["sparsity", "seed"], columns="row", values="top1")


def _gains(table: pd.DataFrame, ours: str, other: str) -> tuple[pd.Series, str]:
    """Mean difference at every sparsity over the seeds that both have, and what to say of it."""
    pairs = (table[ours] - table[other]).dropna()
    gains = pairs.groupby("sparsity").mean()
    by_seed = pairs.groupby("seed").mean()
    listed = ", ".join(f"{sparsity:g}: {gain:+.2f}" for sparsity, gain in gains.items())
    return gains, (
        f"{ours} against {other}, points at sparsity {listed}; in all p = {_chance(by_seed):.2g} "
        f"(one-sided paired t, {len(by_seed)} seeds)"
    )


def _chance(gains: "pd.Series[float]") -> float:
    """P-value of a mean above 0; of one seed there is none, of equal gains its limit."""
    if len(gains) < 2:
        return 1.0
    if np.ptp(gains) < EQUAL:
        return 0.0 if gains.mean() > EQUAL else 1.0
    return float(ttest_1samp(gains, 0.0, alternative="greater").pvalue)


def _means(numbers: pd.DataFrame) -> dict[str, float]:
    """Accuracy of every method, over all sparsities and seeds."""
    return {str(k): float(v) for k, v in numbers.groupby("row", sort=False)["top1"].mean().items()}


def _said(means: Mapping[str, float], names: object) -> str:
    assert isinstance(names, tuple | list | dict)
    return "mean accuracy: " + ", ".join(f"{name} {means[name]:.2f}" for name in names)


def _by_frequency(numbers: pd.DataFrame, blend: str) -> "pd.Series[float]":
    """Accuracy by epochs between prunings, over the sparsities and seeds that all have."""
    part = numbers[numbers["blend"] == blend]
    table = part.pivot_table(index=["sparsity", "seed"], columns="every", values="top1").dropna()
    return table.mean()


def _frequencies(means: "pd.Series[float]") -> str:
    return "mean accuracy: " + ", ".join(f"every {k} {v:.2f}" for k, v in means.items())


def _drops(numbers: pd.DataFrame) -> pd.DataFrame | None:
    """Validation accuracy around every pruning that has an epoch without one on both sides.

    None where too few epochs lie between prunings to see anything.
    """
    drops = []
    for _, run in numbers.groupby(["row", "column", "seed"], sort=False):
        accuracy = run.set_index("epoch")["test_top1"]
        pruned = run.loc[run["prunings"] > 0, "epoch"].tolist()
        for number, (epoch, after) in enumerate(zip(pruned, [*pruned[1:], None], strict=True), 1):
            until = accuracy.index.max() if after is None else after - 1
            if epoch - 1 in accuracy.index and epoch - 1 not in pruned and until > epoch:
                drop = accuracy[epoch - 1] - accuracy[epoch]
                drops.append((number, drop, accuracy[until] - accuracy[epoch]))
    frame = pd.DataFrame(drops, columns=["pruning", "drop", "recovery"])
    return frame if frame["pruning"].nunique() > 2 else None


def _too_close() -> Judgement:
    reason = "at this scale every epoch or two ends with a pruning: no recovery can be seen"
    return Judgement(Verdict.NOT_COMPARABLE, reason)
