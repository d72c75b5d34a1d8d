"""Statements of GmP's section 3.5 on Figure 2: the replicates that its networks are."""

import math

import pandas as pd

from reactivate.documents.gmp.comparison import AT_LARGE_RATE, LARGE_RATE, OTHERS, Networks, label
from reactivate.documents.gmp.rates import OWN_RATE, RATES
from reactivate.judging.effects import difference
from reactivate.judging.learned import passes_regression
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

BETTER = f"the better of {min(RATES):g} and {max(RATES):g}"


def gmp_steps_stay_below_1(frame: pd.DataFrame) -> dict[int, bool | None]:
    """Under GmP the largest change of a point at a step is always smaller than 1."""
    runs = _networks(frame).runs("largest_change_ever", "gmp", LARGE_RATE)
    return {seed: None if change is None else change < 1 for seed, change in runs.items()}


def other_steps_reach_2_16(frame: pd.DataFrame) -> dict[str, dict[int, float | None]]:
    """Under other parameterizations the changes of points can be up to 2^16 at some steps."""
    networks = _networks(frame)
    return {label(n): networks.runs("largest_change_ever", n, LARGE_RATE) for n in OTHERS}


def gmp_lowest_error(frame: pd.DataFrame) -> dict[str, Effect]:
    """GmP has the lowest test RMSE, each parameterization at its own rate."""
    return _networks(frame).gmp_is_lower("test_rmse", OWN_RATE)


def spread_lowers_error(frame: pd.DataFrame) -> Effect:
    """Points that cover the data better make predictions more accurate."""
    return _networks(frame).goes_with_distance("test_rmse", sign=1)


def rates_of_figure2(frame: pd.DataFrame) -> Readings:
    """The optimal learning rate of SP, WN and BN is lower than that of GmP.

    Only two rates were run, and the better one is told by the test points. Where both
    parameterizations are better at the larger one, the difference is 0: a tie.
    """
    best = {name: _best_rates(frame, name) for name in AT_LARGE_RATE}
    step = math.log(max(RATES) / min(RATES))
    return Readings(
        {
            BETTER: {
                label(name): difference(best["gmp"], best[name], paired=False, grain=step)
                for name in OTHERS
            }
        }
    )


def _best_rates(frame: pd.DataFrame, name: str) -> dict[int, float | None]:
    """Log of the rate with the lower test error, by seed."""
    errors = {rate: _networks(frame).runs("test_rmse", name, rate) for rate in RATES}
    best: dict[int, float | None] = {}
    for seed in errors[LARGE_RATE]:
        learned = {rate: x for rate, run in errors.items() if (x := run[seed]) is not None}
        best[seed] = math.log(min(learned, key=lambda rate: learned[rate])) if learned else None
    return best


def _networks(frame: pd.DataFrame) -> Networks:
    """The networks, which learned if they are better than the mean of the function."""
    deviation = float(frame.loc[frame["quantity"] == "levy", "value"].std(ddof=0))
    return Networks(frame, "test_rmse", lambda error: passes_regression(error, deviation))
