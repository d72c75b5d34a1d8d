"""Effects of the thesis' statements on changes of paths (section 6.3.2), from Figure 6.1.

Paths are those of Definition 8; what the author's program has in their place is a reading.
"""

from collections.abc import Callable

import pandas as pd

from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.thesis.chapter6.arms import Numbers, across, alone, by_seed
from reactivate.judging.effects import trend
from reactivate.judging.questions import Found, Readings
from reactivate.judging.replicates import Effect
from reactivate.patterns.protocols import PROTOCOLS

UNDER_DEFENDED = ("std", "noise_125", "fgsm_04")  # as the section lists them
DEFENDED = ("fgsm_08", "pgd_04", "pgd_08")


def fixed_against_label(changes: pd.DataFrame) -> Readings:
    """Figure 6.1: cosines of fixed paths cluster around -1 for under-defended models."""
    return _readings(changes, lambda own: _from(own, "cosine_fixed", UNDER_DEFENDED, -1.0))


def float_around_04(changes: pd.DataFrame) -> Readings:
    """Figure 6.1: cosines of float paths are around -0.4 for robust models."""
    return _readings(changes, lambda own: _from(own, "cosine_float", DEFENDED, -0.4))


def similarities_rise(changes: pd.DataFrame) -> Readings:
    """Figure 6.1: both cosines are higher for more robust models, in the order of Table 6.1."""
    robust = printed_numbers("thesis", "table6_1")["adversarial"]

    def cases(own: pd.DataFrame) -> Found:
        found = {}
        for paths in ("fixed", "float"):
            medians = _medians(own, f"cosine_{paths}")
            found[paths] = trend([robust[name] for name in medians], across(medians))
        return found

    return _readings(changes, cases)


def fixed_within_1(changes: pd.DataFrame) -> Readings:
    """Figure 6.1: for all models the length of the fixed change is in (0, 1)."""

    def cases(own: pd.DataFrame) -> Found:
        inside = own["norm_fixed"].between(0, 1, inclusive="neither")
        return {name: _share(own, inside, name) for name in own["defence"].unique()}

    return _readings(changes, cases)


def float_up_to_16(changes: pd.DataFrame) -> Readings:
    """Figure 6.1: float changes of under-defended models reach 16."""

    def largest(own: pd.DataFrame) -> Found:
        defended = own[own["defence"].isin(UNDER_DEFENDED)]
        longest = by_seed(defended, lambda rows: float(rows["norm_float"].max()))
        return {seed: max(found) for seed, found in across(longest).items() if found}

    return _readings(changes, largest)


def float_is_longer(changes: pd.DataFrame) -> Readings:
    """Figure 6.1: for robust models the float change is longer than the fixed one."""

    def cases(own: pd.DataFrame) -> Found:
        longer = own["norm_float"] > own["norm_fixed"]
        return {name: _share(own, longer, name) for name in DEFENDED}

    return _readings(changes, cases)


def _readings(changes: pd.DataFrame, found: Callable[[pd.DataFrame], Found]) -> Readings:
    """What is found with the paths of the document, and with those of the author's program."""
    by_protocol = {name: changes[changes["protocol"] == name] for name in PROTOCOLS}
    return Readings({name: found(own) for name, own in by_protocol.items()})


def _from(own: pd.DataFrame, column: str, names: tuple[str, ...], centre: float) -> Found:
    """How far the median of each model is above a stated centre."""
    medians = _medians(own, column)
    return {name: alone(medians[name], lambda median: median - centre) for name in names}


def _medians(own: pd.DataFrame, column: str) -> Numbers:
    return by_seed(own, lambda rows: float(rows[column].median()))


def _share(own: pd.DataFrame, holds: "pd.Series[bool]", name: str) -> Effect:
    """Share of a model's images of which something holds, minus a half."""
    model = own.assign(holds=holds)[own["defence"] == name]
    shares = by_seed(model, lambda rows: float(rows["holds"].mean()))[name]
    images = len(model) / len(shares)  # as many of every network
    return alone(shares, lambda found: found - 0.5, grain=1 / images)
