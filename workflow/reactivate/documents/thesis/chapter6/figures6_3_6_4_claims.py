"""Statements of the thesis on local Lipschitz constants, judged from Figures 6.3 and 6.4.

The number of a model is the median over its images.
"""

import pandas as pd

from reactivate.documents.shared.judging import ordered, said
from reactivate.evidence.judgement import Judgement

UNDER_DEFENDED = ("noise_125", "noise_250", "fgsm_04")  # as the section lists them
DEFENDED = ("fgsm_08", "pgd_04", "pgd_08")
NOISE = ("noise_125", "noise_250")
MAGNITUDE = 10.0  # factor up to which two numbers are of the same magnitude
GREATLY = 0.5


def std_is_highest(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.3: constant and prediction distance of STD are higher than those of all others."""
    medians = {name: _medians(numbers, name) for name in ("lipschitz_mean", "distance_mean")}
    holds = all(max(own, key=lambda name: own[name]) == "std" for own in medians.values())
    return ordered(holds, _shown(medians))


def under_defended_move_further(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.3: under-defended models have larger prediction distances than defended ones."""
    distances = _medians(numbers, "distance_mean")
    holds = min(distances[name] for name in UNDER_DEFENDED) > max(
        distances[name] for name in DEFENDED
    )
    return ordered(holds, _shown({"distance_mean": distances}))


def distances_vary_less(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.3: with a defence the prediction distance varies less than without."""
    return _below_std(numbers, "distance_variance")


def constants_vary_less(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.4: with a defence the constant varies less than without."""
    return _below_std(numbers, "lipschitz_variance")


def constants_fall(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.4: robust training tightens constants greatly: at least by half, by any method."""
    constants = _medians(numbers, "lipschitz_mean")
    shares = {name: value / constants["std"] for name, value in constants.items() if name != "std"}
    finding = f"median constant over STD's, {constants['std']:.3g}: {said(shares, '.3g')}"
    return ordered(max(shares.values()) <= GREATLY, finding)


def noise_has_higher_constants(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.4: higher constants with noise than with proper defence, of variances alike."""
    medians = {name: _medians(numbers, name) for name in ("lipschitz_mean", "lipschitz_variance")}
    means = medians["lipschitz_mean"]
    higher = min(means[name] for name in NOISE) > max(means[name] for name in DEFENDED)
    return ordered(higher and _alike(medians["lipschitz_variance"]), _shown(medians))


def noise_varies_alike(numbers: pd.DataFrame) -> Judgement:
    """Figure 6.3: prediction distances vary in the same magnitude with noise as with defence."""
    variances = _medians(numbers, "distance_variance")
    return ordered(_alike(variances), _shown({"distance_variance": variances}))


def _below_std(numbers: pd.DataFrame, quantity: str) -> Judgement:
    medians = _medians(numbers, quantity)
    holds = max(value for name, value in medians.items() if name != "std") < medians["std"]
    return ordered(holds, _shown({quantity: medians}))


def _alike(medians: dict[str, float]) -> bool:
    """Whether models with noise and with proper defence have numbers of the same magnitude."""
    chosen = [medians[name] for name in (*NOISE, *DEFENDED)]
    return max(chosen) <= MAGNITUDE * min(chosen)


def _medians(numbers: pd.DataFrame, quantity: str) -> dict[str, float]:
    medians = numbers.groupby("defence", sort=False)[quantity].median()
    return {str(name): float(value) for name, value in medians.items()}


def _shown(medians: dict[str, dict[str, float]]) -> str:
    parts = [f"{name.replace('_', ' ')} {said(own, '.3g')}" for name, own in medians.items()]
    return f"medians: {'; '.join(parts)}"
