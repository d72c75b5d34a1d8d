"""Effects of the thesis' statements on local Lipschitz constants, from Figures 6.3 and 6.4.

The number of a model is the median over its images.
"""

from itertools import product
from math import log

import pandas as pd

from reactivate.documents.thesis.chapter6.arms import (
    Numbers,
    across,
    alone,
    by_seed,
    every_pair,
    ratio,
)
from reactivate.judging.effects import share
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect, Runs

UNDER_DEFENDED = ("noise_125", "noise_250", "fgsm_04")  # as the section lists them
DEFENDED = ("fgsm_08", "pgd_04", "pgd_08")
NOISE = ("noise_125", "noise_250")
MAGNITUDE = 10.0  # factor up to which two numbers are of the same magnitude
GREATLY = (2.0, 1.3, 4.0)  # factor by which constants fall: a choice


def std_is_highest(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.3: constant and prediction distance of STD are higher than those of all others."""
    found: dict[str, Effect] = {}
    for quantity in ("lipschitz_mean", "distance_mean"):
        medians = _medians(numbers, quantity)
        found |= every_pair(medians, ["std"], _others(medians), f"{quantity} ")
    return found


def under_defended_move_further(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.3: under-defended models have larger prediction distances than defended ones."""
    return every_pair(_medians(numbers, "distance_mean"), UNDER_DEFENDED, DEFENDED)


def distances_vary_less(numbers: pd.DataFrame) -> Effect:
    """Figure 6.3: with a defence the prediction distance tends to vary less than without."""
    return _below_std(numbers, "distance_variance")


def constants_vary_less(numbers: pd.DataFrame) -> Effect:
    """Figure 6.4: with a defence the constant tends to vary less than without."""
    return _below_std(numbers, "lipschitz_variance")


def constants_fall(numbers: pd.DataFrame) -> Readings:
    """Figure 6.4: robust training tightens constants greatly, by any method."""
    constants = _medians(numbers, "lipschitz_mean")
    return Readings(
        {
            f"by a factor of {factor:g}": {
                name: ratio(constants["std"], constants[name], factor=factor)
                for name in _others(constants)
            }
            for factor in GREATLY
        }
    )


def noise_has_higher_constants(numbers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.3: higher constants with noise than with proper defence, of variances alike."""
    found = every_pair(_medians(numbers, "lipschitz_mean"), NOISE, DEFENDED, "constant of ")
    for quantity in ("lipschitz_variance", "distance_variance"):
        medians = _medians(numbers, quantity)
        for a, b in product(NOISE, DEFENDED):
            found[f"{quantity} of {a} and {b}"] = _alike(medians[a], medians[b])
    return found


def _alike(one: Runs, other: Runs) -> Effect:
    """How far two models are inside a magnitude of each other, by the log of their ratio."""
    pairs = across({"one": one, "other": other})
    apart = {s: None if p is None else abs(log(p[0] / p[1])) for s, p in pairs.items()}
    return alone(apart, lambda logs: log(MAGNITUDE) - logs)


def _below_std(numbers: pd.DataFrame, quantity: str) -> Effect:
    """Share of the defended models that have less than STD, minus a half."""
    medians = _medians(numbers, quantity)
    ordered = {"std": medians["std"], **{name: medians[name] for name in _others(medians)}}
    return share(
        {
            seed: None if own is None else [x < own[0] for x in own[1:]]
            for seed, own in across(ordered).items()
        }
    )


def _others(medians: Numbers) -> list[str]:
    return [name for name in medians if name != "std"]


def _medians(numbers: pd.DataFrame, quantity: str) -> Numbers:
    return by_seed(numbers, lambda own: float(own[quantity].median()))
