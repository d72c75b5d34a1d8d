"""Parameterizations compared over seeds, which give every one of them the same start."""

from statistics import fmean

import pandas as pd
from scipy.stats import spearmanr, ttest_rel

from reactivate.documents.gmp.looks import LOOKS
from reactivate.documents.gmp.rates import OWN_RATE, RATES
from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

OTHERS = ("sp", "wn", "bn")
LARGE_RATE = max(RATES)
SIGNIFICANT = 0.05


def by_seed(frame: pd.DataFrame, quantity: str, name: str, rate: float) -> pd.Series:
    """One number of every network of a parameterization and rate, by seed."""
    rows = frame[(frame["quantity"] == quantity) & (frame["parameterization"] == name)]
    return rows[rows["rate"] == rate].set_index("seed")["value"].sort_index()


def label(name: str) -> str:
    """The name of a parameterization in words."""
    return LOOKS[name].label


def reached_by_others(
    frame: pd.DataFrame, quantity: str, limit: float, digits: int
) -> tuple[bool, str]:
    """Whether every other parameterization reaches a limit, and its largest values in words.

    Args:
        frame: Numbers of Figure 2 or 3.
        quantity: Which of them; judged at the large rate.
        limit: What is to be reached in one seed.
        digits: How many digits of the values are told.
    """
    values = {name: by_seed(frame, quantity, name, LARGE_RATE) for name in OTHERS}
    told = ", ".join(
        f"{label(name)} {own.max():.{digits}g} ({(own >= limit).sum()} of {len(own)} seeds)"
        for name, own in values.items()
    )
    return all(own.max() >= limit for own in values.values()), told


def goes_with_distance(frame: pd.DataFrame, quantity: str, sign: int) -> Judgement:
    """Judges by rank whether networks whose locations are nearer to the data are better."""
    distances, values, means = [], [], []
    for name, rate in OWN_RATE.items():
        here = by_seed(frame, "distance_to_location", name, rate)
        distances += here.to_list()
        values += by_seed(frame, quantity, name, rate).to_list()
        means.append(f"{label(name)} {here.mean():.3f}")
    correlation = spearmanr(distances, values)
    return ordered(
        bool(sign * correlation.statistic > 0 and correlation.pvalue < SIGNIFICANT),
        f"rank correlation {correlation.statistic:.2f} (p = {correlation.pvalue:.2g}) of "
        f"{len(values)} networks between {quantity} and the mean distance of a training input to "
        "the nearest location: " + ", ".join(means),
    )


def gmp_is_best(
    frame: pd.DataFrame, quantity: str, sign: int, shown: str, factor: float
) -> Judgement:
    """Judges whether GmP's mean over seeds is the best; each other has a paired test."""
    values = {name: by_seed(frame, quantity, name, OWN_RATE[name]) for name in OWN_RATE}
    gmp = values["gmp"]
    gains = {name: sign * (gmp - values[name]) for name in OTHERS}
    wins = pd.DataFrame({name: gain >= 0 for name, gain in gains.items()}).all(axis=1).sum()
    means = ", ".join(
        f"{label(name)} {shown.format(factor * fmean(scores))}" for name, scores in values.items()
    )
    tests = ", ".join(f"{label(name)} {_p_value(gain):.2g}" for name, gain in gains.items())
    return ordered(
        all(gain.mean() > 0 for gain in gains.values()),
        f"mean of {len(gmp)} seeds: {means}; GmP best or equal for {wins} seeds; p against "
        f"{tests} (one-sided paired t)",
    )


def _p_value(gain: pd.Series) -> float:
    """P-value of a one-sided t-test of paired differences; 1 for a single pair."""
    if len(gain) < 2 or gain.nunique() == 1:
        return 1.0 if len(gain) < 2 or gain.iloc[0] <= 0 else 0.0
    return float(ttest_rel(gain, 0 * gain, alternative="greater").pvalue)
