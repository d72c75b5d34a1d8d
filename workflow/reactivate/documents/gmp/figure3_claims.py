"""Statements of GmP's section 3.5 on Figure 3: the replicates that its networks are."""

import math

import pandas as pd

from reactivate.documents.gmp.comparison import AT_LARGE_RATE, LARGE_RATE, OTHERS, Networks, label
from reactivate.documents.gmp.rates import OWN_RATE
from reactivate.judging.effects import difference
from reactivate.judging.learned import Gate
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

TESTS = 1 / 4  # test rows for every row of the training part
WATCHED = "test rows watched"  # they decide about schedule, stop and the weights kept


def gmp_directions_are_stable(frame: pd.DataFrame) -> dict[str, Effect]:
    """At a large rate GmP's directions turn less at a step than those of every other."""
    return _networks(frame).gmp_is_lower("largest_turn_ever", AT_LARGE_RATE)


def other_directions_turn_round(frame: pd.DataFrame) -> dict[str, dict[int, float | None]]:
    """Under other parameterizations a direction can change by up to 180 degrees at a step."""
    networks = _networks(frame)
    return {label(n): networks.runs("largest_turn_ever", n, LARGE_RATE) for n in OTHERS}


def gmp_is_smooth_at_ten_times_the_rate(frame: pd.DataFrame) -> dict[str, Effect]:
    """At the larger rate GmP's locations move less at a step than those of every other."""
    return _networks(frame).gmp_is_lower("largest_move_ever", AT_LARGE_RATE)


def gmp_highest_accuracy(frame: pd.DataFrame) -> Readings:
    """GmP has the highest test accuracy, each parameterization at its own rate."""
    grain = 1 / _test_rows(frame)
    arms = _networks(frame).by_other("test_accuracy", OWN_RATE).items()
    return Readings({WATCHED: {n: difference(*arm, paired=False, grain=grain) for n, arm in arms}})


def spread_raises_accuracy(frame: pd.DataFrame) -> Readings:
    """Locations that are spread more over the data are better for the accuracy."""
    return Readings({WATCHED: _networks(frame).goes_with_distance("test_accuracy", sign=-1)})


def gmp_locations_cover_the_data(frame: pd.DataFrame) -> Readings:
    """Under GmP the locations spread over the training inputs.

    They are nearer to them than those of other parameterizations at the end of training, and
    nearer than at its start, when every location is the origin.
    """
    networks = _networks(frame)
    inputs = frame[frame["quantity"] == "training"]
    start = float(((inputs["x1"] ** 2 + inputs["x2"] ** 2) ** 0.5).mean())
    ends = networks.runs("distance_to_location", "gmp", OWN_RATE["gmp"])
    nearer = [None if end is None else math.log(start / end) for end in ends.values()]
    return Readings(
        {
            "than others": networks.gmp_is_lower("distance_to_location", OWN_RATE),
            "than at the start": {label("gmp"): Effect(tuple(nearer))},
        }
    )


def _networks(frame: pd.DataFrame) -> Networks:
    """The networks, which learned if they pass the gate of a classifier."""
    ones = float(frame.loc[frame["quantity"] == "training", "value"].mean())
    best = float(frame.loc[frame["quantity"] == "test_accuracy", "value"].max())
    gate = Gate(chance=max(ones, 1 - ones), best=best, images=_test_rows(frame))
    return Networks(frame, "test_accuracy", gate.passes)


def _test_rows(frame: pd.DataFrame) -> int:
    return round(TESTS * int((frame["quantity"] == "training").sum()))
