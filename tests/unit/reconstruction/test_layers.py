"""Which convolutions are reconstructed, and the regions of what they read."""

import pytest
import torch
from reactivate.foundation.seeding import generator
from reactivate.layers.style import Style
from reactivate.models.allcnn import AllCNN
from reactivate.models.convpool import ConvPool, convpool9_half
from reactivate.reconstruction.layers import first_layers, pooled_layers, random_convolution
from reactivate.reconstruction.pooling import draw_regions, region_size, region_starts
from reactivate.reconstruction.shifts import Shifts
from torch import nn


def test_the_pooled_layers_are_those_before_the_poolings():
    network = convpool9_half(width=0.1, input_dropout=0.2, dropout=0.5).eval()
    first, second = pooled_layers(network)
    assert [first.name, second.name] == ["pool1", "pool2"]
    x = torch.rand(2, 3, 32, 32)
    pooled = first.pool(nn.functional.relu(first.conv(first.before(x))))
    through = nn.Sequential(*list(second.before.children())[:5])(x)  # dropout, 3 units, pooling
    torch.testing.assert_close(through[:, : pooled.shape[1]], pooled)


def test_dropout_between_a_layer_and_its_pooling_changes_nothing():
    unit, pool = Style("crelu").conv(3, 4, kernel=3), nn.MaxPool2d(2)
    (found,) = pooled_layers(nn.Sequential(unit, nn.Dropout(0.5), pool))
    assert (found.conv, found.pool) == (unit.layer, pool)


def test_only_crelu_layers_are_taken():
    with pytest.raises(ValueError, match="no CReLU convolution that a max-pooling follows"):
        pooled_layers(ConvPool("relu", width=0.1))


@pytest.mark.parametrize(("paired", "count"), [(range(1, 5), 4), ((1, 4, 7), 1), ((), 0)])
def test_the_first_layers_end_where_crelu_does(paired, count):
    assert len(list(first_layers(AllCNN(width=0.05, classes=4, paired=paired)))) == count


def test_batch_normalisation_is_no_plain_layer():
    network = nn.Sequential(Style("crelu", "bn").conv(3, 4, kernel=3), nn.MaxPool2d(2))
    with pytest.raises(ValueError, match="no CReLU convolution"):
        pooled_layers(network)


def test_random_filters_are_standard_normal_and_named():
    conv = nn.Conv2d(16, 48, 3, stride=2, padding=1)
    drawn, again, other = (
        random_convolution(conv, "cifar10", 0, name) for name in ("a", "a", "b")
    )
    assert drawn.bias is None
    assert (drawn.stride, drawn.padding) == ((2, 2), (1, 1))
    assert float(drawn.weight.mean()) == pytest.approx(0, abs=0.05)
    assert float(drawn.weight.std()) == pytest.approx(1, abs=0.05)
    assert torch.equal(drawn.weight, again.weight)
    assert not torch.equal(drawn.weight, other.weight)


@pytest.mark.parametrize(
    ("conv", "pool", "size", "starts"),
    [
        (nn.Conv2d(1, 1, 3, padding=1), nn.MaxPool2d(3, 2, ceil_mode=True), (5, 5), [1, 3, 5]),
        (nn.Conv2d(1, 1, 3), nn.MaxPool2d(2), (4, 4), [0, 2, 4, 6]),
        (nn.Conv2d(1, 1, 2, stride=2), nn.MaxPool2d(2), (4, 4), [0, 4]),
        (nn.Conv2d(1, 1, 3), nn.MaxPool2d(3, 2, padding=1), (5, 5), [1, 3, 5]),
    ],
    ids=["convpool", "apart", "strided", "padded pooling"],
)
def test_regions_are_inside(conv, pool, size, starts):
    assert region_size(conv, pool) == size
    assert region_starts(10, conv, pool, axis=0) == starts
    x = torch.arange(100.0).view(1, 1, 10, 10).expand(40, -1, -1, -1)
    drawn = draw_regions(x, conv, pool, generator("regions"))
    corners = {(int(c) // 10, int(c) % 10) for c in drawn[:, 0, 0, 0]}
    assert {row for row, _ in corners} | {column for _, column in corners} == set(starts)


def test_too_small_images_have_no_region():
    with pytest.raises(ValueError, match=r"\(4, 4\) hold no pooling region of 5 x 5"):
        draw_regions(torch.zeros(1, 1, 4, 4), nn.Conv2d(1, 1, 3), nn.MaxPool2d(3), generator())


@pytest.mark.parametrize(
    "conv",
    [
        nn.Conv2d(2, 2, 3, groups=2),
        nn.Conv2d(2, 2, 3, dilation=2),
        nn.Conv2d(2, 2, 3, padding="same"),
        nn.Conv2d(2, 2, 3, padding=1, padding_mode="circular"),
    ],
    ids=["groups", "dilation", "same", "circular"],
)
def test_other_convolutions_are_refused(conv):
    with pytest.raises(ValueError, match="accepted: a plain convolution"):
        Shifts.of(conv, (8, 8))
