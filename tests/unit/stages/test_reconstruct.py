"""What the stage writes of a network, and what is shown and judged of it."""

import pandas as pd
import pytest
import torch
from reactivate.documents.crelu import figure6 as crelu_reconstruction
from reactivate.documents.crelu import figure6_claims as statements
from reactivate.documents.crelu import figure6_picture as crelu_reconstruction_pictures
from reactivate.documents.crelu import ratios_claims, ratios_picture
from reactivate.evidence.judgement import Verdict
from reactivate.experiment.measurements import Reconstruction
from reactivate.models.convpool import convpool9_half
from reactivate.reconstruction.algorithms import ratio
from reactivate.stages.reconstruct import reconstruct, summary
from torch import nn

HOW = {"stage": "reconstruct", "tolerance": 1e-8, "steps": 500}


def measured(filters="learned", scope="region", images=3):
    torch.manual_seed(0)
    network = convpool9_half(width=0.1).eval()
    x = torch.rand(images, 3, 32, 32)
    return reconstruct(network, x, Reconstruction(filters=filters, scope=scope, **HOW), ("d", 0))


@pytest.mark.parametrize("filters", ["learned", "random"])
def test_every_image_and_layer_has_a_row(filters):
    rows = measured(filters)
    assert list(rows["idx"]) == [0, 1, 2, 0, 1, 2]
    assert list(rows["layer"]) == ["pool1"] * 3 + ["pool2"] * 3
    assert rows["ratio"].between(0.5, 1).all()
    assert (rows["residual"] <= 1e-8).all()


def test_the_first_images_are_the_same_however_many_there_are():
    few, more = measured(images=2), measured(images=3)
    pd.testing.assert_frame_equal(few, more[more["idx"] < 2].reset_index(drop=True))


def test_whole_maps_have_no_bound_and_a_smaller_ratio():
    whole, regions = summary(measured(scope="map")), summary(measured())
    assert whole["reconstruction_ratio_pool1"] < regions["reconstruction_ratio_pool1"]
    assert "bound_pool1" in regions
    assert "bound_pool1" not in whole


@pytest.mark.parametrize(("filters", "exact"), [(30, True), (6, False)])
def test_layers_with_filters_enough_give_the_image_back(filters, exact):
    torch.manual_seed(0)
    convs = [nn.Conv2d(2, 12, 3, padding=1), nn.Conv2d(24, filters, 1)]
    x = torch.randn(2, 2, 7, 7, dtype=torch.float64)
    one, left = crelu_reconstruction.back_to_image(convs[:1], x, 1e-10, 500)
    assert float(ratio(x, one).max()) < 1e-6
    assert left <= 1e-10
    two, _ = crelu_reconstruction.back_to_image(convs, x, 1e-10, 500)
    assert (float(ratio(x, two).max()) < 1e-6) == exact


def pictures(*ratios):
    lines = crelu_reconstruction.hexadecimal(torch.rand(3, 2, 2), side=8)
    names = ["image", "mean_colour", "conv1", "conv2"]
    parts = [
        {"network": "crelu_conv1_4", "from": name, "ratio": value, "residual": 0.0, "line": [0, 1]}
        for name, value in zip(names, (0.0, *ratios), strict=True)
    ]
    return pd.concat([pd.DataFrame(part).assign(pixels=lines) for part in parts])


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [((0.5, 0.1, 0.4), Verdict.ORDER_HOLDS), ((0.5, 0.1, 0.6), Verdict.ORDER_FAILS)],
)
def test_a_reconstruction_is_judged_beside_the_mean_colour(ratios, verdict):
    judged = statements.reasonable(pictures(*ratios))
    assert judged.verdict == verdict
    assert f"conv2 {ratios[2]:.3f}" in judged.reason


def ratios(random=0.99, bound=2.0):
    places = {"dataset": "cifar10", "layer": "pool1", "idx": [0, 1], "bound": [bound, 2.0]}
    return pd.concat(
        pd.DataFrame({**places, "filters": name, "ratio": value})
        for name, value in (("learned", 0.9), ("random", random))
    )


@pytest.mark.parametrize(("random", "verdict"), [(0.99, "order_holds"), (0.97, "order_fails")])
def test_one_percent_is_what_rounds_to_it(random, verdict):
    assert ratios_claims.one_percent(ratios(random)).verdict == verdict


@pytest.mark.parametrize(("bound", "verdict"), [(2.0, "order_holds"), (0.95, "order_fails")])
def test_one_image_above_its_bound_is_enough(bound, verdict):
    judged = ratios_claims.within_bound(ratios(bound=bound))
    assert judged.verdict == verdict
    if bound < 1:
        assert "learned 0 of 2, cifar10 pool1 random 1 of 2" in judged.reason


def test_the_pictures_draw_all_panels():
    shown = crelu_reconstruction_pictures.images(pictures(0.5, 0.1, 0.2))
    assert [axis.get_title() for axis in shown.axes] == [
        "image",
        "conv1, ratio 0.100",
        "conv2, ratio 0.200",
    ]
    (panel,) = ratios_picture.beside_bound(ratios()).axes
    assert panel.get_title() == "cifar10, conv2 (before pool1)"
