"""Effects of the thesis' statements on float neurons, from Figures 6.2 and 6.6."""

import pandas as pd

from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.thesis.chapter6.arms import (
    Numbers,
    across,
    alone,
    by_seed,
    every_pair,
    ratio,
)
from reactivate.judging.effects import difference, trend
from reactivate.judging.exact import not_comparable
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect, Runs

NOISE = ("noise_125", "noise_250")
ADVERSARIAL = ("fgsm_04", "fgsm_08", "pgd_04", "pgd_08")
MINOR = ("noise_125", "fgsm_04", "pgd_04")  # the weaker defence of each kind
DRAMATICALLY = (2.0, 1.5, 3.0)  # factor by which float neurons become fewer: a choice
SHALLOW = 4  # the last of the layers 0 to 4
DEEP = 12
FEW = 0.05


def std_floats_most(layers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.2: the network without defence has the highest number of float neurons."""
    shares = _whole(layers)
    return every_pair(shares, ["std"], [name for name in shares if name != "std"])


def std_layer_1(layers: pd.DataFrame) -> Readings:
    """Figure 6.2: 70 % of the neurons in layer 1 of STD are float."""
    counted = {"layers counted from 0": 1, "layers counted from 1": 0}
    found = {name: layers[layers["layer"] == layer] for name, layer in counted.items()}
    return Readings(
        {name: _relative(_over_layers(own)["std"], 0.7) for name, own in found.items()}
    )


def falls_with_depth(layers: pd.DataFrame) -> Effect:
    """Figure 6.2: without defence deeper layers have fewer float neurons."""
    own = layers[layers["defence"] == "std"]
    depths = sorted(own["layer"].unique())
    by_depth = {str(depth): _over_layers(own[own["layer"] == depth])["std"] for depth in depths}
    return trend(depths, across(by_depth), rising=False)


def noise_15_and_10(layers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.2: on average over layers 15 % are float with noise 0.125, 10 % with 0.25."""
    means = _over_layers(layers)
    stated = {"noise_125": 0.15, "noise_250": 0.1}
    return {name: _relative(means[name], number) for name, number in stated.items()}


def defences_float_less(layers: pd.DataFrame) -> Readings:
    """Figure 6.2: even minor defences can dramatically reduce the number of float neurons."""
    shares = _whole(layers)
    return Readings(
        {
            f"by a factor of {factor:g}": {
                name: ratio(shares["std"], shares[name], factor=factor) for name in MINOR
            }
            for factor in DRAMATICALLY
        }
    )


def adversarial_float_more_in_shallow(layers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.2: in layers 0 to 4 FGSM and PGD float more than noise, in the mean."""
    return every_pair(_over_layers(layers[layers["layer"] <= SHALLOW]), ADVERSARIAL, NOISE)


def adversarial_float_less_in_deep(layers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.2: in deeper layers FGSM and PGD float less than noise, in the mean."""
    return every_pair(_over_layers(layers[layers["layer"] > SHALLOW]), NOISE, ADVERSARIAL)


def pgd_below_5(layers: pd.DataFrame) -> dict[str, Effect] | Judgement:
    """Figure 6.2: in layers deeper than 12 less than 5 % of neurons of PGD models are float."""
    deep = layers[layers["layer"] > DEEP]
    if deep.empty:
        return not_comparable("network", f"the network has no layers deeper than {DEEP}")
    means = _over_layers(deep)
    return {name: alone(means[name], lambda mean: FEW - mean) for name in ("pgd_04", "pgd_08")}


def stronger_float_less(layers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.2: stronger defences, by Table 6.1, tend to have fewer float neurons."""
    robust = printed_numbers("thesis", "table6_1")["adversarial"]
    defended = layers[layers["defence"] != "std"]
    parts = {
        "whole network": _whole(defended),
        "deep layers": _over_layers(defended[defended["layer"] > SHALLOW]),
    }
    return {
        part: trend([robust[name] for name in own], across(own), rising=False)
        for part, own in parts.items()
    }


def noise_fixes_neurons(shares: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.6: with noise in training more neurons are fixed, under either noise."""
    means = _means(shares)
    return {
        f"{name} at sigma {sigma:g}": difference(runs, own["std"], paired=False)
        for sigma, own in means.items()
        for name, runs in own.items()
        if name != "std"
    }


def fixed_72_to_90(shares: pd.DataFrame) -> Readings:
    """Figure 6.6: 72 % are fixed without noise, 90 % with 0.05; which panel is not said."""
    means, stated = _means(shares), {"std": 0.72, "noise_050": 0.9}
    return Readings(
        {
            f"panel of sigma {sigma:g}": {
                name: _relative(own[name], number) for name, number in stated.items()
            }
            for sigma, own in means.items()
        }
    )


def _relative(found: Runs, stated: float) -> Effect:
    """Distance from a stated number, as a share of it."""
    return alone(found, lambda number: number / stated - 1)


def _over_layers(layers: pd.DataFrame) -> Numbers:
    return by_seed(layers, lambda own: float(own["float_share"].mean()))


def _whole(layers: pd.DataFrame) -> Numbers:
    """Share of all neurons of a network that are float."""

    def share(own: pd.DataFrame) -> float:
        return float((own["float_share"] * own["neurons"]).sum() / own["neurons"].sum())

    return by_seed(layers, share)


def _means(shares: pd.DataFrame) -> dict[float, Numbers]:
    """Mean share of fixed neurons by noise and defence."""
    return {
        float(sigma): by_seed(own, lambda rows: float(rows["fixed_share"].mean()))  # type: ignore[arg-type]
        for sigma, own in shares.groupby("sigma", sort=False)
    }
