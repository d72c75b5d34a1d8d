"""Statements of the thesis on pruned networks, judged from Figures 5.11 to 5.13.

Both arms of a comparison begin with the weights of one seed and see its batches in one order:
they are the same network until it is first pruned.
"""

import numpy as np
import pandas as pd

from reactivate.documents.shared.replicates import combined
from reactivate.judging.effects import difference, share, trend
from reactivate.judging.exact import not_comparable
from reactivate.judging.judgement import Judgement
from reactivate.judging.learned import Gate
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect, Runs

NEP, BENCHMARK = "entropy_weighted", "weight"
HARMONIC, NORMALISED, STANDARDISED = "harmonic_mean", "normalised_product", "standardised_product"
BLENDED = (NEP, HARMONIC, NORMALISED, STANDARDISED)
EVERY = (2, 5, 10, 15)  # epochs between prunings
CHANCE = 0.1
IMAGES = 10_000  # for testing, at every scale that is judged
SHOWN = (BENCHMARK, NEP)  # in Figure 5.12
GRAIN = 100 / IMAGES  # one image, in points
Methods = dict[str, dict[int, float | None]]  # method -> seed -> accuracy


def nep_beats_weight(numbers: pd.DataFrame) -> Effect:
    """Pruned by NEP networks are more accurate than pruned by weight, over all sparsities."""
    return _gain(_at_end(numbers), NEP, BENCHMARK)


def most_blends_beat_weight(numbers: pd.DataFrame) -> Effect:
    """More than half of the four blends are more accurate than weight."""
    runs = _at_end(numbers)
    cases: dict[int, list[bool] | None] = {}
    for seed, benchmark in runs[BENCHMARK].items():
        blends = [top1 for name in BLENDED if (top1 := runs[name].get(seed)) is not None]
        if benchmark is None or not blends:
            cases[seed] = None
        else:
            cases[seed] = [top1 > benchmark for top1 in blends]
    return share(cases)


def nep_is_best(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Among the blends entropy-weighted is the most accurate."""
    runs = _at_end(numbers)
    return {name: _gain(runs, NEP, name) for name in BLENDED if name != NEP}


def harmonic_and_normalised_follow(numbers: pd.DataFrame) -> Readings:
    """The harmonic mean and "normalized weighting" are more accurate than the remaining blend."""
    runs = _at_end(numbers)
    return Readings(
        {
            f"normalized weighting is {meant}": {
                name: _gain(runs, name, rest) for name in (HARMONIC, meant)
            }
            for meant, rest in ((NORMALISED, STANDARDISED), (STANDARDISED, NORMALISED))
        }
    )


def drops_and_recovers(numbers: pd.DataFrame) -> dict[str, Effect] | Judgement:
    """In most prunings accuracy is lower after them, and higher again before the next one."""
    drops = _drops(numbers)
    if drops is None:
        return _too_close()
    return {
        name: share({seed: (own[name] > 0).tolist() for seed, own in drops.items()})
        for name in ("drop", "recovery")
    }


def later_prunings_hurt_more(numbers: pd.DataFrame) -> dict[str, Effect] | Judgement:
    """The drop grows with the number of prunings before it, and the recovery shrinks."""
    drops = _drops(numbers)
    if drops is None:
        return _too_close()
    means = {seed: own.groupby("pruning").mean() for seed, own in drops.items()}
    places = next(iter(means.values())).index.tolist()
    return {
        name: trend(places, {s: own[name].tolist() for s, own in means.items()}, rising=rising)
        for name, rising in (("drop", True), ("recovery", False))
    }


def weight_prefers_10(numbers: pd.DataFrame) -> Effect:
    """Pruned by weight, every 10 epochs is more accurate than the mean of the others."""
    own = _by_frequency(numbers, BENCHMARK)
    return difference(own[10], combined([own[k] for k in EVERY if k != 10]), paired=True)


def frequent_is_worse_for_weight(numbers: pd.DataFrame) -> Effect:
    """With weights, the more epochs between prunings, the more accurate."""
    own = _by_frequency(numbers, BENCHMARK)
    curves = {}
    for seed in own[EVERY[0]]:
        curve = [x for every in EVERY if (x := own[every][seed]) is not None]
        curves[seed] = curve if len(curve) == len(EVERY) else None
    return trend(EVERY, curves)


def frequent_is_better_for_nep(numbers: pd.DataFrame) -> Effect:
    """With NEP, pruning every 2 epochs is more accurate than every 15."""
    own = _by_frequency(numbers, NEP)
    return difference(own[2], own[15], paired=True, grain=GRAIN)


def nep_gains_12(numbers: pd.DataFrame) -> Readings:
    """Considering pruning frequency, NEP is more accurate than weight.

    At equal frequencies, or each at the one that is best for it on the test images.
    """
    ours, other = (_by_frequency(numbers, blend) for blend in (NEP, BENCHMARK))
    equal = [combined(list(own.values())) for own in (ours, other)]
    best = [own[max(own, key=lambda every: _level(own[every]))] for own in (ours, other)]
    return Readings(
        {
            "at equal frequencies": difference(*equal, paired=True),
            "each at its best frequency": difference(*best, paired=True, grain=GRAIN),
        }
    )


def _at_end(numbers: pd.DataFrame) -> Methods:
    """Accuracy of every method by seed, in the mean of all sparsities.

    It is None for a seed whose network has not learned at one of them: beside the most accurate
    one of the same sparsity.
    """
    best = numbers.groupby("sparsity")["top1"].transform("max") / 100
    learned = np.array(
        [
            Gate(CHANCE, top, IMAGES).passes(own / 100)
            for own, top in zip(numbers["top1"], best, strict=True)
        ]
    )
    kept = numbers.assign(top1=numbers["top1"].where(learned))
    runs: Methods = {}
    for (row, seed), own in kept.groupby(["row", "seed"]):
        known = own["top1"].notna().all()
        runs.setdefault(str(row), {})[int(str(seed))] = (
            float(own["top1"].mean()) if known else None
        )
    return runs


def _gain(runs: Methods, ours: str, other: str) -> Effect:
    return difference(runs[ours], runs[other], paired=True, grain=GRAIN)


def _by_frequency(numbers: pd.DataFrame, blend: str) -> dict[int, dict[int, float | None]]:
    """Epochs between prunings -> accuracy by seed, of the seeds that all have."""
    runs = _at_end(numbers)
    own = {every: runs[f"{blend}_every_{every}"] for every in EVERY}
    seeds = sorted(set.intersection(*map(set, own.values())))
    return {every: {seed: arm[seed] for seed in seeds} for every, arm in own.items()}


def _level(runs: Runs) -> float:
    own = [x for x in runs.values() if x is not None]
    return sum(own) / len(own) if own else 0.0


def _drops(numbers: pd.DataFrame) -> dict[int, pd.DataFrame] | None:
    """By seed, validation accuracy around every pruning with an epoch without one on both sides.

    None where too few epochs lie between prunings to see anything.
    """
    found = {}
    for seed, runs in numbers[numbers["row"].isin(SHOWN)].groupby("seed"):
        drops = [drop for _, run in runs.groupby(["row", "column"]) for drop in _of_run(run)]
        frame = pd.DataFrame(drops, columns=["pruning", "drop", "recovery"])
        if frame["pruning"].nunique() < 3:
            return None
        found[int(str(seed))] = frame
    return found


def _of_run(run: pd.DataFrame) -> list[tuple[int, float, float]]:
    """Number of each pruning, the accuracy that is lost by it, and won back until the next."""
    accuracy = run.set_index("epoch")["test_top1"]
    pruned = run.loc[run["prunings"] > 0, "epoch"].tolist()
    drops = []
    for number, (epoch, after) in enumerate(zip(pruned, [*pruned[1:], None], strict=True), 1):
        until = accuracy.index.max() if after is None else after - 1
        if epoch - 1 in accuracy.index and epoch - 1 not in pruned and until > epoch:
            drop = accuracy[epoch - 1] - accuracy[epoch]
            drops.append((number, float(drop), float(accuracy[until] - accuracy[epoch])))
    return drops


def _too_close() -> Judgement:
    reason = "at this scale every epoch or two ends with a pruning: no recovery can be seen"
    return not_comparable("unreachable", reason)
