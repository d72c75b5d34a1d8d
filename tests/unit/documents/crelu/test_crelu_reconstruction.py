"""CReLU: what is shown and compared of reconstructions, Figure 6 and Table 6."""

import pandas as pd
import pytest
import torch
from reactivate.documents.crelu import (
    figure6,
    figure6_claims,
    figure6_picture,
    ratios_claims,
    ratios_picture,
    section_f,
    section_f_claims,
    section_f_picture,
)


def pictures(*ratios):
    lines = figure6.hexadecimal(torch.rand(3, 2, 2), side=8)
    names = ["image", "mean_colour", "conv1", "conv2"]
    parts = [
        {"network": "crelu_conv1_4", "from": name, "ratio": value, "residual": 0.0, "line": [0, 1]}
        for name, value in zip(names, (0.0, *ratios), strict=True)
    ]
    return pd.concat([pd.DataFrame(part).assign(pixels=lines) for part in parts])


def test_a_reconstruction_is_compared_with_the_mean_colour():
    found = figure6_claims.reasonable(pictures(0.5, 0.1, 0.6))
    means = {layer: effect.mean for layer, effect in found.items()}
    assert means == pytest.approx({"conv1": 0.4, "conv2": -0.1})
    assert all(effect.n == 1 for effect in found.values())


def test_a_reconstruction_is_compared_in_every_seed_whose_network_has_learned():
    parts = [
        pictures(0.5, 0.1 * seed, 0.6).assign(seed=seed, learned=seed != 2) for seed in range(4)
    ]
    found = figure6_claims.reasonable(pd.concat(parts, ignore_index=True))
    assert found["conv1"].stated == pytest.approx((0.5, 0.4, None, 0.2))
    shown = figure6_picture.images(pd.concat(parts[1:], ignore_index=True))
    assert [axis.get_title() for axis in shown.axes][1] == "conv1, ratio 0.100"


def ratios(random=0.99, bound=2.0):
    places = {"dataset": "cifar10", "layer": "pool1", "idx": [0, 1], "bound": [bound, 2.0]}
    return pd.concat(
        pd.DataFrame({**places, "filters": name, "ratio": value})
        for name, value in (("learned", 0.9), ("random", random))
    )


def test_random_filters_are_compared_with_the_printed_ratio():
    (effect,) = ratios_claims.one_percent(ratios(0.97)).values()
    assert effect.mean == pytest.approx(-0.02)
    assert effect.n == 1


@pytest.mark.parametrize(("bound", "above"), [(2.0, 0), (0.95, 1)])
def test_images_above_their_bound_are_counted(bound, above):
    said = ratios_claims.within_bound(ratios(bound=bound))
    assert f"learned 0 of 2, cifar10 pool1 random {above} of 2" in said


def test_the_pictures_draw_all_panels():
    shown = figure6_picture.images(pictures(0.5, 0.1, 0.2))
    assert [axis.get_title() for axis in shown.axes] == [
        "image",
        "conv1, ratio 0.100",
        "conv2, ratio 0.200",
    ]
    (panel,) = ratios_picture.beside_bound(ratios()).axes
    assert panel.get_title() == "CIFAR-10, conv2 (before pool1)"


@pytest.mark.parametrize(("dataset", "means"), [("cifar10", {0.92, 0.99}), ("cifar100", set())])
def test_crosses_are_the_printed_mean_ratios_as_far_as_they_can_be_read(dataset, means):
    (panel,) = ratios_picture.beside_bound(ratios().assign(dataset=dataset)).axes
    crosses = [line for line in panel.get_lines() if line.get_marker() == "x"]
    assert {line.get_ydata()[0] for line in crosses} == means
    assert all(min(panel.get_ylim()) < mean < max(panel.get_ylim()) for mean in means)


def several(*ratios):
    """Two images whose pictures have the given ratios: mean colour, conv1, conv2."""
    parts = [pictures(*each).assign(image=number) for number, each in enumerate(ratios, start=1)]
    return pd.concat(parts, ignore_index=True)


def test_more_examples_are_figure_6_of_one_image_after_the_other(monkeypatch):
    asked = []

    def from_features(networks, image, *settings):
        asked.append((networks, image, *settings))
        return pictures(0.5, 0.1, 0.01 * image)

    monkeypatch.setattr(section_f, "from_features", from_features)
    found = section_f.more_examples(["network"], 1, 3, 4, 112, 1e-8, 2000)
    assert asked == [(["network"], image, 4, 112, 1e-8, 2000) for image in (1, 2, 3)]
    assert list(found.columns) == [
        *("image", "network", "from", "ratio", "residual", "line", "pixels")
    ]
    last = found[found["from"] == "conv2"].groupby("image")["ratio"].first()
    assert last.to_dict() == pytest.approx({1: 0.01, 2: 0.02, 3: 0.03})


def test_images_nearer_than_their_own_mean_colour_are_counted():
    said = section_f_claims.nearer_than_mean_colour(several((0.5, 0.1, 0.6), (0.3, 0.4, 0.2)))
    assert "conv1 1 of 2, mean ratio 0.250; " in said
    assert "conv2 1 of 2, mean ratio 0.400." in said


def test_the_picture_of_more_examples_has_a_row_for_each_image():
    shown = section_f_picture.examples(several((0.5, 0.1, 0.2), (0.5, 0.3, 0.4)))
    assert [axis.get_title() for axis in shown.axes] == [
        *("image", "conv1, 0.100", "conv2, 0.200"),
        *("image", "conv1, 0.300", "conv2, 0.400"),
    ]
    labels = [axis.get_ylabel() for axis in shown.axes if axis.get_ylabel()]
    assert labels == ["CReLU (conv1–4)\nimage 1", "CReLU (conv1–4)\nimage 2"]
