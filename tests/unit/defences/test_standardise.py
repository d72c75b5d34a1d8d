"""A standardised network reads images from 0 to 1 and can be put back from what was saved."""

import pytest
import torch
from reactivate.datasets.images import Normalisation
from reactivate.defences.standardise import Standardised, restored
from torch import nn

MEAN, STD = (0.49, 0.48, 0.45), (0.2, 0.21, 0.22)


@pytest.mark.parametrize("std", [STD, None])
def test_it_standardises_as_inputs_are_normalised_bit_for_bit(std):
    levels = torch.randint(256, (4, 3, 5, 5), dtype=torch.uint8)
    network = Standardised(MEAN, std, nn.Identity())
    assert torch.equal(network(levels.float() / 255), Normalisation(MEAN, std)(levels))


def test_mean_and_deviation_are_saved_and_put_back():
    saved = Standardised(MEAN, STD, nn.Conv2d(3, 2, 1)).state_dict()
    assert set(saved) == {"mean", "std", "network.weight", "network.bias"}
    found = restored(nn.Conv2d(3, 2, 1), saved)
    assert all(torch.equal(found.state_dict()[name], saved[name]) for name in saved)
    assert not found.training


def test_weights_of_another_kind_of_network_are_named():
    with pytest.raises(ValueError, match=r"^the saved tensors are bias, weight.*accepted: mean"):
        restored(nn.Linear(1, 1), nn.Linear(1, 1).state_dict())


@pytest.mark.parametrize("lost", ["mean", "std"])
def test_a_statistic_that_was_not_saved_is_named(lost):
    saved = Standardised(MEAN, STD, nn.Conv2d(3, 2, 1)).state_dict()
    del saved[lost]
    with pytest.raises(ValueError, match=r"^the saved tensors are .*; accepted: mean, std"):
        restored(nn.Conv2d(3, 2, 1), saved)


@pytest.mark.parametrize("std", [(0.2, 0.2), (0.2, 0.0, 0.2)])
def test_a_bad_deviation_is_named(std):
    with pytest.raises(ValueError, match=r"^std is .*; accepted: one number above 0"):
        Standardised(MEAN, std, nn.Identity())
