"""Statements of the thesis on float neurons, judged from Figures 6.2 and 6.6."""

import pandas as pd

from reactivate.documents.shared.judging import ordered, said
from reactivate.documents.thesis.ranks import rank_correlation
from reactivate.evidence.judgement import Judgement

NOISE = ("noise_125", "noise_250")
ADVERSARIAL = ("fgsm_04", "fgsm_08", "pgd_04", "pgd_08")
SHALLOW = 4  # the last of the layers 0 to 4
DEEP = 12
ABOUT = 0.05  # how far from a stated share "around" reaches


def std_floats_most(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: the network without defence has the highest share of float neurons."""
    shares = _whole(layers)
    holds = max(shares, key=lambda name: shares[name]) == "std"
    return ordered(holds, f"float neurons of the whole network: {said(shares, '.1%')}")


def std_layer_1(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: 70 % of the neurons in layer 1 of STD are float."""
    own = layers[(layers["defence"] == "std") & (layers["layer"] <= 2)]
    share = float(own.loc[own["layer"] == 1, "float_share"].iloc[0])
    shown = ", ".join(f"{row.layer}: {row.float_share:.1%}" for row in own.itertuples())
    return ordered(abs(share - 0.7) <= ABOUT, f"STD by layer {shown}; stated 70 % in layer 1")


def falls_with_depth(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: without defence deeper layers have fewer float neurons, by rank correlation."""
    correlations = {
        str(name): rank_correlation(part["layer"], part["float_share"])
        for name, part in layers.groupby("defence", sort=False)
    }
    return ordered(
        correlations["std"] < 0, f"Spearman's rho of layer and share: {said(correlations, '.2f')}"
    )


def noise_15_and_10(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: on average over layers 15 % are float with noise 0.125, 10 % with 0.25."""
    means = _over_layers(layers)
    stated = {"noise_125": 0.15, "noise_250": 0.1}
    holds = all(abs(means[name] - share) <= ABOUT / 2 for name, share in stated.items())
    finding = f"mean over layers: {said({name: means[name] for name in stated}, '.1%')}"
    return ordered(holds, f"{finding}; stated 15 % and 10 %")


def defences_float_less(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: even minor defences reduce float neurons dramatically: at least by half."""
    whole = _whole(layers)
    shares = {name: value / whole["std"] for name, value in whole.items() if name != "std"}
    return ordered(max(shares.values()) <= 0.5, f"float neurons over STD's: {said(shares, '.3f')}")


def adversarial_float_more_in_shallow(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: in layers 0 to 4 FGSM and PGD float more than noise, in the mean."""
    means = _over_layers(layers[layers["layer"] <= SHALLOW])
    holds = min(means[name] for name in ADVERSARIAL) > max(means[name] for name in NOISE)
    return ordered(holds, f"mean over layers 0 to {SHALLOW}: {said(means, '.1%')}")


def adversarial_float_less_in_deep(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: in deeper layers FGSM and PGD float less than noise, in the mean."""
    means = _over_layers(layers[layers["layer"] > SHALLOW])
    holds = max(means[name] for name in ADVERSARIAL) < min(means[name] for name in NOISE)
    return ordered(holds, f"mean over layers from {SHALLOW + 1} on: {said(means, '.1%')}")


def pgd_below_5(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: in layers deeper than 12 less than 5 % of neurons of PGD models are float."""
    deep = layers[(layers["layer"] > DEEP) & layers["defence"].isin(["pgd_04", "pgd_08"])]
    if deep.empty:
        return ordered(False, f"no layers deeper than {DEEP}")
    shown = ", ".join(
        f"{row.defence} {row.layer}: {row.float_share:.1%}" for row in deep.itertuples()
    )
    return ordered(bool(deep["float_share"].max() < 0.05), f"float neurons by layer: {shown}")


def stronger_float_less(layers: pd.DataFrame) -> Judgement:
    """Figure 6.2: the stronger defence of each kind has fewer float neurons in deep layers."""
    means = _over_layers(layers[layers["layer"] > SHALLOW])
    pairs = [("noise_125", "noise_250"), ("fgsm_04", "fgsm_08"), ("pgd_04", "pgd_08")]
    holds = all(means[strong] < means[weak] for weak, strong in pairs)
    return ordered(holds, f"mean over layers from {SHALLOW + 1} on: {said(means, '.1%')}")


def noise_fixes_neurons(shares: pd.DataFrame) -> Judgement:
    """Figure 6.6: with noise in training more neurons are fixed, under either noise."""
    means = _means(shares)
    holds = all(min(own, key=lambda name: own[name]) == "std" for own in means.values())
    return ordered(holds, _by_sigma(means))


def noise_lowers_fixed_share(shares: pd.DataFrame) -> Judgement:
    """Section 6.4.3.2 as printed: with noise in training the ratio of fixed neurons is lower."""
    means = _means(shares)
    holds = all(max(own, key=lambda name: own[name]) == "std" for own in means.values())
    return ordered(holds, _by_sigma(means))


def fixed_72_to_90(shares: pd.DataFrame) -> Judgement:
    """Figure 6.6: 72 % are fixed without noise, 90 % with 0.05, in one of the panels."""
    means, stated = _means(shares), {"std": 0.72, "noise_050": 0.9}
    near = [
        all(abs(own[name] - share) <= ABOUT for name, share in stated.items())
        for own in means.values()
    ]
    return ordered(any(near), f"{_by_sigma(means)}; stated 72 % and 90 %")


def _over_layers(layers: pd.DataFrame) -> dict[str, float]:
    means = layers.groupby("defence", sort=False)["float_share"].mean()
    return {str(name): float(value) for name, value in means.items()}


def _whole(layers: pd.DataFrame) -> dict[str, float]:
    """Share of all neurons of a network that are float."""
    floating = (layers["float_share"] * layers["neurons"]).groupby(layers["defence"], sort=False)
    neurons = layers.groupby("defence", sort=False)["neurons"].sum()
    return {str(name): float(value) for name, value in (floating.sum() / neurons).items()}


def _means(shares: pd.DataFrame) -> dict[float, dict[str, float]]:
    """Mean share of fixed neurons by noise and defence."""
    means: dict[float, dict[str, float]] = {}
    for (sigma, defence), own in shares.groupby(["sigma", "defence"], sort=False):
        means.setdefault(float(str(sigma)), {})[str(defence)] = float(own["fixed_share"].mean())
    return means


def _by_sigma(means: dict[float, dict[str, float]]) -> str:
    parts = [f"sigma {sigma:g}: {said(own, '.1%')}" for sigma, own in means.items()]
    return f"mean share of fixed neurons: {'; '.join(parts)}"
