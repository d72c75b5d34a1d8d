"""Effects of the thesis' statements on float neurons, from Figures 6.2 and 6.6."""

from itertools import product

import pandas as pd

from reactivate.documents.shared.printed import printed_numbers
from reactivate.documents.thesis.chapter6.single import SEED, difference, every_pair, once, ratio
from reactivate.judging.effects import trend
from reactivate.judging.exact import not_comparable
from reactivate.judging.judgement import Judgement
from reactivate.judging.questions import Readings
from reactivate.judging.replicates import Effect

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
    own = layers[layers["defence"] == "std"].set_index("layer")["float_share"]
    counted = {"layers counted from 0": 1, "layers counted from 1": 0}
    return Readings({name: _relative(own[layer], 0.7) for name, layer in counted.items()})


def falls_with_depth(layers: pd.DataFrame) -> Effect:
    """Figure 6.2: without defence deeper layers have fewer float neurons."""
    own = layers[layers["defence"] == "std"]
    shares = own["float_share"].tolist()
    return trend(own["layer"].tolist(), {SEED: shares}, rising=False)


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
    return {name: once(FEW - means[name]) for name in ("pgd_04", "pgd_08")}


def stronger_float_less(layers: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.2: stronger defences, by Table 6.1, tend to have fewer float neurons."""
    robust = printed_numbers("thesis", "table6_1")["adversarial"]
    defended = layers[layers["defence"] != "std"]
    parts = {
        "whole network": _whole(defended),
        "deep layers": _over_layers(defended[defended["layer"] > SHALLOW]),
    }
    return {
        part: trend([robust[name] for name in own], {SEED: list(own.values())}, rising=False)
        for part, own in parts.items()
    }


def noise_fixes_neurons(shares: pd.DataFrame) -> dict[str, Effect]:
    """Figure 6.6: with noise in training more neurons are fixed, under either noise."""
    means = _means(shares)
    return {
        f"{name} at sigma {sigma:g}": difference(means[sigma, name], means[sigma, "std"])
        for sigma, name in means
        if name != "std"
    }


def fixed_72_to_90(shares: pd.DataFrame) -> Readings:
    """Figure 6.6: 72 % are fixed without noise, 90 % with 0.05; which panel is not said."""
    means, stated = _means(shares), {"std": 0.72, "noise_050": 0.9}
    return Readings(
        {
            f"panel of sigma {sigma:g}": {
                name: _relative(means[sigma, name], number) for name, number in stated.items()
            }
            for sigma in dict.fromkeys(sigma for sigma, _ in means)
        }
    )


def _relative(found: float, stated: float) -> Effect:
    """Distance from a stated number, as a share of it."""
    return once(found / stated - 1)


def _over_layers(layers: pd.DataFrame) -> dict[str, float]:
    means = layers.groupby("defence", sort=False)["float_share"].mean()
    return {str(name): float(value) for name, value in means.items()}


def _whole(layers: pd.DataFrame) -> dict[str, float]:
    """Share of all neurons of a network that are float."""
    floating = (layers["float_share"] * layers["neurons"]).groupby(layers["defence"], sort=False)
    neurons = layers.groupby("defence", sort=False)["neurons"].sum()
    return {str(name): float(value) for name, value in (floating.sum() / neurons).items()}


def _means(shares: pd.DataFrame) -> dict[tuple[float, str], float]:
    """Mean share of fixed neurons by noise and defence."""
    places = product(shares["sigma"].unique(), shares["defence"].unique())
    return {
        (float(sigma), str(name)): float(
            shares.loc[
                (shares["sigma"] == sigma) & (shares["defence"] == name), "fixed_share"
            ].mean()
        )
        for sigma, name in places
    }
