"""CReLU, Figures 1, 2 and 5: what is measured of pairs, said of them, and drawn."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch
from reactivate.documents.crelu import figure5 as crelu_figure5
from reactivate.documents.crelu import figures1_2 as crelu_pairing
from reactivate.documents.crelu import figures1_2_5_claims as statements
from reactivate.documents.crelu import figures1_2_5_picture as crelu_pairing_pictures
from reactivate.documents.crelu.figures1_2 import correlations
from reactivate.documents.shared.style import save_png
from reactivate.filters.pairing import pair_filters

RANDOM = np.random.default_rng(0)
LAYERS = ("conv1", "conv2", "conv3", "conv4")


def layer(name, centre, chance=-0.1, width=0.01, filters=60, **more):
    """Made-up correlations of a layer around a centre."""
    return pd.DataFrame(
        {
            "layer": name,
            "filter": range(filters),
            "trained": centre + 4 * width * np.linspace(-1, 1, filters),
            "random": chance + width * np.linspace(-1, 1, filters),
            "trained_mean": centre,
            "random_mean": chance,
            "random_spread": width / 5,
            "distance": 0.1,
            "chance": 0.5,
        }
        | more
    )


def alexnet(*centres, chance=-0.1):
    return pd.concat([layer(f"conv{n}", c, chance) for n, c in enumerate(centres, 1)])


def networks(relu, crelu, names=("baseline", "crelu_conv1_4"), **options):
    """Two networks with the same centre in each of their four lower layers."""
    return pd.concat(
        [
            layer(name, centre, network=network, **options)
            for network, centre in zip(names, (relu, crelu), strict=True)
            for name in LAYERS
        ]
    )


CIFAR = ("convpool", "convpool_crelu_half")


@pytest.mark.parametrize(
    ("name", "frame", "said"),
    [
        ("almost_opposite", pd.DataFrame({"mu": [-0.9, -0.8, 0.1]}), "negative for 2 of 3"),
        ("almost_opposite", pd.DataFrame({"mu": [-0.9, -0.8, -0.7]}), "-0.90 to -0.70"),
        ("conv1_differs", alexnet(-0.5), "-0.500 (random -0.100); 100%"),
        ("conv1_differs", alexnet(-0.1), "-0.100 (random -0.100); 38%"),
        ("centre_moves_to_zero", alexnet(-0.5, -0.3, -0.2, -0.1, -0.05), "+1.00"),
        ("centre_moves_to_zero", alexnet(-0.05, -0.1, -0.2), "-1.00"),
    ],
)
def test_another_alexnet_is_told_and_not_judged(name, frame, said):
    judgement = getattr(statements, name)(frame)
    assert str(judgement.verdict) == "not_comparable(network)"
    assert said in judgement.reason


def test_alignment_is_the_difference_of_means_in_each_lower_layer():
    frame = networks(-0.3, -0.15)
    odd = (frame["network"] == "crelu_conv1_4") & (frame["layer"] == "conv3")
    lower = frame["trained_mean"] - 0.2 * odd
    found = statements.aligned_with_random(frame.assign(trained_mean=lower))
    expected = {"conv1": -0.05, "conv2": -0.05, "conv3": -0.25, "conv4": -0.05}
    assert {layer: effect.mean for layer, effect in found.items()} == pytest.approx(expected)
    assert all(effect.n == 1 for effect in found.values())


def test_alignment_is_read_of_every_seed_that_has_learned_and_pictures_show_the_first():
    parts = [
        networks(-0.3, centre).assign(seed=seed, learned=seed != 1)
        for seed, centre in enumerate((-0.15, -0.9, -0.25))
    ]
    found = statements.aligned_with_random(pd.concat(parts, ignore_index=True))
    assert found["conv1"].stated == pytest.approx((-0.05, None, -0.15))


def test_all_seeds_but_the_first_tell_their_layers_in_a_line(monkeypatch):
    kernels = {"conv1": torch.randn(10, 3, 4, 4), "conv2": torch.randn(6, 10, 2, 2)}
    monkeypatch.setattr(crelu_figure5, "trained", lambda run: None)
    monkeypatch.setattr(crelu_figure5, "filters_of", lambda network: kernels)
    runs = [SimpleNamespace(place=("baseline", "sp", "document"), seed=seed) for seed in (0, 1)]
    frame = crelu_figure5.figure5(runs, draws=3)
    first, second = (frame[frame["seed"] == seed] for seed in (0, 1))
    assert len(first) == 16
    assert second["layer"].tolist() == ["conv1", "conv2"]
    assert second[["filter", "trained", "random"]].isna().all(axis=None)
    means = first.groupby("layer")["trained"].mean()
    assert second["trained_mean"].tolist() == pytest.approx(means.tolist(), abs=1e-5)
    assert len(crelu_pairing_pictures.figure5(frame).axes) == 2


def test_pairs_on_cifar_are_told_in_deviations_of_random_sets():
    said = statements.pairs_on_cifar(networks(-0.3, -0.1, CIFAR))
    assert "convpool conv1 -100.0" in said
    assert "convpool_crelu_half conv1 -0.0" in said.replace("+0.0", "-0.0")


def test_correlations_of_random_filters_are_those_of_chance():
    """A layer of Gaussian filters is within a few spreads of random sets."""
    random = torch.Generator().manual_seed(5)
    frame = correlations({"conv1": torch.randn(40, 3, 4, 4, generator=random)}, draws=30)
    assert len(frame) == 40
    chance, spread = frame["random_mean"][0], frame["random_spread"][0]
    assert abs(frame["trained"].mean() - chance) < 4 * spread
    assert abs(frame["random"].mean() - chance) < 4 * spread
    assert -1 < chance < 0 < spread
    assert 0 < frame["distance"][0] < 1
    assert frame["chance"][0] > 1 / 31


def test_opposite_pairs_are_farther_from_random_sets_than_any_of_them():
    half = torch.randn(20, 3, 4, 4, generator=torch.Generator().manual_seed(5))
    frame = correlations({"conv1": torch.cat([half, -half])}, draws=30)
    assert frame["trained"].tolist() == pytest.approx([-1] * 40)
    assert frame["chance"][0] == pytest.approx(1 / 31, abs=1e-4)
    assert frame["distance"][0] > 0.9


def test_correlations_are_reproducible_and_follow_the_layers():
    layers = {"conv1": torch.randn(4, 3, 2, 2), "conv2": torch.randn(6, 4, 1, 1)}
    frame = correlations(layers, draws=2)
    pd.testing.assert_frame_equal(frame, correlations(layers, draws=2))
    assert frame["layer"].tolist() == ["conv1"] * 4 + ["conv2"] * 6
    mu = pair_filters(layers["conv2"].double()).correlations
    np.testing.assert_allclose(frame["trained"][4:], mu, atol=1e-5)


@pytest.fixture
def kernels(monkeypatch):
    """Small weights in place of AlexNet's."""
    found = {"conv1": torch.randn(10, 3, 4, 4), "conv2": torch.randn(6, 10, 2, 2)}
    monkeypatch.setattr(crelu_pairing, "load_filters", lambda _name: found)
    return found


def test_figure_1_holds_every_filter_at_unit_length_with_its_partner(kernels, tmp_path):
    frame = crelu_pairing.figure1()
    entries = frame.drop(columns=["filter", "partner", "mu"])
    np.testing.assert_allclose((entries**2).sum(axis=1), 1, atol=1e-3)
    first, partner = entries.iloc[0], entries.iloc[frame["partner"][0]]
    assert (first * partner).sum() == pytest.approx(frame["mu"][0], abs=1e-3)
    expected = kernels["conv1"][3, 2, 1, 0] / kernels["conv1"][3].norm()
    assert frame["blue_1_0"][3] == pytest.approx(float(expected), abs=1e-4)
    figure = crelu_pairing_pictures.figure1(frame)
    (axis,) = figure.axes
    assert len(axis.images) == 2 * 10
    assert [float(text.get_text()) for text in axis.texts] == sorted(frame["mu"].round(2))
    check_size(figure, tmp_path)


def test_figure_2_has_a_panel_per_layer(kernels, tmp_path):
    frame = crelu_pairing.figure2(draws=3)
    figure = crelu_pairing_pictures.figure2(frame)
    assert [axis.get_title() for axis in figure.axes] == [
        f"{name} ({len(weight)} filters)" for name, weight in kernels.items()
    ]
    check_size(figure, tmp_path)


def test_figure_5_has_a_row_per_network_and_a_panel_per_layer(tmp_path):
    frame = pd.concat([networks(-0.3, -0.1), layer("conv1", -0.1, network="convpool")])
    figure = crelu_pairing_pictures.figure5(frame)
    assert len(figure.axes) == 4 + 4 + 1
    check_size(figure, tmp_path)


def test_bins_hold_every_correlation():
    frame = alexnet(-0.83, 0.5)
    edges = crelu_pairing_pictures.edges(frame)
    assert edges[0] < frame["trained"].min()
    assert edges[-1] > frame["trained"].max()
    assert np.diff(edges) == pytest.approx(crelu_pairing_pictures.BIN)
    assert min(map(abs, edges)) == 0


def check_size(figure, folder):
    save_png(figure, folder / "figure.png")
    assert (folder / "figure.png").stat().st_size < 200_000
