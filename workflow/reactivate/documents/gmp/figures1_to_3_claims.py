"""What GmP's section 3.5 says about Figures 1, 2 and 3, judged from their numbers."""

from statistics import fmean

import pandas as pd
from scipy.stats import spearmanr, ttest_rel

from reactivate.documents.gmp.trials import OWN_RATE, RATES
from reactivate.documents.shared.curves import LOOKS
from reactivate.documents.shared.judging import ordered
from reactivate.evidence.judgement import Judgement

OTHERS = ("sp", "wn", "bn")
LARGE_RATE = max(RATES)
NEARLY_ALL_ROUND = 175.0  # degrees; a float is never turned by 180 exactly
SIGNIFICANT = 0.05
DRASTIC = 100  # times what GmP's boundary turns


def by_seed(frame: pd.DataFrame, quantity: str, name: str, rate: float) -> pd.Series:
    """One number of every network of a parameterization and rate, by seed."""
    rows = frame[(frame["quantity"] == quantity) & (frame["parameterization"] == name)]
    return rows[rows["rate"] == rate].set_index("seed")["value"].sort_index()


def label(name: str) -> str:
    """As it is called in words."""
    return LOOKS[name].label


# Figure 1


def perturbations(frame: pd.DataFrame, column: str, epsilon: float) -> pd.DataFrame:
    """What perturbed units did, a row per draw and a column per parameterization."""
    rows = frame[(frame["panel"] == "b-e") & (frame["epsilon"] == epsilon)]
    return rows.pivot_table(index="draw", columns="parameterization", values=column)


def gmp_moves_gradually(frame: pd.DataFrame) -> Judgement:
    """The boundary changes smoothly under GmP, further away for a larger perturbation."""
    sizes = sorted(frame.loc[frame["epsilon"] > 0, "epsilon"].unique())
    moved = pd.DataFrame({e: perturbations(frame, "moved", e)["gmp"] for e in sizes})
    turned = [perturbations(frame, "turned_degrees", e)["gmp"].max() for e in sizes]
    growing = (moved.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
    medians = ", ".join(f"{moved[e].median():.2g} at {e:g}" for e in sizes)
    return ordered(
        bool(growing.all()),
        f"the location is further away at each larger epsilon for {growing.sum()} of "
        f"{len(growing)} units (median {medians}); the direction turns by at most "
        f"{turned[-1]:.2f} degrees at {sizes[-1]:g}, which is epsilon",
    )


def small_perturbation_is_drastic(frame: pd.DataFrame) -> Judgement:
    """A perturbation of 0.001 can drastically change the boundary of SP and WN, not of GmP."""
    epsilon = 1e-3
    turned, moved = (perturbations(frame, c, epsilon) for c in ("turned_degrees", "moved"))
    ratio = turned[["sp", "wn"]].median() / turned["gmp"].median()
    said = ", ".join(
        f"{label(n)} {turned[n].median():.2g} degrees (at most {turned[n].max():.3g}) and "
        f"{moved[n].median():.2g}"
        for n in ("sp", "wn", "gmp")
    )
    return ordered(
        bool((ratio > DRASTIC).all()),
        f"median turn of the direction and move of the location of {len(turned)} units by "
        f"{epsilon:g}: {said}",
    )


def gmp_is_most_stable(frame: pd.DataFrame) -> Judgement:
    """Under every perturbation GmP's boundary changes least."""
    findings, holds = [], True
    for epsilon in sorted(frame.loc[frame["epsilon"] > 0, "epsilon"].unique()):
        for word, column in (("turns", "turned_degrees"), ("moves", "moved")):
            found = perturbations(frame, column, epsilon)
            least = found["gmp"] < found[["sp", "wn"]].min(axis=1)
            holds &= bool(least.mean() > 0.5)
            findings.append(f"{word} least at {epsilon:g} for {100 * least.mean():.0f} %")
    return ordered(holds, f"of {len(found)} units GmP {', '.join(findings)}")


# Figure 2


def gmp_steps_stay_below_1(frame: pd.DataFrame) -> Judgement:
    """Under GmP the largest change of a point at a step is always smaller than 1."""
    found = by_seed(frame, "largest_change_ever", "gmp", LARGE_RATE)
    return ordered(
        bool((found < 1).all()),
        f"largest change of {len(found)} networks at a rate of {LARGE_RATE:g}: {found.max():.3g}",
    )


def other_steps_reach_2_16(frame: pd.DataFrame) -> Judgement:
    """Under other parameterizations the changes can be up to 2^16 at some steps."""
    found = {n: by_seed(frame, "largest_change_ever", n, LARGE_RATE) for n in OTHERS}
    said = ", ".join(
        f"{label(n)} {values.max():.3g} ({(values >= 2**16).sum()} of {len(values)} seeds)"
        for n, values in found.items()
    )
    return ordered(
        all(values.max() >= 2**16 for values in found.values()),
        f"largest change at a rate of {LARGE_RATE:g}, and seeds that reach 65536: {said}",
    )


def gmp_lowest_error(frame: pd.DataFrame) -> Judgement:
    """GmP has the lowest test RMSE, each at its own rate."""
    return _best(frame, "test_rmse", sign=-1, shown="{:.3f}", factor=1)


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
    return _goes_with_distance(frame, "test_rmse", sign=1)


# Figure 3


def gmp_directions_are_stable(frame: pd.DataFrame) -> Judgement:
    """GmP is the only one whose directions change little at every step at a large rate."""
    gmp = by_seed(frame, "largest_turn_ever", "gmp", LARGE_RATE)
    others = {n: by_seed(frame, "largest_turn_ever", n, LARGE_RATE) for n in OTHERS}
    wins = pd.DataFrame({n: values > gmp for n, values in others.items()}).all(axis=1)
    said = ", ".join(f"{label(n)} {v.min():.3g} to {v.max():.4g}" for n, v in others.items())
    return ordered(
        bool(wins.all()),
        f"largest turn at a step, in degrees over {len(gmp)} seeds: GmP {gmp.min():.3g} to "
        f"{gmp.max():.3g}, {said}; GmP least for {wins.sum()} seeds",
    )


def other_directions_turn_round(frame: pd.DataFrame) -> Judgement:
    """Under other parameterizations a direction can change by up to 180 degrees at a step."""
    found = {n: by_seed(frame, "largest_turn_ever", n, LARGE_RATE) for n in OTHERS}
    said = ", ".join(
        f"{label(n)} {values.max():.4g} ({(values > NEARLY_ALL_ROUND).sum()} of "
        f"{len(values)} seeds)"
        for n, values in found.items()
    )
    return ordered(
        all(values.max() > NEARLY_ALL_ROUND for values in found.values()),
        f"largest turn in degrees, and seeds above {NEARLY_ALL_ROUND:g}: {said}",
    )


def gmp_is_smooth_at_ten_times_the_rate(frame: pd.DataFrame) -> Judgement:
    """GmP at a rate of 0.1 evolves as smoothly as others; they do not at that rate."""
    gmp = by_seed(frame, "largest_move_ever", "gmp", LARGE_RATE)
    others = {n: by_seed(frame, "largest_move_ever", n, LARGE_RATE) for n in OTHERS}
    wins = pd.DataFrame({n: values > gmp for n, values in others.items()}).all(axis=1)
    said = ", ".join(f"{label(n)} {values.max():.3g}" for n, values in others.items())
    slow = max(by_seed(frame, "largest_move_ever", n, min(RATES)).max() for n in OTHERS)
    return ordered(
        all(values.max() > gmp.max() for values in others.values()),
        f"largest move of a location at a step, {len(gmp)} seeds: GmP {gmp.max():.3g}, {said} at "
        f"{LARGE_RATE:g}; others at {min(RATES):g} {slow:.3g}; GmP least for {wins.sum()} seeds",
    )


def gmp_highest_accuracy(frame: pd.DataFrame) -> Judgement:
    """GmP has the highest test accuracy, each at its own rate."""
    return _best(frame, "test_accuracy", sign=1, shown="{:.1f} %", factor=100)


def spread_raises_accuracy(frame: pd.DataFrame) -> Judgement:
    """Locations that are spread more over the data are better for the accuracy."""
    return _goes_with_distance(frame, "test_accuracy", sign=-1)


def gmp_locations_cover_the_data(frame: pd.DataFrame) -> Judgement:
    """GmP's locations are nearest to the training inputs at the end of training."""
    return _best(frame, "distance_to_location", sign=-1, shown="{:.3f}", factor=1)


def _goes_with_distance(frame: pd.DataFrame, quantity: str, sign: int) -> Judgement:
    """Whether networks whose locations are nearer to the data are better, by rank."""
    distances, values, means = [], [], []
    for name, rate in OWN_RATE.items():
        here = by_seed(frame, "distance_to_location", name, rate)
        distances += here.to_list()
        values += by_seed(frame, quantity, name, rate).to_list()
        means.append(f"{label(name)} {here.mean():.3f}")
    found = spearmanr(distances, values)
    return ordered(
        bool(sign * found.statistic > 0 and found.pvalue < SIGNIFICANT),
        f"rank correlation {found.statistic:.2f} (p = {found.pvalue:.2g}) of {len(values)} "
        f"networks between {quantity} and the mean distance of a training input to the nearest "
        "location: " + ", ".join(means),
    )


def _best(frame: pd.DataFrame, quantity: str, sign: int, shown: str, factor: float) -> Judgement:
    """Whether GmP's mean over seeds is the best, with a paired test against each other."""
    values = {name: by_seed(frame, quantity, name, OWN_RATE[name]) for name in OWN_RATE}
    gmp = values["gmp"]
    gains = {name: sign * (gmp - values[name]) for name in OTHERS}
    wins = pd.DataFrame({name: gain >= 0 for name, gain in gains.items()}).all(axis=1).sum()
    means = ", ".join(
        f"{label(name)} {shown.format(factor * fmean(found))}" for name, found in values.items()
    )
    tests = ", ".join(f"{label(name)} {_p_value(gain):.2g}" for name, gain in gains.items())
    return ordered(
        all(gain.mean() > 0 for gain in gains.values()),
        f"mean of {len(gmp)} seeds: {means}; GmP best or equal for {wins} seeds; p against "
        f"{tests} (one-sided paired t)",
    )


def _p_value(gain: pd.Series) -> float:
    """Of a one-sided t-test of paired differences; 1 for a single pair."""
    if len(gain) < 2 or gain.nunique() == 1:
        return 1.0 if len(gain) < 2 or gain.iloc[0] <= 0 else 0.0
    return float(ttest_rel(gain, 0 * gain, alternative="greater").pvalue)
