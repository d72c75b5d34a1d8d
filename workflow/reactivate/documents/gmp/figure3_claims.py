"""Statements of GmP's section 3.5 on Figure 3, judged from its networks."""

import pandas as pd

from reactivate.documents.gmp.comparison import (
    LARGE_RATE,
    OTHERS,
    by_seed,
    gmp_is_best,
    goes_with_distance,
    label,
    reached_by_others,
)
from reactivate.documents.gmp.rates import RATES
from reactivate.documents.shared.judging import judge, ordered
from reactivate.evidence.judgement import Judgement

NEARLY_ALL_ROUND = 175.0  # degrees; a float is never turned by 180 exactly
FIGURE3_UNITS = {"Section 3.5": 100, "the caption": 10}


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
    reached, told = reached_by_others(frame, "largest_turn_ever", NEARLY_ALL_ROUND, digits=4)
    return ordered(
        reached, f"largest turn in degrees, and seeds above {NEARLY_ALL_ROUND:g}: {told}"
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
    """GmP has the highest test accuracy, each parameterization at its own rate."""
    return gmp_is_best(frame, "test_accuracy", sign=1, shown="{:.1f} %", factor=100)


def spread_raises_accuracy(frame: pd.DataFrame) -> Judgement:
    """Locations that are spread more over the data are better for the accuracy."""
    return goes_with_distance(frame, "test_accuracy", sign=-1)


def gmp_locations_cover_the_data(frame: pd.DataFrame) -> Judgement:
    """GmP's locations are nearest to the training inputs at the end of training."""
    return gmp_is_best(frame, "distance_to_location", sign=-1, shown="{:.3f}", factor=1)


def figure3_units() -> Judgement:
    """Section 3.5: the networks of Figure 3 have 100 ReLU units."""
    said = ", ".join(f"{count} in {place}" for place, count in FIGURE3_UNITS.items())
    return judge(
        len(set(FIGURE3_UNITS.values())) == 1,
        f"units of Figure 3: {said}; ten paths are drawn, and the authors' code has 10",
    )
