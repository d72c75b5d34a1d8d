"""What the stage writes of a network."""

import pandas as pd
import pytest
import torch
from reactivate.documents.crelu import figure6 as crelu_reconstruction
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
