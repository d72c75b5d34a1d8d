"""Statements of GmP's section 3.5 on Figure 2, judged from its networks."""

import pandas as pd

from reactivate.documents.gmp.comparison import (
    LARGE_RATE,
    by_seed,
    gmp_is_best,
    goes_with_distance,
    label,
    reached_by_others,
)
from reactivate.documents.gmp.rates import OWN_RATE, RATES
from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement


def gmp_steps_stay_below_1(frame: pd.DataFrame) -> Judgement:
    """Under GmP the largest change of a point at a step is always smaller than 1."""
    changes = by_seed(frame, "largest_change_ever", "gmp", LARGE_RATE)
    return ordered(
        bool((changes < 1).all()),
        f"largest change of {len(changes)} networks at a rate of {LARGE_RATE:g}: "
        f"{changes.max():.3g}",
    )


def other_steps_reach_2_16(frame: pd.DataFrame) -> Judgement:
    """Under other parameterizations the changes can be up to 2^16 at some steps."""
    reached, told = reached_by_others(frame, "largest_change_ever", 2**16, digits=3)
    return ordered(
        reached, f"largest change at a rate of {LARGE_RATE:g}, and seeds that reach 65536: {told}"
    )


def gmp_lowest_error(frame: pd.DataFrame) -> Judgement:
    """GmP has the lowest test RMSE, each parameterization at its own rate."""
    return gmp_is_best(frame, "test_rmse", sign=-1, shown="{:.3f}", factor=1)


def rates_of_figure2(frame: pd.DataFrame) -> Judgement:
    """The optimal learning rate of SP, WN and BN is lower than that of GmP."""
    findings, holds = [], True
    for name, printed in OWN_RATE.items():
        means = {rate: by_seed(frame, "test_rmse", name, rate).mean() for rate in RATES}
        better = min(means, key=lambda rate: means[rate])
        holds &= better == printed
        errors = ", ".join(f"{mean:.3f} at {rate:g}" for rate, mean in means.items())
        findings.append(f"{label(name)} {errors}")
    seeds = len(by_seed(frame, "test_rmse", "gmp", LARGE_RATE))
    return ordered(holds, f"mean test RMSE of {seeds} seeds: {'; '.join(findings)}")


def spread_lowers_error(frame: pd.DataFrame) -> Judgement:
    """Points that cover the data better make predictions more accurate."""
    return goes_with_distance(frame, "test_rmse", sign=1)
