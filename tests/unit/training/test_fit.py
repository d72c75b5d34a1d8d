"""A network that cannot read its images, or tell their classes apart, is never trained."""

from types import SimpleNamespace

import pytest
import torch
from reactivate.experiment.cell import Cell
from reactivate.training.classification import Classification
from torch import nn

CELL = Cell("cifar10", "toy", "relu", "bn", "recipe")


def network(pixels, classes):
    return nn.Sequential(nn.Flatten(), nn.Linear(pixels, classes), nn.BatchNorm1d(classes))


def check(made, shape=(3, 4, 4), classes=10):
    Classification().check_fit(made, SimpleNamespace(shape=shape), CELL, classes)


def test_a_network_that_fits_is_left_as_it_was():
    made = network(48, 10)
    before = {name: tensor.clone() for name, tensor in made.state_dict().items()}
    state = torch.get_rng_state()
    check(made)
    assert made.training
    assert all(torch.equal(before[name], tensor) for name, tensor in made.state_dict().items())
    assert torch.equal(torch.get_rng_state(), state)


def test_images_of_another_size_are_named_with_network_and_dataset():
    with pytest.raises(ValueError, match=r"toy on cifar10: .* images of \(1, 28, 28\)"):
        check(network(48, 10), shape=(1, 28, 28))


def test_another_number_of_classes_is_named():
    with pytest.raises(ValueError, match=r"scores are \(1, 20\), not \(1, 10\)"):
        check(network(48, 20))
